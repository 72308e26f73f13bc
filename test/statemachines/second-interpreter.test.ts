import { expect, it } from 'vitest';
import { readDefinition } from '#infra/definitions.ts';
import { pipelines } from '#shared/service/pipelines/index.ts';
import { runPython } from '#test/helpers/run-python.ts';

/** Machines without states that wait for a queue's worker are run; all of them are read. */
const ids = pipelines.map(({ id }) => id);

/** `PlanRun` is the function `plan-run`. */
const kebab = (name: string): string => name.replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();

function resolved(id: string): unknown {
  const arn = (service: string, kind: string, name: string): string =>
    `arn:aws:${service}:us-east-1:123456789012:${kind}:${kebab(name)}`;
  const text = JSON.stringify(readDefinition(id))
    .replaceAll(/\$\{(\w+)FunctionArn\}/g, (_, name: string) => arn('lambda', 'function', name))
    .replaceAll(/\$\{(\w+)StateMachineArn\}/g, (_, name: string) => arn('states', 'stateMachine', name))
    .replaceAll('${Partition}', 'aws')
    .replaceAll('${BucketName}', 'data');
  return JSON.parse(text);
}

interface Outcome {
  readonly status: string;
  readonly error: string | null;
  readonly cause: string | null;
  /** By machine and name: the status, and then the states in the order in which they were entered. */
  readonly executions: Readonly<Record<string, readonly string[]>>;
  readonly sent: readonly (readonly [name: string, payload: Record<string, unknown>])[];
}

const PLAN = 'runs/run-1/plan.jsonl';
const plan = (changes: object = {}) => ({
  plan_key: PLAN,
  chunk_count: 2,
  max_concurrency: 1,
  signature_plan_key: null,
  adds_languages: false,
  is_batched: false,
  ...changes,
});

async function run(start: string, answers: Readonly<Record<string, readonly unknown[]>>): Promise<Outcome> {
  const given = {
    machines: Object.fromEntries(ids.map((id) => [id, resolved(id)])),
    answers: {
      'plan-evaluation': [plan()],
      'plan-index': [plan({ chunk_count: 0 })],
      ...Object.fromEntries(['sign', 'adapt', 'expand', 'score'].map((name) => [`${name}-chunk`, DONE])),
      ...answers,
    },
    objects: { [PLAN]: JSON.stringify([{ n: 0 }, { n: 1 }]) },
    start,
    input: { run_id: 'run-1', dataset_id: 'd', team_id: 't' },
  };
  const { code, output } = await runPython(['test/statemachines/second_interpreter.py'], {
    GIVEN: JSON.stringify(given),
    LOG_LEVEL: 'ERROR',
  });
  if (code !== 0) throw new Error(output);
  return JSON.parse(output.slice(output.lastIndexOf('\n{') + 1));
}

const DONE = [{ status: 'finished' }];
const sentTo = ({ sent }: Outcome, name: string) =>
  sent.filter(([to]) => to === name).map(([, body]) => body);

it('A second interpreter reads every machine, and takes an adaptation through all of its branches to its end', {
  timeout: 600_000,
}, async () => {
  const outcome = await run('adapt', {
    'plan-run': [plan({ signature_plan_key: PLAN, adds_languages: true })],
    'plan-expansion': [plan()],
    'adapt-chunk': [{ status: 'unfinished' }, { status: 'finished' }],
  });

  expect(outcome).toMatchObject({ status: 'SUCCEEDED', error: null });
  expect(outcome.executions['adapt run-1']).toEqual([
    'SUCCEEDED',
    'Read Input',
    'Plan Run',
    'Are Duplicates Dropped?',
    'Sign Chunks',
    'Find Duplicates',
    'Calibrate Judge',
    'Find Doubts',
    'Are Calls Batched?',
    'Adapt Chunks',
    'Are Languages Added?',
    'Plan Expansion',
    'Is There A Row To Add?',
    'Expand Chunks',
    'Assemble Run',
    'Evaluate Result',
    'Settle Run',
    'Build Search Index',
    'Run Succeeded',
  ]);
  // One chunk is not finished by its first invocation.
  expect(sentTo(outcome, 'adapt-chunk')).toHaveLength(3);
  expect(sentTo(outcome, 'settle-run')).toEqual([
    { run_id: 'run-1', dataset_id: 'd', team_id: 't', error: null },
  ]);
  expect(Object.keys(outcome.executions).sort()).toEqual([
    'adapt run-1',
    'build-index run-1-index-1',
    'evaluate run-1-evaluate',
    'map-chunks run-1-chunks',
    'map-chunks run-1-expansion',
    'map-chunks run-1-scores',
    'map-chunks run-1-signatures',
  ]);
});

it('A second interpreter ends an adaptation that fails with the code and the message of its task', {
  timeout: 600_000,
}, async () => {
  const outcome = await run('adapt', {
    'plan-run': [{ error: ['dataset_not_ready', 'Row 3 has an "odd" quote.'] }],
  });

  expect(outcome).toMatchObject({
    status: 'FAILED',
    error: 'dataset_not_ready',
    cause: 'Row 3 has an "odd" quote.',
  });
  expect(sentTo(outcome, 'settle-run')).toMatchObject([{ error: { code: 'dataset_not_ready' } }]);
});

it('A second interpreter goes through the steps of a pilot until none is left', {
  timeout: 600_000,
}, async () => {
  const outcome = await run('pilot', {
    'advance-pilot': [
      plan({ worker: 'adapt' }),
      plan({ worker: 'adapt', chunk_count: 0 }),
      plan({ worker: 'score' }),
      plan({ worker: 'none' }),
    ],
  });

  expect(outcome.status).toBe('SUCCEEDED');
  expect(sentTo(outcome, 'advance-pilot').map(({ step }) => step)).toEqual([0, 1, 2, 3]);
  expect(Object.keys(outcome.executions)).toContain('map-chunks run-1-step-3');
});
