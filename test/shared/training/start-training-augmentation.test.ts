import { beforeEach, describe, expect, test } from 'vitest';
import type { Caller } from '#shared/platform/access/caller.ts';
import { DEFAULT_PLAN } from '#shared/platform/schema/plan.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { Executions } from '#shared/runs/decide/executions.ts';
import { readReport } from '#shared/runs/read-report.ts';
import { augmentTraining } from '#shared/training/augment-training.ts';
import { inferColumns } from '#shared/training/decide/columns.ts';
import { readExample } from '#shared/training/decide/example.ts';
import { trainingBill, trainingCredits } from '#shared/training/decide/price.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import { prepareTraining } from '#shared/training/prepare-training.ts';
import { startTrainingAugmentation } from '#shared/training/start-training-augmentation.ts';
import { executeAugmentation, load, writer } from '#test/helpers/augmenting.ts';
import { manifestOf, rowsOf, seedRows } from '#test/helpers/combining.ts';
import { NOW, seedTeam } from '#test/helpers/records.ts';
import { faultsOf } from '#test/helpers/store-contract.ts';
import { endTrainingNow, launchTraining } from '#test/helpers/training.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld(() => NOW);
  owner = await seedTeam(world.store, 100);
});

const ROWS = Array.from({ length: 40 }, (_, n) =>
  JSON.stringify({ question: `Question ${n} on bread ${n ** 3}?`, answer: `answer ${n}`, worse: 'w' }),
);
const start = (training: TrainingRecord, executions: Pick<Executions, 'start'> = world.executions) =>
  startTrainingAugmentation(
    {
      ...world.store,
      objects: world.objects,
      executions,
      endRun: world.endRun,
      clock: { now: () => NOW },
    },
    training,
    NOW,
  );

async function trainingWith(fields: Partial<TrainingRecord> = {}, reserved = 10) {
  const dataset = await seedRows(
    world,
    owner,
    { question: 'VARCHAR', answer: 'VARCHAR', worse: 'VARCHAR' },
    ROWS,
  );
  return launchTraining(
    world,
    dataset,
    { source_rows: 40, augmentation_domain_rows: 20, ...fields },
    reserved,
  );
}
const contextOfTraining = ({ team_id, dataset_id, experiment_id }: TrainingRecord) => ({
  team_id,
  dataset_id,
  run_id: experiment_id,
});
const runOf = ({ dataset_id, run_id }: { dataset_id: string; run_id: string }) =>
  world.store.runs.find(dataset_id, run_id);

test('a dataset of the training’s rows and of more is made, where the training finds them', async () => {
  const training = await trainingWith();

  const augmented = await start(training);
  await executeAugmentation(world, augmented.dataset_id);

  expect(await world.store.datasets.find(augmented.dataset_id)).toMatchObject({
    state: 'succeeded',
    kind: 'augmented',
    source_dataset_id: training.dataset_id,
    name: `Support tickets (augmented for training ${training.experiment_id})`,
    team_id: owner.team_id,
  });
  const found = await world.store.trainings.find(owner.team_id, training.experiment_id);
  expect(found?.augmented).toEqual(augmented);
  const rows = (await rowsOf(world, augmented.dataset_id)).map(
    (row) => JSON.parse(row) as Record<string, unknown>,
  );
  expect(rows).toHaveLength(60);
  expect(rows.slice(0, 40).map(({ question, answer }) => [question, answer])).toEqual(
    ROWS.map((row) => JSON.parse(row) as Record<string, unknown>).map(({ question, answer }) => [
      question,
      answer,
    ]),
  );
  for (const { question, answer, augmentation_kind } of rows.slice(40)) {
    expect([question, answer, augmentation_kind]).toEqual([
      expect.any(String),
      expect.any(String),
      'similar',
    ]);
  }
});

test('rows for the domain are written by a model that sees rows of the dataset; general ones by one that sees a topic of many', async () => {
  await load(world, [{ prompt: 'What is in the pool?', completion: 'This.' }]);
  const training = await trainingWith({ augmentation_domain_rows: 5, augmentation_general_rows: 7 });
  const model = writer();

  const augmented = await start(training);
  await executeAugmentation(world, augmented.dataset_id, { writer: model });

  const added = (await rowsOf(world, augmented.dataset_id))
    .map((row) => JSON.parse(row) as Record<string, string | null>)
    .filter(({ augmentation_kind }) => augmentation_kind !== null);
  expect(added.filter(({ augmentation_kind }) => augmentation_kind === 'similar')).toHaveLength(5);
  expect(added.filter(({ augmentation_kind }) => augmentation_kind === 'general')).toHaveLength(7);
  for (const { question } of added) expect(question).toMatch(/^Wholly new question/);
  const [general, similar] = [true, false].map((isGeneral) =>
    model.shown.filter((shown) => /^topic: /m.test(shown) === isGeneral),
  ) as [string[], string[]];
  expect(similar.length).toBeGreaterThanOrEqual(5);
  for (const shown of similar) expect(shown).toMatch(/Question \d+ on bread/);
  // One topic each, and nothing of the dataset.
  const topics = general.map((shown) => /^topic: (.+): /m.exec(shown)?.[1]);
  expect(new Set(topics).size).toBe(general.length);
  expect(general.length).toBeGreaterThanOrEqual(7);
  expect(general.join('\n')).not.toContain('bread');
});

test.each(['instruction', 'alignment'] as const)(
  'general rows of a training for %s need no pool',
  async (method) => {
    const augmented = await start(
      await trainingWith({
        training_method: method,
        augmentation_domain_rows: 0,
        augmentation_general_rows: 3,
      }),
    );
    await executeAugmentation(world, augmented.dataset_id);

    const dataset = await world.store.datasets.find(augmented.dataset_id);
    expect(dataset).toMatchObject({ state: 'succeeded', row_count: 43 });
    if (dataset === null) throw new Error('There is no such dataset.');
    expect(
      await readReport({ runs: world.store.runs, objects: world.objects }, dataset, {}, 'key'),
    ).toMatchObject({
      stages: [{ name: 'general', rows_in: 3, rows_out: 3 }],
      prompt_versions: { general: 'write-general.v1' },
    });
  },
);

test('the training runs from the time that its rows are made', async () => {
  const training = await trainingWith();

  await start(training);

  expect(training.status).toBe('pending');
  expect((await world.store.trainings.find(owner.team_id, training.experiment_id))?.status).toBe('running');
});

test('the training pays for the rows: its run reserves and bills nothing', async () => {
  const training = await trainingWith();

  const augmented = await start(training);
  expect(await world.store.ledger.findBalance(owner.team_id)).toMatchObject({ held: 10, available: 90 });
  await executeAugmentation(world, augmented.dataset_id);

  const run = await runOf(augmented);
  expect(run).toMatchObject({ status: 'succeeded', reserved_credits: 0, settled_credits: 0 });
  expect(run?.counts?.expanded).toBe(20);
  expect(trainingBill(training, run)).toBe(10);
  expect(await faultsOf(world.store, owner.team_id)).toEqual([]);
});

test('a team that has all the runs of its plan still gets its rows', async () => {
  const training = await trainingWith();
  for (let n = 1; n < DEFAULT_PLAN.runs_at_once; n += 1) await trainingWith({}, 0);

  expect((await runOf(await start(training)))?.status).toBe('running');
});

test('a repetition starts what a crash left unstarted, and nothing twice', async () => {
  const training = await trainingWith();
  const first = await start(training, { ...world.executions, start: async () => {} });
  expect(world.executions.started.has(first.run_id)).toBe(false);

  expect(await start(training)).toEqual(first);
  expect(world.executions.started.has(first.run_id)).toBe(true);
  await executeAugmentation(world, first.dataset_id);
  world.executions.started.clear();
  expect(await start(training)).toEqual(first);

  expect(world.executions.started.size).toBe(0);
  expect((await manifestOf(world, first.dataset_id)).row_count).toBe(60);
});

test('a start that fails ends the run, and a repetition does not begin it anew', async () => {
  const training = await trainingWith();
  world.executions.failStarts(new Error('no'));
  await expect(start(training)).rejects.toMatchObject({ code: 'service_unavailable' });
  world.executions.failStarts(null);

  expect((await runOf(await start(training)))?.status).toBe('failed');
});

test('pairs are added to pairs, as both their answers', async () => {
  const training = await trainingWith({
    training_method: 'alignment',
    columns: {
      prompt: 'question',
      completion: null,
      reasoning_trace: null,
      context: [],
      chosen: 'answer',
      rejected: 'worse',
    },
  });

  const augmented = await start(training);
  await executeAugmentation(world, augmented.dataset_id);

  const last = JSON.parse((await rowsOf(world, augmented.dataset_id)).at(-1) ?? '') as object;
  expect(last).toMatchObject({
    question: expect.any(String),
    answer: expect.any(String),
    worse: expect.any(String),
  });
});

test('it ends at once if the training ends while its run is being started, and delivers nothing', async () => {
  const training = await trainingWith();
  const started = start(training, {
    start: async () => void (await endTrainingNow(world, training, { error: 'run_cancelled' })),
  });

  await expect(started).rejects.toMatchObject({ code: 'run_interrupted' });

  const { augmented } = (await world.store.trainings.find(owner.team_id, training.experiment_id)) ?? {};
  expect(await runOf(augmented as NonNullable<typeof augmented>)).toMatchObject({
    status: 'failed',
    error_data: { code: 'run_interrupted' },
  });
});

test('it has the budget of the plan that the training was requested with', async () => {
  const augmentation_budget = { tokens: 5000, minutes: 30, unbilled_tokens: 7000 };
  const augmented = await start(await trainingWith({ augmentation_budget }));

  const request = JSON.parse(world.objects.text(objectKeys.runRequest(augmented.run_id)));
  expect(request.budget).toEqual(augmentation_budget);
});

test('it does not begin once the training has ended', async () => {
  const training = await trainingWith();
  await endTrainingNow(world, training, { error: 'run_cancelled' });

  await expect(start(training)).rejects.toMatchObject({ code: 'run_interrupted' });
});

test('it is refused where the conversations of the training make more prompts than can be compared', async () => {
  const columns = {
    ...{ prompt: 'question', completion: null, reasoning_trace: null, chosen: null, rejected: null },
    ...{ context: [], conversations: ['question'] },
  };

  const training = await trainingWith({ source_rows: 5_500_000, columns });

  await expect(start(training)).rejects.toMatchObject({ code: 'invalid_request' });
});

test('rows for a training have the system message and the earlier turns of its own in the columns that it reads', async () => {
  const dataset = await seedRows(
    world,
    owner,
    { instruction: 'VARCHAR', output: 'VARCHAR', system: 'VARCHAR', history: 'JSON' },
    Array.from({ length: 40 }, (_, n) =>
      JSON.stringify({
        ...{ instruction: `Sort ${n} and ${n ** 3}.`, output: `${n}`, system: 'You answer in Welsh.' },
        history: [[`Hello ${n}`, 'Hello.']],
      }),
    ),
  );
  const columns = inferColumns({
    dataset,
    shape: {
      columns: ['instruction', 'output', 'system', 'history'].map((name) => ({
        name,
        source: name,
        type: 'VARCHAR',
      })),
      roles: { prompt: 'instruction', completion: 'output' },
      context: [],
    },
  });
  const training = await launchTraining(world, dataset, {
    ...{ source_rows: 40, augmentation_domain_rows: 5, columns },
  });

  const augmented = await start(training);
  await executeAugmentation(world, augmented.dataset_id);

  const added = (await rowsOf(world, augmented.dataset_id)).slice(40).map((row) => JSON.parse(row));
  expect(added).toHaveLength(5);
  for (const row of added) {
    const cells = new Map(
      Object.entries(row).map(([name, cell]) => [
        name,
        typeof cell === 'string' ? cell : JSON.stringify(cell),
      ]),
    );
    expect(readExample(columns, cells, 0)).toMatchObject({
      messages: [
        { role: 'system', content: 'You answer in Welsh.' },
        { role: 'user', content: expect.stringMatching(/^Hello \d+$/) },
        { role: 'assistant', content: 'Hello.' },
        { role: 'user', content: expect.stringMatching(/^Wholly new/) },
      ],
    });
  }
});

describe('the price', () => {
  test.each([
    [0, 0, 0],
    [1, 0, 10],
    [100, 0, 10],
    [101, 0, 20],
    [101, 25, 15],
    [100, 33, 7],
    [100, 100, 0],
  ])('the price of %d rows with %d percent off is %d credits', (rows, percent, credits) => {
    expect(trainingCredits(rows, percent)).toBe(credits);
  });

  const asked = { augmentation_domain_rows: 150, augmentation_general_rows: 50, discount_percent: 50 };
  const counts = (expanded: number) => ({
    counts: {
      total: 0,
      changed: 0,
      kept: 0,
      dropped: 0,
      failed: 0,
      not_selected: 0,
      expanded,
      expansion_failed: 0,
    },
  });

  test('the price is that of the rows that were really added, and never more than what was reserved', () => {
    expect(trainingBill(asked, counts(101))).toBe(10);
    expect(trainingBill(asked, counts(5000))).toBe(trainingCredits(200, 50));
    expect(trainingBill(asked, { counts: null })).toBe(0);
    expect(trainingBill(asked, null)).toBe(0);
  });
});

test('rows of a templated prompt get others that are about contexts of their own, behind the prompt as in training', async () => {
  const prompt = 'Classify the sentiment of the review, please answer with one word.';
  const dataset = await seedRows(
    world,
    owner,
    { instruction: 'VARCHAR', review: 'VARCHAR', label: 'VARCHAR' },
    Array.from({ length: 60 }, (_, n) =>
      JSON.stringify({
        instruction: prompt,
        review: `Shop ${n} took ${n ** 2} days to answer me.`,
        label: n % 2 === 0 ? 'good' : 'bad',
      }),
    ),
  );
  const training = await launchTraining(
    world,
    dataset,
    {
      source_rows: 60,
      augmentation_domain_rows: 20,
      columns: {
        prompt: 'instruction',
        completion: 'label',
        reasoning_trace: null,
        chosen: null,
        rejected: null,
        context: ['review'],
      },
    },
    10,
  );
  const shown: string[] = [];
  const model = writer();

  const augmented = await start(training);
  await executeAugmentation(world, augmented.dataset_id, {
    writer: {
      ...model,
      generate: async (request) => {
        shown.push(request.messages.at(-1)?.content ?? '');
        const row = {
          prompt,
          context: `review: The ${shown.length} waiters of place ${shown.length ** 3} were kind.`,
          completion: 'good',
        };
        return { ...(await model.generate(request)), text: JSON.stringify(row) };
      },
    },
  });

  expect(await world.store.datasets.find(augmented.dataset_id)).toMatchObject({
    state: 'succeeded',
    row_count: 80,
  });
  expect(shown[0]).toMatch(/"context":"review: Shop \d+ took/);
  const added = (await rowsOf(world, augmented.dataset_id)).slice(60).map((row) => JSON.parse(row));
  expect(added[0]).toMatchObject({
    instruction: expect.stringMatching(/^Classify .* one word\.\nreview: The \d+ waiters of place/),
    label: 'good',
  });
});

describe('an augmentation that falls short', () => {
  const goOn = (training: TrainingRecord) =>
    augmentTraining({ ...world.store, start: () => start(training) }, contextOfTraining(training), NOW);
  const prepare = (training: TrainingRecord) =>
    prepareTraining({ ...world.store, objects: world.objects }, contextOfTraining(training));
  /** What the first `usable` rows are, of which the others are none. */
  const shortWriter = (usable: number, otherwise: (n: number) => string) => {
    const whole = (n: number) =>
      JSON.stringify({ prompt: `Whole question ${n} on ${n ** 3}?`, completion: `answer ${n}` });
    return writer((n) => (n <= usable ? whole(n) : otherwise(n)));
  };

  test.each([
    ['is unusable', (): string => 'no row', 'failed'],
    [
      'repeats itself',
      (): string => JSON.stringify({ prompt: 'Whole question 1 on 1?', completion: 'again' }),
      'succeeded',
    ],
  ] as const)(
    'an augmentation is trained on and billed as far as it came where what the model writes %s',
    async (_, otherwise, status) => {
      const training = await trainingWith();
      const augmented = await start(training);
      await executeAugmentation(world, augmented.dataset_id, { writer: shortWriter(5, otherwise) });

      const run = await runOf(augmented);
      expect(run).toMatchObject({ status, counts: { expanded: 5 } });
      expect(await goOn(training)).toEqual({ is_done: true });
      const { train_rows, held_out_rows } = await prepare(training);
      expect(train_rows + held_out_rows).toBe(45);
      expect(trainingBill(training, run)).toBe(trainingCredits(5, 0));
    },
  );

  test('a training says how many rows were added where they are too few for the model', async () => {
    const training = await trainingWith({ source_rows: 30 });
    const key = objectKeys.rows(training.dataset_id, 0);
    await world.objects.write(key, world.objects.text(key).split('\n').slice(0, 30).join('\n'), 'x');
    const manifestKey = objectKeys.manifest(training.dataset_id);
    const manifest = await manifestOf(world, training.dataset_id);
    const chunks = manifest.chunks.map((chunk) => ({ ...chunk, row_count: 30 }));
    await world.objects.write(manifestKey, JSON.stringify({ ...manifest, chunks, row_count: 30 }), 'x');
    const augmented = await start(training);
    await executeAugmentation(world, augmented.dataset_id, { writer: shortWriter(5, () => 'no row') });

    expect(await goOn(training)).toEqual({ is_done: true });
    await expect(prepare(training)).rejects.toThrow(
      'needs at least 40 rows, and 35 rows of the dataset can be used. Of 20 rows to be added, a model wrote 5 that could be used.',
    );
  });

  test('a training ends where its augmentation added nothing, and bills nothing', async () => {
    const training = await trainingWith();
    const augmented = await start(training);
    await executeAugmentation(world, augmented.dataset_id, { writer: writer(() => 'no row') });

    await expect(goOn(training)).rejects.toThrow('No rows could be added to the training: ');
    expect(trainingBill(training, await runOf(augmented))).toBe(0);
  });
});

describe('a dataset that a training reads besides its own', () => {
  const prepare = (training: TrainingRecord) =>
    prepareTraining({ ...world.store, objects: world.objects }, contextOfTraining(training));
  const refusal = (datasetId: string) => ({
    code: 'run_interrupted',
    message: `The dataset ${datasetId} was deleted before its rows were read.`,
  });

  test('a dataset that a training compares its models on ends it where it is deleted before it is read, and no later', async () => {
    const { dataset_id: id } = await seedRows(world, owner, { question: 'VARCHAR', answer: 'VARCHAR' }, ROWS);
    const fields = { validation_dataset_id: id, validation_run_id: null, augmentation_domain_rows: 0 };
    const [prepared, late] = [await trainingWith(fields), await trainingWith(fields)];
    const rows = await prepare(prepared);

    await world.store.datasets.delete(owner, id, NOW);

    expect(await prepare(prepared)).toEqual(rows);
    await expect(prepare(late)).rejects.toMatchObject(refusal(id));
  });

  test('a dataset that a training compares its models on ends it where a part of its rows is gone when they are read', async () => {
    const { dataset_id: id } = await seedRows(world, owner, { question: 'VARCHAR', answer: 'VARCHAR' }, ROWS);
    const fields = { validation_dataset_id: id, validation_run_id: null, augmentation_domain_rows: 0 };
    const training = await trainingWith(fields);
    await world.objects.remove([objectKeys.rows(id, 0)]);

    await expect(prepare(training)).rejects.toMatchObject({
      code: 'run_interrupted',
      message: expect.stringContaining(`The validation dataset ${id} gave 0 of its ${ROWS.length} rows`),
    });
  });

  test('a dataset that a training has added rows to ends it where it is deleted before it is read', async () => {
    const training = await trainingWith({ augmentation_domain_rows: 5 });
    const { dataset_id: id } = await start(training);
    await executeAugmentation(world, id);

    await world.store.datasets.delete(owner, id, NOW);

    await expect(prepare(training)).rejects.toMatchObject(refusal(id));
  });
});
