import { readdirSync } from 'node:fs';
import { CreateTrainingJobCommand, SageMakerClient } from '@aws-sdk/client-sagemaker';
import aslValidator from 'asl-validator';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, it } from 'vitest';
import { readDefinition } from '#infra/definitions.ts';
import { functionToken, queueToken, stateMachineToken } from '#infra/names.ts';
import { type ErrorCode, errorCatalog } from '#shared/platform/errors/catalog.ts';
import { readFailure } from '#shared/platform/errors/to-failure.ts';
import type { PipelineContract, TaskContract } from '#shared/platform/pipelines/pipeline.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { mapChunks } from '#shared/runs/pipelines.ts';
import { QueueAttemptInput } from '#shared/runs/schema/run-context.ts';
import { pipelines } from '#shared/service/pipelines/index.ts';
import { createTrainingJobLauncher } from '#shared/training/adapters/training-jobs.ts';
import {
  ATTEMPT_SECONDS_MAX,
  CLAIM_SECONDS,
  EXCUSED_SECONDS_MAX,
} from '#shared/training/decide/trainer-settings.ts';
import { followTrainingJob } from '#shared/training/follow-training-job.ts';
import { SEEDS_MAX } from '#shared/training/schema/comparison.ts';
import { CreateTrainingRequest } from '#shared/training/schema/training.ts';
import { TRAINING_HOURS_MAX } from '#shared/training/schema/training-job.ts';
import { aroundTrainingJob } from '#test/helpers/training-jobs.ts';
import {
  type Bindings,
  evaluate,
  evaluateAll,
  expressionsIn,
  type Level,
  levelsOf,
  reachableFrom,
  type State,
} from './definition.ts';

/** Failures that do not end the run, and why. */
const TOLERATED: Readonly<Record<string, string>> = {
  'ingest: Describe Dataset': 'a dataset without a description is whole otherwise',
  'train: Train': 'another attempt or iteration may still give a model, and what there is of models is kept',
  'adapt: Find Doubts': 'rows are adapted without doubts, and the report says that nobody looked at them',
  'adapt: Make Batched Calls': 'the calls that no job has answered are made singly',
  'adapt: End Batch Jobs': 'the end of the run cancels the jobs again',
  'adapt: Evaluate Result': 'the rows are adapted all the same, and the evaluation records its own failure',
  'adapt: Build Search Index': 'the run has ended, and a search builds the index that is missing',
  'expand: Make Rows': 'the assembly delivers the rows that are there, and fails if some are missing',
  'augment: Write Rows': 'the assembly delivers the rows that are there, and fails if some are missing',
  'invent: Make Candidates':
    'the next round takes the candidates that are there, and makes others while there is time',
  'invent: Translate Rows': 'the assembly delivers the rows that are there, and fails if some are missing',
  'map-chunks / Process Chunks: Work On Chunk': 'a chunk that found no place has lost nothing, and waits on',
};

/** Names of failures of the infrastructure after which the same call can succeed. */
const TRANSIENT = [
  'Lambda.ClientExecutionTimeoutException',
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Lambda.TooManyRequestsException',
  'Lambda.ENINotReadyException',
  'Lambda.ResourceConflictException',
  'Lambda.ResourceNotReadyException',
  'StepFunctions.ExecutionLimitExceeded',
  'StepFunctions.ExecutionLimitExceededException',
  'StepFunctions.AWSStepFunctionsException',
  'StepFunctions.SdkClientException',
  'SQS.SdkClientException',
  'SQS.AmazonSQSException',
  'States.ItemReaderFailed',
  // What emulators say of a process that was killed, and of every other failure of a function.
  'Runtime.HandlerError',
];

/**
 * What Step Functions calls the end of a function that did not end by itself: the `errorType` of Lambda's answer, or
 * `Lambda.Unknown` where there is none.
 */
const KILLED = ['Sandbox.Timedout', 'Runtime.OutOfMemory', 'Runtime.ExitError', 'Lambda.Unknown'];

/** What Lambda answers while all places of the account, or those of the function, are taken. */
const THROTTLED = 'Lambda.TooManyRequestsException';

/** Workers report failed rows as data and throw only what a retry can mend; others stop at a permanent error. */
const RETRIES_EVERYTHING = 'map-chunks / Process Chunks: Work On Chunk';

const SETS_OFF = /:startExecution$/;

const levels: Level[] = pipelines.flatMap(({ id }) => levelsOf(id));
const states: [string, { level: Level; name: string; state: State }][] = levels.flatMap((level) =>
  Object.entries(level.machine.States).map(([name, state]) => [
    `${level.name}: ${name}`,
    { level, name, state },
  ]),
);
const stateNamed = (id: string): State | undefined => states.find(([name]) => name === id)?.[1].state;
const tasks = states.filter(([, { state }]) => state.Type === 'Task');

const allTasks = new Map<string, TaskContract>(
  pipelines.flatMap((pipeline) =>
    Object.entries(pipeline.tasks).map(([name, task]) => [`\${${functionToken(name)}}`, task] as const),
  ),
);

const run = { run_id: 'run-1', dataset_id: 'dataset-1', team_id: 'team-1' };
const failure = { code: 'model_unavailable', message: 'The model does not answer.', level: 'error' };
const lambdaCause = JSON.stringify({
  errorType: 'file_unreadable',
  errorMessage: 'Row 3 has an "odd" quote.\nMend it.',
  trace: ['at x'],
});

function bindingsOf(level: Level, overrides: Partial<Bindings['states']> = {}): Bindings {
  return {
    variables: level.isMapChild
      ? { worker_arn: 'arn:worker', chunk: { ...run, n: 0 }, status: 'unfinished', invocations: 1 }
      : {
          ...run,
          round: 2,
          step: 1,
          iteration: 1,
          attempt: 2,
          goes_on: true,
          is_augmented: true,
          waits: 3,
          wait_seconds: 160,
          downloads: 2,
          comparison: {
            plan_key: 'trainings/run-1/plan.jsonl',
            max_concurrency: 3,
            results_prefix: 'runs/run-1/map',
          },
          plan: {
            wait_seconds: 10,
            plan_key: 'runs/run-1/plan.jsonl',
            chunk_count: 2,
            max_concurrency: 3,
            signature_plan_key: 'runs/run-1/s.jsonl',
            results_prefix: 'runs/run-1/map',
            adds_languages: true,
            is_batched: true,
            rows_of: 'run-0',
            row_count: 9,
            next: 0,
            batch: {
              origin: { provider: 'object', url: 'https://store.example/a.csv' },
              first: 0,
              files: [],
            },
          },
          batch: { status: 'collect', pass: 2, wait_seconds: 5 },
          collected: 1,
          expansion: { plan_key: 'runs/run-1/expansion/plan.jsonl', chunk_count: 1, max_concurrency: 3 },
          search: { plan_key: 'runs/run-1/plan.jsonl', chunk_count: 1, max_concurrency: 1 },
          writing: { plan_key: 'runs/run-1/writing/plan.jsonl', chunk_count: 1, max_concurrency: 1 },
          download: { status: 'unfinished', progress: null, wait_seconds: 5 },
          status: 'unfinished',
          invocations: 1,
          failure: null,
        },
    states: {
      input: level.isMapChild
        ? { worker_arn: 'arn:worker', chunk: { ...run, n: 0 } }
        : {
            ...run,
            status: 'waiting',
            wait_seconds: 3,
            plan_key: 'runs/run-1/plan.jsonl',
            max_concurrency: 3,
          },
      result: {
        Payload: {
          status: 'finished',
          plan_key: 'k',
          chunk_count: 1,
          max_concurrency: 1,
          search: { plan_key: 'k' },
          writing: { plan_key: 'k' },
          iteration: 1,
          goes_on: true,
          is_done: true,
        },
      },
      context: { Task: { Token: 'token' } },
      errorOutput: { Error: 'file_unreadable', Cause: lambdaCause },
      ...overrides,
    },
  };
}

const contractOf = (id: string): PipelineContract => {
  const contract = pipelines.find((pipeline) => pipeline.id === id);
  if (contract === undefined) throw new Error(`no pipeline ${id}`);
  return contract;
};

/** Milliseconds until which an event of a training job excuses silence. */
async function excusedUntil(status: string, now: number): Promise<number> {
  const around = await aroundTrainingJob({ experiment_id: 'e', iteration: 1, attempt: 1 }, 'queued');
  await followTrainingJob(
    around,
    {
      TrainingJobName: 'job',
      TrainingJobStatus: 'InProgress',
      SecondaryStatus: status,
      HyperParameters: { job_key: JSON.stringify(around.message.job_key) },
    },
    now,
  );
  return Date.parse(around.attempt()?.waits_until ?? '');
}

/** Seconds after which SageMaker ends a spot job that may run for `hoursMax`. */
async function longestJobSeconds(hoursMax: number): Promise<number> {
  const sagemaker = mockClient(SageMakerClient);
  sagemaker.on(CreateTrainingJobCommand).resolves({});
  const settings = {
    image: 'i',
    roleArn: 'r',
    sourceUrl: 's',
    instanceType: 'ml.g5.2xlarge',
    volumeGb: 1,
    network: null,
  };
  const launcher = createTrainingJobLauncher('dev', { ...settings, hoursMax, spot: true, tags: {} });
  const message = { bucket: 'b', job_key: 'k', lender: 'l', secret: 's' };
  await launcher.launch({ experiment_id: 'e', iteration: 1, attempt: 1 }, message);
  const [call] = sagemaker.commandCalls(CreateTrainingJobCommand);
  sagemaker.restore();
  return call?.args[0].input.StoppingCondition?.MaxWaitTimeInSeconds ?? Number.NaN;
}

it('the files are those of the pipelines, and the policies that they name', () => {
  const files = readdirSync(new URL('../../statemachines', import.meta.url)).sort();

  expect(files).toEqual([...pipelines.map(({ id }) => `${id}.asl.yaml`), 'policies.yaml'].sort());
});

it.each(pipelines.map(({ id }) => id))('%s names each of its tasks and children, and nothing else', (id) => {
  const contract = contractOf(id);
  const text = JSON.stringify(levelsOf(id)[0]?.machine);
  const tokens = new Set([...text.matchAll(/\$\{(\w+)\}/g)].map(([, token]) => String(token)));
  for (const common of ['BucketName', 'Partition']) tokens.delete(common);

  expect([...tokens].sort()).toEqual(
    [
      ...Object.keys(contract.tasks).map(functionToken),
      ...[...contract.children, ...(contract.setsOff ?? [])].map(stateMachineToken),
      ...(contract.sends ?? []).map(queueToken),
    ].sort(),
  );
});

it.each(pipelines.map(({ id }) => id))('%s has a handler for each of its tasks, and no other', (id) => {
  const folder = new URL(`../../functions/tasks/${id}`, import.meta.url);
  const names = Object.keys(contractOf(id).tasks).map((task) => `${task}.ts`);

  const files = names.length === 0 ? [] : readdirSync(folder);
  expect(files.sort()).toEqual(names.sort());
});

it('workers that ask no model are as many as the setting allows, however many a machine would start', () => {
  const bounds = (workersMax?: number): unknown[] =>
    (
      [
        ['adapt', 'Sign Chunks'],
        ['augment', 'Search Pool'],
      ] as const
    ).map(([id, state]) => {
      const { States } = readDefinition(id, workersMax) as {
        States: Record<string, { Arguments?: { Input: { max_concurrency: unknown } } }>;
      };
      return States[state]?.Arguments?.Input.max_concurrency;
    });

  expect(bounds(4)).toEqual(['{% $min([32, 4]) %}', '{% $min([$search.max_concurrency, 4]) %}']);
  expect(bounds()[0]).toBe('{% $min([32, 100]) %}');
});

it.each(pipelines.map(({ id }) => id))('%s is valid Amazon States Language', (id) => {
  const text = JSON.stringify(levelsOf(id)[0]?.machine).replaceAll('${Partition}', 'aws');
  const { isValid, errorsText } = aslValidator(JSON.parse(text));

  expect(isValid, errorsText('\n')).toBe(true);
});

it.each(pipelines.map((contract) => [contract.id, contract] as const))(
  '%s ends at the time of its contract',
  (id, contract) => {
    expect(levelsOf(id)[0]?.machine.TimeoutSeconds).toBe(contract.timeoutSeconds);
  },
);

it('the files of runs that make rows have time to deliver them after all of their maps', () => {
  for (const id of ['expand', 'augment', 'invent']) {
    const [level] = levelsOf(id);
    const maps = Object.values(level?.machine.States ?? {}).filter(({ Resource }) =>
      Resource?.endsWith(':startExecution.sync:2'),
    );
    const longest = maps.reduce((sum, { TimeoutSeconds = Number.NaN }) => sum + TimeoutSeconds, 0);

    expect(maps).not.toEqual([]);
    expect(level?.machine.TimeoutSeconds, id).toBeGreaterThan(longest);
  }
});

it('the files train waits for added rows for longer than their run may take, and has time for all that follows', () => {
  const { Assign = {} } = stateNamed('train: Wait For Augmentation') ?? {};
  const [, most] = /\$min\(\[2 \* \$wait_seconds, (\d+)\]\)/.exec(String(Assign.wait_seconds)) ?? [];
  const choices = JSON.stringify(stateNamed('train: Is It Augmented?')?.Choices);
  const [, waits] = /\$waits < (\d+)/.exec(choices) ?? [];
  const start = Number(stateNamed('train: Read Input')?.Assign?.wait_seconds);
  let seconds = 0;
  for (let n = 0; n < Number(waits); n += 1) seconds += Math.min(start * 2 ** n, Number(most));
  const attempts = 10 * Number(stateNamed('train: Train')?.TimeoutSeconds);

  expect(seconds).toBeGreaterThan(Number(levelsOf('augment')[0]?.machine.TimeoutSeconds));
  expect(levelsOf('train')[0]?.machine.TimeoutSeconds).toBeGreaterThan(seconds + attempts);
});

it('the files train has time for an attempt at each iteration that can be asked for', () => {
  const ofTraining = CreateTrainingRequest.shape.max_iterations.unwrap().maxValue ?? Number.NaN;
  const iterations = Math.max(2 * SEEDS_MAX, ofTraining);
  const attempt = Number(stateNamed('train: Train')?.TimeoutSeconds);
  expect(levelsOf('train')[0]?.machine.TimeoutSeconds).toBeGreaterThan(iterations * attempt);
});

it('the files train awaits a heartbeat for longer than SageMaker’s events excuse silence after a wait for quota', async () => {
  // Each event comes as the excuse of the one before ends: for a machine, for its image, for the trainer in it.
  let now = CLAIM_SECONDS * 1000;
  for (const status of ['Starting', 'Downloading', 'Training']) now = await excusedUntil(status, now);

  expect(stateNamed('train: Train')?.HeartbeatSeconds).toBeGreaterThanOrEqual(now / 1000);
  expect(stateNamed('train: Train')?.HeartbeatSeconds).toBe(EXCUSED_SECONDS_MAX);
});

it('the files train awaits an attempt for longer than it may wait for quota and SageMaker may take', async () => {
  const sageMakerSeconds = await longestJobSeconds(TRAINING_HOURS_MAX);

  expect(stateNamed('train: Train')?.TimeoutSeconds).toBeGreaterThan(CLAIM_SECONDS + sageMakerSeconds);
  expect(stateNamed('train: Train')?.TimeoutSeconds).toBe(ATTEMPT_SECONDS_MAX);
});

it.each(levels.map((level) => [level.name, level] as const))(
  'every state of %s can be reached, and they are few',
  (_, level) => {
    const names = Object.keys(level.machine.States);

    expect([...reachableFrom(level.machine, level.machine.StartAt)].sort()).toEqual([...names].sort());
    expect(names.length).toBeLessThanOrEqual(22);
  },
);

it.each(states)('%s is named as what it does', (_, { name, state }) => {
  expect(name).toMatch(/^[A-Z][a-z]*( [A-Z][a-z]*)*\??$/);
  expect(name.endsWith('?')).toBe(state.Type === 'Choice');
});

it.each(states.filter(([, { state }]) => state.Type === 'Fail'))(
  '%s says what failed and why',
  (_, { state }) => {
    expect(state.Error ?? state.ErrorPath).toBeDefined();
    expect(state.Cause ?? state.CausePath).toBeDefined();
  },
);

/** What a task repeats: a retrier without attempts names an error that a later one would repeat. */
const retriersOf = ({ Retry = [] }: State): Retrier[] =>
  (Retry as unknown as Retrier[]).filter(({ MaxAttempts }) => MaxAttempts !== 0);

interface Retrier {
  readonly ErrorEquals: readonly string[];
  readonly IntervalSeconds: number;
  readonly BackoffRate: number;
  readonly MaxAttempts: number;
  readonly MaxDelaySeconds: number;
}

/** Seconds before each repetition, at the most. */
const delaysOf = (retrier: Retrier): number[] =>
  Array.from({ length: retrier.MaxAttempts }, (_, n) =>
    Math.min(retrier.MaxDelaySeconds, retrier.IntervalSeconds * retrier.BackoffRate ** n),
  );

describe('every task', () => {
  // Doubts are worth no second embedding of all rows: the run goes on without them.
  const NOT_REPEATED = ['adapt: Find Doubts'];
  const invoking = tasks.filter(
    ([id, { state }]) => 'FunctionName' in (state.Arguments ?? {}) && !NOT_REPEATED.includes(id),
  );

  it.each(invoking)(
    '%s repeats a function that was killed, ran out of memory or out of time',
    (_, { state }) => {
      const retried = retriersOf(state).flatMap(({ ErrorEquals }) => ErrorEquals);

      if (!retried.includes('States.TaskFailed')) expect(retried).toEqual(expect.arrayContaining(KILLED));
    },
  );

  it('every task repeats what ran out of time, but the one whose time a file of the caller decides', () => {
    const once = tasks.filter(([, { state }]) => {
      const first = state.Retry?.find(({ ErrorEquals }) =>
        (ErrorEquals as string[]).includes('Sandbox.Timedout'),
      );
      return first?.MaxAttempts === 0;
    });

    expect(once.map(([id]) => id)).toEqual(['ingest: Convert File']);
  });

  it.each(tasks)('%s retries transient failures only, ever more slowly and at random', (id, { state }) => {
    const retriers = retriersOf(state);

    expect(retriers.length).toBeGreaterThan(0);
    for (const retrier of retriers) {
      expect(retrier).toMatchObject({
        IntervalSeconds: expect.any(Number),
        MaxAttempts: expect.any(Number),
        MaxDelaySeconds: expect.any(Number),
        BackoffRate: 2,
        JitterStrategy: 'FULL',
      });
      if (id === RETRIES_EVERYTHING) continue;
      for (const name of retrier.ErrorEquals) {
        const isRetryable = name in errorCatalog && errorCatalog[name as ErrorCode].retryable;
        expect(isRetryable || [...TRANSIENT, ...KILLED].includes(name), name).toBe(true);
      }
    }
  });

  it.each(invoking)(
    '%s waits for a place as every other does, and as long as a worker may hold it',
    (_, { state }) => {
      const retriers = retriersOf(state);
      const places = retriers.filter(({ ErrorEquals }) => ErrorEquals.includes(THROTTLED));
      const longest = Math.max(...[...allTasks.values()].map(({ timeoutSeconds }) => timeoutSeconds));

      // Before the others, which may match it too.
      expect(places).toEqual(retriers.slice(0, 1));
      expect(places).toEqual(retriersOf(invoking[0]?.[1].state as State).slice(0, 1));
      expect(places[0]?.ErrorEquals).toEqual([THROTTLED]);
      // Full jitter waits half of each delay on average: twice the longest invocation leaves room for bad luck.
      expect(delaysOf(places[0] as Retrier).reduce((sum, delay) => sum + delay, 0) / 2).toBeGreaterThan(
        2 * longest,
      );
    },
  );

  it.each(tasks.filter(([, { level }]) => !level.isMapChild))('%s catches what is left', (_, { state }) => {
    expect(state.Catch?.at(-1)?.ErrorEquals).toEqual(['States.ALL']);
  });

  it.each(tasks)('%s waits as long as what it calls may run', (id, { state }) => {
    const {
      FunctionName: called,
      StateMachineArn: child,
      QueueUrl: queue,
    } = state.Arguments as Record<string, string>;
    // Who sends a message waits for whatever is to come of it.
    if (queue !== undefined) return expect(state.Resource).toMatch(/waitForTaskToken$/);
    // Who sets a machine off does not wait for it.
    if (SETS_OFF.test(state.Resource ?? '')) return;
    const own = called === undefined ? undefined : allTasks.get(called);
    const machine = pipelines.find((pipeline) => child === `\${${stateMachineToken(pipeline.id)}}`);
    const workers = pipelines.flatMap((pipeline) => pipeline.workers.map((task) => pipeline.tasks[task]));
    const limit =
      id === RETRIES_EVERYTHING
        ? Math.max(...workers.map((worker) => worker?.timeoutSeconds ?? Number.NaN))
        : (own?.timeoutSeconds ?? Math.min(machine?.timeoutSeconds ?? Number.NaN, pipelineTimeout(id)));

    expect(limit).toBeGreaterThan(0);
    expect(state.TimeoutSeconds).toBeGreaterThanOrEqual(limit);
  });

  const caught = states.flatMap(([id, { level, state }]) =>
    (state.Catch ?? []).map((catcher) => [id, level, catcher.Next] as const),
  );

  it.each(caught.filter(([id]) => !(id in TOLERATED)))(
    '%s ends in a failure once it was caught',
    (_, level, next) => {
      const ends = [...reachableFrom(level.machine, next)].filter((name) =>
        ['Fail', 'Succeed'].includes(level.machine.States[name]?.Type ?? ''),
      );

      expect(ends.length).toBeGreaterThan(0);
      for (const end of ends) expect(level.machine.States[end]?.Type).toBe('Fail');
    },
  );

  it('every task tolerates a failure only where a reason is given', () => {
    const ids = new Set(caught.map(([id]) => id));

    for (const id of Object.keys(TOLERATED)) expect(ids).toContain(id);
  });
});

function pipelineTimeout(stateId: string): number {
  return contractOf(stateId.split(/[:/ ]/)[0] ?? '').timeoutSeconds;
}

describe('the expressions', () => {
  it.each(levels.map((level) => [level.name, level] as const))(
    'the expressions of %s read only what its first state has assigned',
    (_, level) => {
      const assigned = new Set(Object.keys(level.machine.States[level.machine.StartAt]?.Assign ?? {}));
      const read = Object.values(level.machine.States).flatMap((state) =>
        expressionsIn(state).flatMap(({ expression }) =>
          [...expression.matchAll(/\$([a-z]\w*)\b(?!\()/g)].map(([, name]) => String(name)),
        ),
      );

      expect(read.filter((name) => name !== 'states' && !assigned.has(name))).toEqual([]);
    },
  );

  it.each(levels.map((level) => [level.name, level] as const))(
    'the expressions of %s assign no variable that its first state does not name',
    (_, level) => {
      const first = level.machine.States[level.machine.StartAt];
      const assigned = Object.values(level.machine.States).flatMap((state) => [
        ...Object.keys(state.Assign ?? {}),
        ...(state.Catch ?? []).flatMap((catcher) => Object.keys(catcher.Assign ?? {})),
      ]);

      expect(assigned.filter((name) => !(name in (first?.Assign ?? {})))).toEqual([]);
    },
  );

  it.each(states)('the expressions %s all have a value', async (_, { level, state }) => {
    for (const { at, expression } of expressionsIn(state)) {
      const bindings = bindingsOf(level);
      const failed = { ...bindings, variables: { ...bindings.variables, failure } };

      expect(await evaluate(expression, failed), `${at}: ${expression}`).toBeDefined();
    }
  });

  const assigning = states.flatMap(([id, { level, state }]) =>
    [state, ...(state.Choices ?? []), ...(state.Catch ?? [])].flatMap(({ Assign = {} }) =>
      Assign.failure === undefined || Assign.failure === null ? [] : [[id, level, Assign] as const],
    ),
  );
  const catchers = assigning.filter(([, , { failure }]) => expressionsIn(failure).length > 0);

  it('the expressions aside, a failure that a machine words itself reaches the caller as it says', () => {
    const worded = assigning.filter(([, , { failure }]) => expressionsIn(failure).length === 0);

    expect(worded.map(([id]) => id)).toEqual([
      'ingest: Convert File',
      'import: Are Files Downloaded?',
      'train: Is It Augmented?',
    ]);
    for (const [, , { failure }] of worded) {
      const { code, message, level } = failure as ErrorData;
      expect(readFailure({ code, message, level })).toEqual({
        code,
        message: message.slice(`${code}: `.length),
        level: 'error',
      });
    }
  });

  it.each(['Sandbox.Timedout', 'States.Timeout'])(
    'the expressions aside, a file that is not read in the time of its function (%s) fails as one that cannot be read',
    (error) => {
      const caught = (stateNamed('ingest: Convert File')?.Catch ?? []).find(({ ErrorEquals }) =>
        [error, 'States.ALL'].some((name) => (ErrorEquals as string[]).includes(name)),
      );

      expect(readFailure(caught?.Assign?.failure as ErrorData)).toMatchObject({
        code: 'file_unreadable',
        message: expect.stringMatching(/longer than 15 minutes\. Upload a part/),
      });
    },
  );

  it.each(catchers)(
    'the expressions %s keeps the code and the message of a task that failed',
    async (_, level, assign) => {
      expect(await evaluateAll(assign, bindingsOf(level))).toEqual({
        failure: {
          code: 'file_unreadable',
          message: 'Row 3 has an "odd" quote.\nMend it.',
          level: 'error',
        },
      });
    },
  );

  it.each(catchers)(
    'the expressions %s still names a failure without a cause, or with one that is no JSON',
    async (_, level, assign) => {
      for (const errorOutput of [
        { Error: 'States.Timeout' },
        { Error: 'States.Timeout', Cause: '' },
        { Error: 'States.Timeout', Cause: 'The state ran out of time.' },
      ]) {
        expect(await evaluateAll(assign, bindingsOf(level, { errorOutput }))).toEqual({
          failure: { code: 'States.Timeout', message: 'States.Timeout', level: 'error' },
        });
      }
    },
  );
});

describe('what the machines pass on', () => {
  const invoking = tasks.filter(([, { state }]) => allTasks.has(String(state.Arguments?.FunctionName)));

  it.each(invoking)('%s sends its task what the contract reads', async (_, { level, state }) => {
    const bindings = bindingsOf(level);
    const task = allTasks.get(String(state.Arguments?.FunctionName));

    for (const variables of [bindings.variables, { ...bindings.variables, failure }]) {
      const payload = await evaluateAll(state.Arguments?.Payload, { ...bindings, variables });
      expect(task?.input.safeParse(payload).error).toBeUndefined();
    }
  });

  it('a message to the queue of attempts is one that its consumer reads', async () => {
    const sending = tasks.filter(([, { state }]) => state.Arguments?.QueueUrl !== undefined);
    expect(sending.map(([id]) => id)).toEqual(['train: Train']);

    for (const [, { level, state }] of sending) {
      const body = await evaluateAll(state.Arguments?.MessageBody, bindingsOf(level));
      expect(QueueAttemptInput.safeParse(body).error).toBeUndefined();
    }
  });

  const starting = tasks.filter(([, { state }]) => state.Resource?.includes('startExecution'));

  it.each(starting)(
    '%s sends its child what the contract reads, under a name of the run',
    async (_, { level, state }) => {
      const { StateMachineArn: arn, Input: input, Name: name } = state.Arguments ?? {};
      const child = pipelines.find(({ id }) => arn === `\${${stateMachineToken(id)}}`);

      const waits = contractOf(level.name.split(' ')[0] ?? '').children.includes(child?.id ?? '');
      expect(state.Resource).toBe(
        `arn:\${Partition}:states:::states:startExecution${waits ? '.sync:2' : ''}`,
      );
      expect(child?.input.safeParse(await evaluateAll(input, bindingsOf(level))).error).toBeUndefined();
      expect(await evaluateAll(name, bindingsOf(level))).toMatch(/^run-1-[a-z]+(-\d+)?$/);
    },
  );

  it('each map names a worker that the map machine may invoke', () => {
    for (const [id, { state }] of starting) {
      const input = state.Arguments?.Input as Record<string, string> | undefined;
      const worker = input?.worker_arn;
      if (worker === undefined) continue;
      const contract = contractOf(id.split(':')[0] ?? '');
      expect(contract.workers.map((task) => `\${${functionToken(task)}}`)).toContain(worker);
    }
  });
});

describe('the search for duplicates', () => {
  const level = levelsOf('adapt')[0] as Level;
  const choice = level.machine.States['Are Duplicates Dropped?'];

  it.each([
    ['is left out where the plan has no signatures', null, 'Calibrate Judge'],
    ['comes before the rows are worked on', 'runs/run-1/s.jsonl', 'Sign Chunks'],
  ])('the search for duplicates: %s', async (_, signature_plan_key, next) => {
    const [taken] = choice?.Choices ?? [];
    const [found] = expressionsIn(taken?.Condition);
    const variables = { plan: { plan_key: 'p', signature_plan_key } };

    const holds = await evaluate(found?.expression ?? '', { ...bindingsOf(level), variables });

    expect(holds === true ? taken?.Next : choice?.Default).toBe(next);
    expect([...reachableFrom(level.machine, 'Sign Chunks')]).toContain('Find Duplicates');
    expect([...reachableFrom(level.machine, 'Find Duplicates')]).toContain('Adapt Chunks');
  });
});

describe('the merge of datasets', () => {
  const level = levelsOf('combine')[0] as Level;
  const choice = level.machine.States['Is A Source Left?'];

  it.each([
    ['unfinished', 9, 'Combine Rows'],
    ['unfinished', 10, 'Finish Combine'],
    ['finished', 1, 'Finish Combine'],
  ])('the merge of datasets goes from %s after %i invocations to %s', async (status, invocations, next) => {
    const [taken] = choice?.Choices ?? [];
    const [found] = expressionsIn(taken?.Condition);

    const holds = await evaluate(found?.expression ?? '', {
      ...bindingsOf(level),
      variables: { status, invocations },
    });

    expect(holds === true ? taken?.Next : choice?.Default).toBe(next);
  });
});

describe('the map', () => {
  const map = levelsOf('map-chunks')[0]?.machine.States['Process Chunks'];
  const child = levelsOf('map-chunks')[1];

  it('the map keeps the results out of the state, and lets the assembler count the failures', () => {
    expect(map).toMatchObject({
      ItemReader: { ReaderConfig: { InputType: 'JSONL' } },
      ResultWriter: { Resource: 'arn:${Partition}:states:::s3:putObject' },
      ToleratedFailurePercentage: 100,
      MaxConcurrencyPath: '$.max_concurrency',
      ResultPath: null,
      ItemProcessor: { ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' } },
    });
  });

  it('the map reads nothing but its input', () => {
    const paths = [...JSON.stringify({ ...map, ItemProcessor: null, Catch: null }).matchAll(/"\$\.(\w+)"/g)];

    const read = new Set(paths.map(([, name]) => String(name)));
    expect([...read].sort()).toEqual(
      Object.keys((mapChunks.input as never as { shape: object }).shape).sort(),
    );
  });

  it('the map keeps a chunk that found no place as it was, and counts the invocation', async () => {
    const catchers = child?.machine.States['Work On Chunk']?.Catch ?? [];

    expect(catchers).toMatchObject([{ ErrorEquals: [THROTTLED], Next: 'Is Chunk Unfinished?' }]);
    expect(await evaluateAll(catchers[0]?.Assign, bindingsOf(child as Level))).toEqual({ invocations: 2 });
  });

  it.each([
    ['unfinished', 1, 'Wait For Next Invocation'],
    ['unfinished', 95, 'Wait For Next Invocation'],
    ['unfinished', 96, 'Chunk Took Too Long'],
    ['waiting', 1, 'Wait For Quota'],
    ['waiting', 96, 'Chunk Took Too Long'],
    ['finished', 1, 'Chunk Done'],
    ['stopped', 1, 'Chunk Done'],
  ])('the map goes from %s after %i invocations to %s', async (status, invocations, next) => {
    if (child === undefined) throw new Error('no child');
    const { Choices: choices = [], Default: otherwise } = child.machine.States[
      'Is Chunk Unfinished?'
    ] as State;
    const bindings = bindingsOf(child);

    let taken = otherwise;
    for (const { Condition: condition, Next } of [...choices].reverse()) {
      const [found] = expressionsIn(condition);
      const holds = await evaluate(found?.expression ?? '', {
        ...bindings,
        variables: { ...bindings.variables, status, invocations },
      });
      if (holds === true) taken = Next;
    }

    expect(taken).toBe(next);
  });
});
