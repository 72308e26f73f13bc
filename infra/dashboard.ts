import { Duration } from 'aws-cdk-lib';
import { Dashboard, GraphWidget, type IMetric, type IWidget, TextWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { MODEL_ROLES } from '#shared/platform/schema/model-role.ts';
import { OPTIONAL_PARTS } from '#shared/platform/schema/optional-part.ts';
import { RowCounts } from '#shared/runs/schema/row-counts.ts';
import { backgroundFunctions } from '#shared/service/pipelines/background.ts';
import { pipelines } from '#shared/service/pipelines/index.ts';
import { childPipelines, runPipelineIds, type Watched } from './alarms.ts';
import { type StageMetrics, sumOf } from './metrics.ts';
import { taskFunctionId } from './names.ts';
import { permissionsOf } from './permissions.ts';

const COLUMNS = 24;

const ANSWERS = ['completed', 'incomplete', 'refused', 'abandoned'] as const;

const EXPORT_FORMATS = ['csv', 'json', 'jsonl', 'parquet'] as const;

/** Workers that wait for models: their processor time does not show their speed. */
const workers = pipelines.flatMap((pipeline) =>
  pipeline.workers
    .map((name) => ({ name, functionId: taskFunctionId(pipeline.id, name) }))
    .filter(({ functionId }) => permissionsOf(functionId).models !== undefined),
);
const outcomes = Object.keys(RowCounts.shape).filter((name) => name !== 'total');

type Graph = readonly [title: string, left: readonly IMetric[], right?: readonly IMetric[]];

const labelled = (label: string, metric: IMetric): IMetric => {
  const named = metric as IMetric & { with?: (props: { label: string }) => IMetric };
  return named.with?.({ label }) ?? metric;
};

function section(title: string, graphs: readonly Graph[]): IWidget[][] {
  const width = COLUMNS / graphs.length;
  return [
    [new TextWidget({ markdown: `### ${title}`, width: COLUMNS, height: 1 })],
    graphs.map(
      ([name, left, right = []]) =>
        new GraphWidget({ title: name, left: [...left], right: [...right], width, height: 5 }),
    ),
  ];
}

/** One screen of sections, from the API inwards. */
export function addDashboard(
  scope: Construct,
  dashboardName: string,
  metrics: StageMetrics,
  watched: Watched,
): Dashboard {
  return new Dashboard(scope, 'Dashboard', {
    dashboardName,
    defaultInterval: Duration.hours(6),
    widgets: [
      ...section('API', apiGraphs(metrics)),
      ...section('Runs', runGraphs(metrics)),
      ...section('Model', modelGraphs(metrics)),
      ...section('Answers', answerGraphs(metrics)),
      ...section('Queues and dead letters', queueGraphs(metrics, watched)),
      ...section('Ledger, table and bucket', dataGraphs(metrics, watched)),
    ],
  });
}

function apiGraphs(metrics: StageMetrics): Graph[] {
  return [
    ['Requests', [metrics.api('Count')], [metrics.api('4XXError'), metrics.api('5XXError')]],
    ['Latency, ms', [metrics.api('Latency', 'p50'), metrics.api('Latency', 'p99')]],
    [
      'Throttled',
      [labelled('API', metrics.apiThrottles()), labelled('functions', metrics.allLambda('Throttles'))],
      [labelled('functions at once', metrics.allLambda('ConcurrentExecutions', 'Maximum'))],
    ],
    [
      'Exports',
      EXPORT_FORMATS.map((format) => labelled(`${format} built`, metrics.own('ExportsBuilt', { format }))),
      [
        ...EXPORT_FORMATS.map((format) =>
          labelled(`${format} failed`, metrics.own('ExportsFailed', { format })),
        ),
        labelled('csv, s', metrics.own('ExportSeconds', { format: 'csv' }, 'p90')),
      ],
    ],
  ];
}

function runGraphs(metrics: StageMetrics): Graph[] {
  return [
    [
      'Started and ended',
      [
        ...perPipeline((pipeline) => metrics.own('RunsStarted', { pipeline })),
        ...perPipeline((pipeline) => metrics.own('RunsSucceeded', { pipeline })).map((metric) =>
          labelled('succeeded', metric),
        ),
      ],
      [
        labelled('failed (service)', metrics.own('RunsFailed', { cause: 'service' })),
        labelled('failed (caller)', metrics.own('RunsFailed', { cause: 'caller' })),
        labelled(
          'failed children',
          sumOf(
            'failed children',
            childPipelines.map((id) => metrics.machine(id, 'ExecutionsFailed')),
          ),
        ),
      ],
    ],
    [
      'Active, stuck, swept',
      [metrics.own('RunsActive', {}, 'Maximum')],
      [metrics.own('RunsStuck', {}, 'Maximum'), metrics.own('RunsSwept')],
    ],
    [
      'Duration of runs, s',
      perPipeline((pipeline) => metrics.own('RunSeconds', { pipeline }, 'p50')),
      perPipeline((pipeline) => metrics.own('RunSeconds', { pipeline }, 'Maximum')),
    ],
    ['Rows by outcome', outcomes.map((outcome) => labelled(outcome, metrics.own('Rows', { outcome })))],
    [
      'Workers',
      workers.map(({ name }) =>
        labelled(`${name}, rows/s`, metrics.own('WorkerRowsPerSecond', { worker: name }, 'Average')),
      ),
      workers.map(({ name, functionId }) =>
        labelled(`${name}, at once`, metrics.lambda(functionId, 'ConcurrentExecutions', 'Maximum')),
      ),
    ],
    ['Failed tasks', [metrics.own('TasksFailed')]],
    [
      'Errors of functions',
      [...workers.map(({ functionId }) => functionId), ...backgroundFunctions.map(({ id }) => id)].map((id) =>
        labelled(id, metrics.lambda(id, 'Errors')),
      ),
    ],
  ];
}

function modelGraphs(metrics: StageMetrics): Graph[] {
  return [
    ['Calls', perRole((role) => metrics.own('ModelCalls', { role }))],
    [
      'Refused and failed calls',
      [metrics.own('ModelThrottles'), metrics.own('ModelQuotaRefusals'), metrics.own('ModelErrors')],
      [metrics.own('CircuitsOpened')],
    ],
    [
      'Left out of requests',
      OPTIONAL_PARTS.map((part) => labelled(part, metrics.own('ModelPartsLeftOut', { part }))),
    ],
    [
      'Latency p50 and p95, ms',
      [
        ...perRole((role) => metrics.own('ModelMilliseconds', { role }, 'p50')),
        ...perRole((role) => metrics.own('ModelMilliseconds', { role }, 'p95')),
      ],
    ],
    [
      'Tokens in and out',
      perAnsweringRole((role) => metrics.own('ModelInputTokens', { role })),
      perAnsweringRole((role) => metrics.own('ModelOutputTokens', { role })),
    ],
  ];
}

function answerGraphs(metrics: StageMetrics): Graph[] {
  return [
    [
      'Answers by their end',
      ANSWERS.map((outcome) => labelled(outcome, metrics.own('AnswersEnded', { outcome }))),
    ],
    [
      'Failed, lost and unbilled',
      [
        labelled('failed', metrics.own('AnswersEnded', { outcome: 'failed' })),
        labelled('lost', metrics.own('AnswersLost')),
        labelled('unbilled', metrics.own('AnswersUnbilled')),
      ],
    ],
  ];
}

function queueGraphs(metrics: StageMetrics, { deadLetters, unreadableJobs }: Watched): Graph[] {
  return [
    [
      'Dead letters',
      [
        labelled('dead letters', metrics.queue(deadLetters, 'ApproximateNumberOfMessagesVisible')),
        labelled('unreadable jobs', metrics.queue(unreadableJobs, 'ApproximateNumberOfMessagesVisible')),
      ],
      [metrics.queue(deadLetters, 'ApproximateAgeOfOldestMessage')],
    ],
    [
      'Age of events, ms',
      backgroundFunctions.map(({ id }) => labelled(id, metrics.lambda(id, 'AsyncEventAge', 'Maximum'))),
    ],
    [
      'Executions',
      perPipeline(
        (id) => metrics.machine(id, 'ExecutionsStarted'),
        pipelines.map(({ id }) => id),
      ),
      perPipeline(
        (id) => metrics.machine(id, 'ExecutionThrottled'),
        pipelines.map(({ id }) => id),
      ),
    ],
  ];
}

function dataGraphs(metrics: StageMetrics, { detailedMetrics }: Watched): Graph[] {
  return [
    [
      'Credits',
      [metrics.own('CreditsReserved'), metrics.own('CreditsSettled'), metrics.own('CreditsReturned')],
    ],
    ['Holds without a run', [metrics.own('HoldsWithoutRun', {}, 'Maximum')], [metrics.own('SweepsDone')]],
    [
      'Table',
      [metrics.table('ConsumedReadCapacityUnits'), metrics.table('ConsumedWriteCapacityUnits')],
      [
        sumOf('throttled', [
          ...metrics.tableThrottles('ReadThrottleEvents'),
          ...metrics.tableThrottles('WriteThrottleEvents'),
        ]),
      ],
    ],
    ...(detailedMetrics
      ? [
          [
            'Bucket',
            [metrics.bucket('AllRequests')],
            [metrics.bucket('4xxErrors'), metrics.bucket('5xxErrors')],
          ] as const,
        ]
      : []),
  ];
}

function perPipeline(read: (id: string) => IMetric, ids: readonly string[] = runPipelineIds): IMetric[] {
  return ids.map((id) => labelled(id, read(id)));
}

type Role = (typeof MODEL_ROLES)[number];

function perRole(read: (role: Role) => IMetric): IMetric[] {
  return MODEL_ROLES.map((role) => labelled(role, read(role)));
}

/** Endpoints do not report the usage of embeddings. */
function perAnsweringRole(read: (role: Role) => IMetric): IMetric[] {
  return MODEL_ROLES.filter((role) => role !== 'embed').map((role) => labelled(role, read(role)));
}
