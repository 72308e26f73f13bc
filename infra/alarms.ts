import { Duration } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { endInterruptedRun } from '#shared/lifecycle/background.ts';
import { pipelines } from '#shared/service/pipelines/index.ts';
import { forwardTelemetry } from '#shared/telemetry/background.ts';
import { combine, type StageMetrics, sumOf } from './metrics.ts';

/** The definition of an alarm; it fires at `threshold` and above, in `periods` consecutive steps of its metric, mostly five minutes. */
export interface AlarmContract {
  /** Also names its section in docs/operations/repair.md. */
  readonly id: string;
  readonly says: string;
  readonly metric: IMetric;
  readonly threshold: number;
  readonly periods?: number;
  /** Fires below the threshold, and without data: for events that must happen. */
  readonly isAlive?: true;
}

const DAY_SECONDS = 86_400;

/** Machines whose executions are runs: the runs' own metrics cover their failures. */
const runPipelines: readonly string[] =
  endInterruptedRun.trigger.kind === 'ended-executions' ? endInterruptedRun.trigger.pipelines : [];

export const childPipelines: readonly string[] = pipelines
  .map(({ id }) => id)
  .filter((id) => !runPipelines.includes(id));

export const runPipelineIds = runPipelines;

/** Names of the dead-letter queues. */
export interface WatchedQueues {
  readonly deadLetters: string;
  readonly unreadableJobs: string;
}

/** The monitored resources of a stage. */
export interface Watched extends WatchedQueues {
  /** Whether the bucket's request metrics are enabled. */
  readonly detailedMetrics: boolean;
  /** Functions that the operator bounds, and whose work waits at the bound, as it should. */
  readonly bounded: readonly string[];
  /** Whether a probe does the main job once an hour. */
  readonly hasProbe: boolean;
  /** Whether trained models answer on AWS, which a sweep ends. */
  readonly deploysModels: boolean;
  /** Whether telemetry leaves by OpenTelemetry. */
  readonly sendsTelemetry: boolean;
}

/** Without those of functions whose work waits at their own bound. */
const throttlesBut = (metrics: StageMetrics, functionIds: readonly string[]): IMetric =>
  combine(
    'throttles',
    [metrics.allLambda('Throttles'), ...functionIds.map((id) => metrics.lambda(id, 'Throttles'))],
    (ids) => ids.map((id) => `FILL(${id}, 0)`).join(' - '),
  );

/** Alarms of runs, and of the sweeper that looks after them. */
function runAlarms(metrics: StageMetrics): AlarmContract[] {
  return [
    {
      id: 'runs-failed',
      says: 'A run failed for a reason that is not its caller’s.',
      metric: metrics.own('RunsFailed', { cause: 'service' }),
      threshold: 1,
    },
    {
      id: 'runs-stuck',
      says: 'An active run has made no progress for an hour, or the sweeper cannot look after it.',
      metric: metrics.own('RunsStuck', {}, 'Maximum'),
      threshold: 1,
      periods: 2,
    },
    {
      id: 'executions-failed',
      says: 'A state machine that runs start (the map of rows, the evaluation) failed.',
      metric: sumOf(
        'failed executions',
        childPipelines.flatMap((id) => [
          metrics.machine(id, 'ExecutionsFailed'),
          metrics.machine(id, 'ExecutionsTimedOut'),
        ]),
      ),
      threshold: 1,
    },
    {
      id: 'holds-without-run',
      says: 'Credits are held for a run that is not active.',
      metric: metrics.own('HoldsWithoutRun', {}, 'Maximum'),
      threshold: 1,
    },
    {
      id: 'sweeper-silent',
      says: 'The sweeper, which looks for lost runs every five minutes, has not come to its end for 15.',
      metric: metrics.own('SweepsDone'),
      threshold: 1,
      periods: 3,
      isAlive: true,
    },
  ];
}

/** Alarms of what waits: events, dead letters and jobs of trainings. */
function queueAlarms(metrics: StageMetrics, { deadLetters, unreadableJobs }: WatchedQueues): AlarmContract[] {
  return [
    {
      id: 'events-late',
      says: 'Events or deliveries of webhooks should have left half an hour before.',
      metric: metrics.own('EventsLate', {}, 'Maximum'),
      threshold: 1,
      periods: 2,
    },
    {
      id: 'dead-letters',
      says: 'An event failed for good.',
      metric: metrics.queue(deadLetters, 'ApproximateNumberOfMessagesVisible'),
      threshold: 1,
    },
    {
      id: 'jobs-unreadable',
      says: 'A job of a training could not be read by its trainer.',
      metric: metrics.queue(unreadableJobs, 'ApproximateNumberOfMessagesVisible'),
      threshold: 1,
    },
    {
      id: 'queue-age',
      says: 'A dead letter is a week old; after two it is deleted.',
      metric: metrics.queue(deadLetters, 'ApproximateAgeOfOldestMessage'),
      threshold: 7 * DAY_SECONDS,
    },
  ];
}

/** Alarms of the API, and of the services of AWS that hold it back. */
function requestAlarms(
  metrics: StageMetrics,
  { detailedMetrics, bounded, deploysModels, sendsTelemetry, hasProbe }: Watched,
): AlarmContract[] {
  return [
    {
      id: 'api-errors',
      says: 'The API answered 5xx five times in five minutes.',
      metric: metrics.api('5XXError'),
      threshold: 5,
    },
    {
      id: 'api-throttled',
      says: 'The API as a whole refused requests because there were too many.',
      metric: metrics.apiThrottles(),
      threshold: 10,
    },
    {
      id: 'functions-failed',
      says: 'Tasks failed three times in five minutes for a reason that is not a caller’s.',
      metric: metrics.own('TasksFailed'),
      threshold: 3,
    },
    {
      id: 'functions-throttled',
      says: 'Lambda refused to start functions: the account’s concurrency is used up.',
      metric: bounded.length > 0 ? throttlesBut(metrics, bounded) : metrics.allLambda('Throttles'),
      threshold: 1,
      periods: 2,
    },
    {
      id: 'machines-throttled',
      says: 'Step Functions holds state transitions of the account back.',
      metric: metrics.allMachines('ThrottledEvents'),
      threshold: 1,
      periods: 3,
    },
    {
      id: 'table-throttled',
      says: 'The table or one of its indexes refused requests.',
      metric: sumOf('throttled requests', [
        ...metrics.tableThrottles('ReadThrottleEvents'),
        ...metrics.tableThrottles('WriteThrottleEvents'),
      ]),
      threshold: 10,
    },
    ...(hasProbe
      ? [
          {
            id: 'probe-failed',
            says: 'The probe has not done the main job for two hours.',
            metric: metrics.own('ProbesDone', { outcome: 'succeeded' }).with({ period: Duration.hours(1) }),
            threshold: 1,
            periods: 2,
            isAlive: true as const,
          },
        ]
      : []),
    ...(deploysModels
      ? [
          {
            id: 'deployments-unswept',
            says: 'The sweep that ends instances of trained models, each minute, has not come to its end for 15.',
            metric: metrics.own('DeploymentSweeps'),
            threshold: 1,
            periods: 3,
            isAlive: true as const,
          },
          {
            id: 'deployments-overdue',
            says: 'An endpoint of a trained model has got no copy for as long as it was asked, or keeps an instance that nobody asks.',
            metric: metrics.own('DeploymentsOverdue'),
            threshold: 1,
          },
        ]
      : []),
    ...(sendsTelemetry
      ? [
          {
            id: 'telemetry-lost',
            says: 'For a quarter of an hour the receiver of telemetry has not taken all of it, or Lambda has dropped some that waited too long.',
            metric: sumOf('lost telemetry', [
              metrics.own('TelemetryLost'),
              metrics.lambda(forwardTelemetry.id, 'AsyncEventsDropped'),
            ]),
            threshold: 1,
            periods: 3,
          },
        ]
      : []),
    ...(detailedMetrics
      ? [
          {
            id: 'bucket-throttled',
            says: 'The data bucket answered 5xx, mostly 503 Slow Down.',
            metric: metrics.bucket('5xxErrors'),
            threshold: 10,
          },
        ]
      : []),
  ];
}

/** Alarms of answers, and of the models that give them. */
function answerAlarms(metrics: StageMetrics): AlarmContract[] {
  return [
    {
      id: 'answers-failed',
      says: 'Five answers failed in five minutes for a reason that is not their callers’.',
      metric: metrics.own('AnswersEnded', { outcome: 'failed' }),
      threshold: 5,
    },
    {
      id: 'answers-unbilled',
      says: 'An answer was broken off by the end of its function, or not billed whole.',
      metric: sumOf('unbilled answers', [metrics.own('AnswersUnbilled'), metrics.own('AnswersLost')]),
      threshold: 1,
    },
    {
      id: 'model-throttled',
      says: 'The model refused more than a third of the calls for a quarter of an hour.',
      metric: combine(
        'refused calls, %',
        [metrics.own('ModelThrottles'), metrics.own('ModelCalls')],
        // A worker that is refused every call makes five or more in five minutes: it pauses for a minute at most.
        ([throttles, calls]) => `IF(${calls} >= 5, 100 * FILL(${throttles}, 0) / ${calls}, 0)`,
      ),
      threshold: 33,
      periods: 3,
    },
    {
      id: 'model-quota-exhausted',
      says: 'The tokens of the day of a model, or the credits of its account, are used up.',
      metric: metrics.own('ModelQuotaRefusals'),
      threshold: 1,
    },
    {
      id: 'model-silent',
      says: 'The model answered nobody, and workers stopped calling it but for a probe.',
      metric: metrics.own('CircuitsOpened'),
      threshold: 1,
    },
  ];
}

/**
 * Every alarm of a stage. CloudWatch bills each metric of an alarm, so there are few, and none for a single function.
 */
export function alarmsOf(metrics: StageMetrics, watched: Watched): AlarmContract[] {
  return [
    ...runAlarms(metrics),
    ...queueAlarms(metrics, watched),
    ...requestAlarms(metrics, watched),
    ...answerAlarms(metrics),
  ];
}
