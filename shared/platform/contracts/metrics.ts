/**
 * All metrics of the service: functions record them by these names, alarms and the dashboard use them. A dimension has
 * few values (pipelines, roles, outcomes), never an id: CloudWatch bills each combination as a metric by the month.
 */
export const METRIC_NAMESPACE = 'Tunesmith';

/** Every metric has the dimension `service`, which distinguishes the stages of an account. */
export const serviceOf = (stage: string): string => `tunesmith-${stage}`;

interface MetricContract {
  readonly unit: 'Count' | 'Seconds' | 'Milliseconds' | 'Count/Second';
  /** `sum` adds up recorded values until it is written; `values` keeps the values, for percentiles and gauges. */
  readonly kind: 'sum' | 'values';
  /** One metric for each set of dimensions, in addition to `service`. */
  readonly dimensions: readonly (readonly string[])[];
  readonly description: string;
}

export const metrics = {
  RunsStarted: {
    unit: 'Count',
    kind: 'sum',
    dimensions: [[], ['pipeline']],
    description: 'Runs that were launched',
  },
  RunsSucceeded: {
    unit: 'Count',
    kind: 'sum',
    dimensions: [['pipeline']],
    description: 'Runs that succeeded',
  },
  RunsFailed: {
    unit: 'Count',
    kind: 'sum',
    dimensions: [['pipeline', 'cause'], ['cause']],
    description: 'Runs that failed; cause is caller (a file, a request) or service',
  },
  RunSeconds: {
    unit: 'Seconds',
    kind: 'values',
    dimensions: [['pipeline']],
    description: 'How long ended runs took',
  },
  Rows: {
    unit: 'Count',
    kind: 'sum',
    dimensions: [['outcome']],
    description: 'Rows of ended runs, by what became of them',
  },
  TasksFailed: {
    unit: 'Count',
    kind: 'sum',
    dimensions: [[]],
    description:
      'Invocations of tasks and background functions that failed, unless a caller’s file or request did it',
  },
  CreditsReserved: {
    unit: 'Count',
    kind: 'sum',
    dimensions: [[]],
    description: 'Credits reserved for runs',
  },
  CreditsSettled: { unit: 'Count', kind: 'sum', dimensions: [[]], description: 'Credits billed for runs' },
  CreditsReturned: {
    unit: 'Count',
    kind: 'sum',
    dimensions: [[]],
    description: 'Credits that were reserved and not billed',
  },
  ModelCalls: {
    unit: 'Count',
    kind: 'sum',
    dimensions: [['role'], []],
    description: 'Calls to models, whatever came of them',
  },
  ModelInputTokens: { unit: 'Count', kind: 'sum', dimensions: [['role']], description: 'Tokens sent' },
  ModelOutputTokens: { unit: 'Count', kind: 'sum', dimensions: [['role']], description: 'Tokens answered' },
  ModelThrottles: {
    unit: 'Count',
    kind: 'sum',
    dimensions: [['role'], []],
    description: 'Calls that the model refused for now (429), those of a used-up quota among them',
  },
  ModelQuotaRefusals: {
    unit: 'Count',
    kind: 'sum',
    dimensions: [['role'], []],
    description: 'Calls that the model refused because the tokens of the day, or the credits, are used up',
  },
  ModelPartsLeftOut: {
    unit: 'Count',
    kind: 'sum',
    dimensions: [['part']],
    description:
      'Processes whose requests leave out what a model does not take: a schema, a temperature, a seed, a cache',
  },
  ModelErrors: {
    unit: 'Count',
    kind: 'sum',
    dimensions: [['kind'], []],
    description: 'Calls that failed otherwise, by kind',
  },
  ModelMilliseconds: {
    unit: 'Milliseconds',
    kind: 'values',
    dimensions: [['role']],
    description: 'How long answered calls took: a sample of 99 a worker and minute',
  },
  CircuitsOpened: {
    unit: 'Count',
    kind: 'sum',
    dimensions: [[]],
    description: 'Times that a worker stopped calling a model that answered nobody',
  },
  WorkerRowsPerSecond: {
    unit: 'Count/Second',
    kind: 'values',
    dimensions: [['worker']],
    description: 'Rows a second of one worker, over one invocation',
  },
  AnswersEnded: {
    unit: 'Count',
    kind: 'sum',
    dimensions: [['outcome']],
    description:
      'Answers by their end: refused for the request or a limit, failed by the service, abandoned by their caller',
  },
  AnswersUnbilled: {
    unit: 'Count',
    kind: 'sum',
    dimensions: [[]],
    description: 'Answers of which less was billed than they cost',
  },
  AnswersLost: {
    unit: 'Count',
    kind: 'sum',
    dimensions: [[]],
    description: 'Answers that never ended: a sweep returned what was reserved for them',
  },
  EventsLate: {
    unit: 'Count',
    kind: 'values',
    dimensions: [[]],
    description: 'Teams with events, and webhooks with deliveries, that should have left half an hour before',
  },
  SweepsDone: { unit: 'Count', kind: 'sum', dimensions: [[]], description: 'Sweeps that came to their end' },
  RunsActive: {
    unit: 'Count',
    kind: 'values',
    dimensions: [[]],
    description: 'Runs that a sweep found active',
  },
  RunsStuck: {
    unit: 'Count',
    kind: 'values',
    dimensions: [[]],
    description: 'Active runs without a sign of life for an hour, or that a sweep could not look after',
  },
  RunsSwept: {
    unit: 'Count',
    kind: 'sum',
    dimensions: [[]],
    description: 'Runs that a sweep handed over to be settled, because their execution was gone',
  },
  HoldsWithoutRun: {
    unit: 'Count',
    kind: 'values',
    dimensions: [[]],
    description: 'Credits held for a run that is not active',
  },
  TelemetryLost: {
    unit: 'Count',
    kind: 'sum',
    dimensions: [[]],
    description: 'Spans and points that the receiver of OpenTelemetry did not take',
  },
  ExportsBuilt: {
    unit: 'Count',
    kind: 'sum',
    dimensions: [['format']],
    description: 'Export files that were asked for and built',
  },
  ExportsFailed: {
    unit: 'Count',
    kind: 'sum',
    dimensions: [['format']],
    description: 'Export files that could not be built',
  },
  ExportSeconds: {
    unit: 'Seconds',
    kind: 'values',
    dimensions: [['format']],
    description: 'How long the building of an export file took',
  },
} as const satisfies Record<string, MetricContract>;

export type MetricName = keyof typeof metrics;

/** All dimensions of a metric. */
export type MetricDimensions<Name extends MetricName> = Readonly<
  Record<(typeof metrics)[Name]['dimensions'][number][number], string>
>;
