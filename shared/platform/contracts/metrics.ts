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
}

export const metrics = {
  RunsStarted: { unit: 'Count', kind: 'sum', dimensions: [[], ['pipeline']] },
  RunsSucceeded: { unit: 'Count', kind: 'sum', dimensions: [['pipeline']] },
  RunsFailed: { unit: 'Count', kind: 'sum', dimensions: [['pipeline', 'cause'], ['cause']] },
  RunSeconds: { unit: 'Seconds', kind: 'values', dimensions: [['pipeline']] },
  Rows: { unit: 'Count', kind: 'sum', dimensions: [['outcome']] },
  TasksFailed: { unit: 'Count', kind: 'sum', dimensions: [[]] },
  CreditsReserved: { unit: 'Count', kind: 'sum', dimensions: [[]] },
  CreditsSettled: { unit: 'Count', kind: 'sum', dimensions: [[]] },
  CreditsReturned: { unit: 'Count', kind: 'sum', dimensions: [[]] },
  ModelCalls: { unit: 'Count', kind: 'sum', dimensions: [['role'], []] },
  ModelInputTokens: { unit: 'Count', kind: 'sum', dimensions: [['role']] },
  ModelOutputTokens: { unit: 'Count', kind: 'sum', dimensions: [['role']] },
  ModelThrottles: { unit: 'Count', kind: 'sum', dimensions: [['role'], []] },
  ModelQuotaRefusals: { unit: 'Count', kind: 'sum', dimensions: [['role'], []] },
  ModelPartsLeftOut: { unit: 'Count', kind: 'sum', dimensions: [['part']] },
  ModelErrors: { unit: 'Count', kind: 'sum', dimensions: [['kind'], []] },
  ModelMilliseconds: { unit: 'Milliseconds', kind: 'values', dimensions: [['role']] },
  CircuitsOpened: { unit: 'Count', kind: 'sum', dimensions: [[]] },
  WorkerRowsPerSecond: { unit: 'Count/Second', kind: 'values', dimensions: [['worker']] },
  AnswersEnded: { unit: 'Count', kind: 'sum', dimensions: [['outcome']] },
  AnswersUnbilled: { unit: 'Count', kind: 'sum', dimensions: [[]] },
  AnswersLost: { unit: 'Count', kind: 'sum', dimensions: [[]] },
  EventsLate: { unit: 'Count', kind: 'values', dimensions: [[]] },
  SweepsDone: { unit: 'Count', kind: 'sum', dimensions: [[]] },
  RunsActive: { unit: 'Count', kind: 'values', dimensions: [[]] },
  RunsStuck: { unit: 'Count', kind: 'values', dimensions: [[]] },
  RunsSwept: { unit: 'Count', kind: 'sum', dimensions: [[]] },
  HoldsWithoutRun: { unit: 'Count', kind: 'values', dimensions: [[]] },
  ProbesDone: { unit: 'Count', kind: 'sum', dimensions: [['outcome']] },
  ProbeSeconds: { unit: 'Seconds', kind: 'values', dimensions: [['step']] },
  DeploymentSweeps: { unit: 'Count', kind: 'sum', dimensions: [[]] },
  DeploymentsOverdue: { unit: 'Count', kind: 'sum', dimensions: [[]] },
  TelemetryLost: { unit: 'Count', kind: 'sum', dimensions: [[]] },
  ExportsBuilt: { unit: 'Count', kind: 'sum', dimensions: [['format']] },
  ExportsFailed: { unit: 'Count', kind: 'sum', dimensions: [['format']] },
  ExportSeconds: { unit: 'Seconds', kind: 'values', dimensions: [['format']] },
} as const satisfies Record<string, MetricContract>;

export type MetricName = keyof typeof metrics;

/** All dimensions of a metric. */
export type MetricDimensions<Name extends MetricName> = Readonly<
  Record<(typeof metrics)[Name]['dimensions'][number][number], string>
>;

/** What each metric is. Apart from the contracts, which are in the bundle of every function. */
export const metricDescriptions: Readonly<Record<MetricName, string>> = {
  RunsStarted: 'Runs that were launched',
  RunsSucceeded: 'Runs that succeeded',
  RunsFailed: 'Runs that failed; cause is caller (a file, a request) or service',
  RunSeconds: 'How long ended runs took',
  Rows: 'Rows of ended runs, by what became of them',
  TasksFailed:
    'Invocations of tasks and background functions that failed, unless a caller’s file or request did it',
  CreditsReserved: 'Credits reserved for runs',
  CreditsSettled: 'Credits billed for runs',
  CreditsReturned: 'Credits that were reserved and not billed',
  ModelCalls: 'Calls to models, whatever came of them',
  ModelInputTokens: 'Tokens sent',
  ModelOutputTokens: 'Tokens answered',
  ModelThrottles: 'Calls that the model refused for now (429), those of a used-up quota among them',
  ModelQuotaRefusals:
    'Calls that the model refused because the tokens of the day, or the credits, are used up',
  ModelPartsLeftOut:
    'Processes whose requests leave out what a model does not take: a schema, a temperature, a seed, a cache',
  ModelErrors: 'Calls that failed otherwise, by kind',
  ModelMilliseconds: 'How long answered calls took: a sample of 99 a worker and minute',
  CircuitsOpened: 'Times that a worker stopped calling a model that answered nobody',
  WorkerRowsPerSecond: 'Rows a second of one worker, over one invocation',
  AnswersEnded:
    'Answers by their end: refused for the request or a limit, failed by the service, abandoned by their caller',
  AnswersUnbilled: 'Answers of which less was billed than they cost',
  AnswersLost: 'Answers that never ended: a sweep returned what was reserved for them',
  EventsLate: 'Teams with events, and webhooks with deliveries, that should have left half an hour before',
  SweepsDone: 'Sweeps that came to their end',
  RunsActive: 'Runs that a sweep found active',
  RunsStuck: 'Active runs without a sign of life for an hour, or that a sweep could not look after',
  RunsSwept: 'Runs that a sweep handed over to be settled, because their execution was gone',
  HoldsWithoutRun: 'Credits held for a run that is not active',
  ProbesDone: 'Probes of the main job, by their outcome',
  ProbeSeconds: 'How long a step of a probe took',
  DeploymentSweeps: 'Sweeps of deployed models that came to their end, where they answer on AWS',
  DeploymentsOverdue:
    'Looks at endpoints of trained models to which no copy came, or that keep an instance, for longer than that takes',
  TelemetryLost: 'Spans and points that the receiver of OpenTelemetry did not take',
  ExportsBuilt: 'Export files that were asked for and built',
  ExportsFailed: 'Export files that could not be built',
  ExportSeconds: 'How long the building of an export file took',
};
