import { beforeEach, expect, test } from 'vitest';
import { handler as createTraining } from '#functions/api/autoscientist/create.ts';
import { handler } from '#functions/api/fine-tuning/jobs/create.ts';
import type { AdaptRequest } from '#shared/adaptation/schema/adaptation.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { fileIdOf } from '#shared/openai/decide/ids.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ColumnProfile } from '#shared/tabular/schema/rows-manifest.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import { prepareTraining } from '#shared/training/prepare-training.ts';
import { linesOf, resultsOf, startRunOn, writeResults } from '#test/helpers/active-run.ts';
import { seedRows } from '#test/helpers/combining.ts';
import { leaveExpansion } from '#test/helpers/expansion.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { settle } from '#test/helpers/searching.ts';
import { endTrainingNow, SMALL_MODEL, seedTrainable } from '#test/helpers/training.ts';
import { adaptVersion, answered, appendVersion, ingestVersion, reload } from '#test/helpers/versions.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
});

const turn = (role: string, content: string) => ({ role, content });
const chat = (n: number) => ({ messages: [turn('user', `q${n}`), turn('assistant', `a${n}`)] });
const call = (n: number) => ({
  id: 'call_1',
  type: 'function',
  function: { name: 'find', arguments: `{"n":${n}}` },
});
type Example = { readonly messages: unknown; readonly completion: unknown };
const pair = (n: number) => ({
  input: { messages: [turn('user', `q${n}`)], tools: [], parallel_tool_calls: true },
  preferred_output: [turn('assistant', `better ${n}`)],
  non_preferred_output: [turn('assistant', `worse ${n}`)],
});

const CONVERSATIONS: ColumnProfile = { is_empty: false, not_chat: null, image_format: null };

/** A file of purpose `fine-tune`: a raw dataset without a mapping. */
const seedFile = (of: (n: number) => object, rows: number): Promise<DatasetRecord> =>
  seedRows(
    world,
    owner,
    Object.fromEntries(Object.keys(of(0)).map((name) => [name, 'JSON'])),
    Array.from({ length: rows }, (_, n) => JSON.stringify(of(n))),
    {
      configured_column_mapping: null,
      columns: Object.keys(of(0)).map((name) => ({ name, type: 'JSON', profile: CONVERSATIONS })),
    },
  );

const create = (body: Record<string, unknown>, as = owner) =>
  world.call(handler, { as, body: { model: SMALL_MODEL, ...body } });

async function recordOf(jobId: string) {
  const [id] = [...world.executions.started.keys()].filter((each) =>
    jobId.endsWith(each.replaceAll('-', '')),
  );
  const record = await world.store.trainings.find(owner.team_id, id ?? '');
  if (record === null) throw new Error('There is no such training.');
  return record;
}

const prepared = async (jobId: string) => prepare(await recordOf(jobId));

async function prepare(record: TrainingRecord) {
  const { experiment_id: run_id, dataset_id, team_id } = record;
  const ports = { ...world.store, objects: world.objects };
  const counts = await prepareTraining(ports, { run_id, dataset_id, team_id });
  const read = async (key: string): Promise<unknown[]> =>
    linesOf(world.objects.text(key)).map((line) => JSON.parse(line));
  const heldOut = await read(objectKeys.heldOutRows(run_id));
  const trained = await read(objectKeys.trainingRows(run_id, 0));
  return { record, counts, heldOut, trained };
}

test('a job of chats is a training on the conversations of its file', async () => {
  const file = await seedFile(chat, 60);
  const { status, body } = await create({
    training_file: fileIdOf(file.dataset_id),
    suffix: 'support',
    seed: 42,
    metadata: { team: 'a' },
    method: {
      type: 'supervised',
      supervised: { hyperparameters: { n_epochs: 2, batch_size: 4, learning_rate_multiplier: 2 } },
    },
  });

  expect(status).toBe(200);
  expect(body).toMatchObject({
    object: 'fine_tuning.job',
    status: 'queued',
    model: SMALL_MODEL,
    fine_tuned_model: null,
    training_file: fileIdOf(file.dataset_id),
    validation_file: null,
    seed: 42,
    metadata: { team: 'a' },
    hyperparameters: { n_epochs: 2, batch_size: 4, learning_rate_multiplier: 2 },
    method: { type: 'supervised' },
    error: null,
  });
  const { record, trained } = await prepared(body.id);
  expect(record).toMatchObject({ max_iterations: 1, columns: { prompt: 'messages', completion: null } });
  expect(trained[0]).toMatchObject({
    messages: [{ role: 'user' }],
    completion: expect.stringMatching(/^a\d+$/),
  });
});

test('a job with auto leaves open what a training resolves, and tries as often as one', async () => {
  const file = await seedFile(chat, 60);
  const { body } = await create({ training_file: file.dataset_id, hyperparameters: { n_epochs: 'auto' } });

  const record = await recordOf(body.id);
  expect(record.overrides).toEqual({});
  expect(record.max_iterations).toBe(3);
  expect(body.hyperparameters).toMatchObject({ batch_size: 'auto', learning_rate_multiplier: 'auto' });
});

test('a job of preferences trains on the pairs of its file', async () => {
  const file = await seedFile(pair, 60);
  const { body } = await create({
    training_file: fileIdOf(file.dataset_id),
    method: { type: 'dpo', dpo: { hyperparameters: { beta: 0.2 } } },
  });

  expect(body).toMatchObject({ method: { type: 'dpo', dpo: { hyperparameters: { beta: 0.2 } } } });
  const { record, trained } = await prepared(body.id);
  expect(record.training_method).toBe('alignment');
  const [first] = trained as { chosen: string }[];
  const n = first?.chosen.split(' ')[1];
  expect(first).toMatchObject({
    messages: [{ role: 'user', content: `q${n}` }],
    chosen: `better ${n}`,
    rejected: `worse ${n}`,
  });
});

test('a job takes hyperparameters of the older form beside those of its method, and refuses those of another method', async () => {
  const file = await seedFile(pair, 60);
  const ask = (method: object) =>
    create({ training_file: file.dataset_id, hyperparameters: { n_epochs: 2, batch_size: 4 }, method });

  const { problem } = await ask({ type: 'dpo', supervised: { hyperparameters: { n_epochs: 3 } } });
  const { body } = await ask({
    type: 'dpo',
    dpo: { hyperparameters: { beta: 0.2, batch_size: 8 } },
    supervised: { hyperparameters: { n_epochs: 'auto' } },
  });

  expect(problem.error).toMatchObject({ param: 'method.supervised', type: 'invalid_request_error' });
  expect((await recordOf(body.id)).overrides).toMatchObject({ dpo_beta: 0.2, n_epochs: 2, batch_size: 8 });
});

test('a job of preferences refuses a file without pairs', async () => {
  const file = await seedFile(chat, 60);
  const { status, problem } = await create({
    training_file: fileIdOf(file.dataset_id),
    method: { type: 'dpo' },
  });

  expect(status).toBe(400);
  expect(problem.error).toMatchObject({ param: 'training_file', type: 'invalid_request_error' });
});

const BETTER = {
  enhanced_prompt: (row: number) => `Better ${row}?`,
  enhanced_completion: (row: number) => `Better ${row}.`,
};

/** Adapts a dataset, each row to a better one; with rows in Spanish of the first ten, or with pairs. */
async function adapt(
  dataset: DatasetRecord,
  request: Partial<AdaptRequest>,
  { isChat = false, isPair = false, added = 0 } = {},
): Promise<void> {
  const active = await startRunOn(world, owner, dataset, { request });
  for (const batch of active.batches) {
    const results = resultsOf(batch, () => 'changed').map((result) => {
      const { row } = result;
      const asked = BETTER.enhanced_prompt(row);
      const cells = {
        enhanced_prompt: isChat ? JSON.stringify([turn('user', asked)]) : asked,
        enhanced_completion: BETTER.enhanced_completion(row),
        ...(isPair ? { chosen: `Better ${row}.`, rejected: `Worse ${row}.` } : {}),
      };
      return { ...result, cells };
    });
    await writeResults(world, objectKeys.result(active.run.run_id, batch.n), results);
  }
  if (added > 0) await leaveExpansion(world, active, added);
  await settle(world, active, 0, false, added);
}

const CHAT_REQUEST = { column_mapping: { chat: 'messages' } };
const PAIR_REQUEST = { training_type: 'preference_pairs' as const };

/** Datasets as a caller may have them, with a word that all of their examples have. */
const DATASETS: readonly [string, 'supervised' | 'dpo', () => Promise<DatasetRecord>, RegExp][] = [
  ['of chats as they were uploaded', 'supervised', () => seedFile(chat, 60), /"a\d+"/],
  [
    'of adapted chats',
    'supervised',
    async () => {
      const file = await seedFile(chat, 60);
      await adapt(file, CHAT_REQUEST, { isChat: true });
      return file;
    },
    /Better \d+\./,
  ],
  [
    'of chats with translations',
    'supervised',
    async () => {
      const file = await seedFile(chat, 60);
      await adapt(file, CHAT_REQUEST, { isChat: true, added: 10 });
      return file;
    },
    /Better \d+\.|así \d+\./,
  ],
  [
    'with appended rows',
    'supervised',
    async () => {
      const dataset = await ingestVersion(world, owner, 60);
      await adaptVersion(world, owner, dataset, (row) => answered(row, `Better ${row}.`));
      await appendVersion(world, owner, dataset, [{ question: 'More?', answer: 'More.' }]);
      await adaptVersion(world, owner, await reload(world, dataset), (row) =>
        answered(row, `Better ${row}.`),
      );
      return reload(world, dataset);
    },
    /Better \d+\./,
  ],
  ['with a mapping', 'supervised', () => seedTrainable(world, owner), /"a\d+"/],
  ['of pairs as they were uploaded', 'dpo', () => seedFile(pair, 60), /"worse \d+"/],
  [
    'of pairs whose columns a mapping names',
    'dpo',
    () =>
      seedTrainable(world, owner, 60, {
        configured_column_mapping: { prompt: 'question', chosen: 'answer', rejected: 'worse', context: [] },
      }),
    /"w\d+"/,
  ],
  [
    'of which an adaptation made pairs',
    'dpo',
    async () => {
      const file = await seedTrainable(world, owner);
      await adapt(file, PAIR_REQUEST, { isPair: true });
      return file;
    },
    /"Worse \d+\."/,
  ],
  [
    'of pairs that were adapted',
    'dpo',
    async () => {
      const file = await seedFile((n) => ({ ...pair(n), question: `q${n}`, answer: `a${n}` }), 60);
      await adapt(file, PAIR_REQUEST, { isPair: true });
      return file;
    },
    /"Worse \d+\."/,
  ],
];

test.each(DATASETS)(
  'a job trains on the rows that a training has of a dataset %s',
  async (_, type, seed, each) => {
    const { dataset_id } = await seed();
    const job = await create({ training_file: fileIdOf(dataset_id), method: { type } });
    expect(job.status).toBe(200);
    const ofJob = await prepared(job.body.id);
    await endTrainingNow(world, ofJob.record, { error: 'training_failed' });
    const training_method = type === 'dpo' ? 'alignment' : 'instruction';
    const body = { model: SMALL_MODEL, dataset_id, training_method };
    const training = await world.call(createTraining, { as: owner, body });
    expect(training.status).toBe(202);
    const record = await world.store.trainings.find(owner.team_id, training.body.id);
    const ofTraining = await prepare(record as TrainingRecord);

    expect(ofJob.record.training_method).toBe(training_method);
    expect(record?.training_method).toBe(training_method);
    expect(ofJob.heldOut).toEqual(ofTraining.heldOut);
    expect(ofJob.trained).toEqual(ofTraining.trained);
    expect(ofJob.trained.length).toBeGreaterThanOrEqual(40);
    for (const example of ofJob.trained) expect(JSON.stringify(example)).toMatch(each);
  },
);

test('a job with a validation file holds out its rows, and trains on all others', async () => {
  const file = await seedFile(chat, 60);
  const validation = await seedFile((n) => chat(n + 50), 30);
  const { body } = await create({
    training_file: fileIdOf(file.dataset_id),
    validation_file: fileIdOf(validation.dataset_id),
  });

  expect(body.validation_file).toBe(fileIdOf(validation.dataset_id));
  const { counts, heldOut, trained } = await prepared(body.id);
  // Ten rows are in both files.
  expect(counts).toEqual({ train_rows: 50, held_out_rows: 30 });
  const asked = (rows: readonly unknown[]) =>
    (rows as { messages: { content: string }[] }[]).map(({ messages }) => messages[0]?.content);
  expect(asked(trained).filter((each) => asked(heldOut).includes(each))).toEqual([]);
});

test('a job holds out the rows that its validation file delivered when it was created: adapted ones where it was adapted, and those in other languages', async () => {
  const [file, validation] = [await seedTrainable(world, owner), await seedTrainable(world, owner, 30)];
  await adapt(file, {});
  await adapt(validation, {}, { added: 5 });
  const { body } = await create({
    training_file: fileIdOf(file.dataset_id),
    validation_file: fileIdOf(validation.dataset_id),
  });
  await startRunOn(world, owner, validation);

  const { heldOut } = await prepared(body.id);

  const said = (heldOut as Example[]).map(({ completion }) => String(completion));
  expect(said.filter((each) => /^Better \d+\.$/.test(each))).toHaveLength(30);
  expect(said.filter((each) => /^así \d+\.$/.test(each))).toHaveLength(5);
});

test('a job refuses a validation file whose rows have no prompt', async () => {
  const [file, validation] = [
    await seedFile((n) => ({ prompt: `q${n}`, completion: `a${n}` }), 60),
    await seedFile((n) => ({ prompt: '', completion: `b${n}` }), 30),
  ];

  const { status, problem } = await create({
    training_file: fileIdOf(file.dataset_id),
    validation_file: fileIdOf(validation.dataset_id),
  });

  expect(status).toBe(422);
  expect(problem.message).toContain('no row of the validation dataset has a prompt');
});

/** Datasets of sixty or thirty rows in the layouts that a file of a job can have. */
const LAYOUTS: Readonly<Record<string, (rows: number, from: number) => Promise<DatasetRecord>>> = {
  'as it was uploaded, with a mapping': (rows) => seedTrainable(world, owner, rows),
  'that was adapted': async (rows) => {
    const file = await seedTrainable(world, owner, rows);
    await adapt(file, {});
    return file;
  },
  'of chats': (rows, from) => seedFile((n) => chat(n + from), rows),
  'of prompts and completions': (rows, from) =>
    seedFile((n) => ({ prompt: `p${n + from}`, completion: `c${n + from}` }), rows),
};

test.each(
  Object.keys(LAYOUTS).flatMap((training) => Object.keys(LAYOUTS).map((other) => [training, other] as const)),
)(
  'a job with a training file %s takes a validation file %s, each by its own columns',
  async (training, validation) => {
    const file = await (LAYOUTS[training] as (typeof LAYOUTS)[string])(60, 0);
    const other = await (LAYOUTS[validation] as (typeof LAYOUTS)[string])(30, 100);
    const { body } = await create({
      training_file: fileIdOf(file.dataset_id),
      validation_file: fileIdOf(other.dataset_id),
    });

    const { counts, heldOut } = await prepared(body.id);
    expect(counts.held_out_rows).toBe(30);
    expect(counts.train_rows).toBeGreaterThanOrEqual(30);
    const said = (heldOut as Example[]).map(({ completion }) => String(completion));
    expect(said.every((each) => (validation === 'that was adapted') === each.startsWith('Better'))).toBe(
      true,
    );
  },
);

test('a validation file that says nothing of its columns is read by the mapping of the training file', async () => {
  const file = await seedTrainable(world, owner);
  await adapt(file, {});
  const validation = await seedTrainable(world, owner, 30, { configured_column_mapping: null });
  const { body } = await create({
    training_file: fileIdOf(file.dataset_id),
    validation_file: fileIdOf(validation.dataset_id),
  });

  const { heldOut } = await prepared(body.id);

  expect((heldOut as Example[]).map(({ completion }) => completion)).toContain('a3');
});

test('a job refuses a validation file that it cannot compare on, and names it', async () => {
  const chats = await seedFile(chat, 60);
  const pairs = await seedFile(pair, 60);
  const strange = await seedFile((n) => ({ one: `${n}`, two: `${n}` }), 30);
  const empty = await seedFile((n) => ({ prompt: `q${n}`, completion: '' }), 30);
  const refused = async (file: DatasetRecord, validation: DatasetRecord, type: 'supervised' | 'dpo') => {
    const { problem } = await create({
      training_file: fileIdOf(file.dataset_id),
      validation_file: fileIdOf(validation.dataset_id),
      method: { type },
    });
    expect(problem.error).toMatchObject({ param: 'validation_file' });
    return problem.message;
  };

  expect(await refused(chats, strange, 'supervised')).toMatch(/^validation_file: It does not say which/);
  expect(await refused(pairs, chats, 'dpo')).toMatch(/^validation_file: It has no pairs of answers/);
  expect(await refused(chats, empty, 'supervised')).toMatch(
    /^validation_file: .*\(30 have no completion\)\. Correct or add rows\.$/,
  );
});

/** A conversation of five replies. */
const talk = (n: number) => ({
  messages: Array.from({ length: 10 }, (_, at) =>
    turn(at % 2 === 0 ? 'user' : 'assistant', `turn ${at} of ${n}`),
  ),
});

test('a job counts each reply of its conversations as an example, at its launch and when their rows are held out', async () => {
  const file = await seedFile(talk, 8);
  const { body } = await create({ training_file: fileIdOf(file.dataset_id) });

  const { record, counts } = await prepared(body.id);

  expect(record.effective_rows).toBe(40);
  expect(counts).toEqual({ train_rows: 20, held_out_rows: 4 });
});

test('a job with too few replies is refused without the advice of an augmentation, which it cannot have', async () => {
  const file = await seedFile(talk, 7);

  const { problem } = await create({ training_file: fileIdOf(file.dataset_id) });

  expect(problem.message).toMatch(/^training_file: has 7 rows, of which 35 can be used, .* add rows, or/);
});

test('a job refuses a factor of the learning rate that no training has, and says which ones there are', async () => {
  const file = await seedFile(chat, 60);
  const ask = (factor: number) =>
    create({
      training_file: file.dataset_id,
      hyperparameters: { n_epochs: 1, batch_size: 1, learning_rate_multiplier: factor },
    });

  const { problem } = await ask(100);
  const small = await ask(1e-9);
  const [detail] = problem.details as unknown as { path: string; minimum: number; maximum: number }[];
  if (detail === undefined) throw new Error('The refusal has no details.');
  const { body } = await ask(detail.maximum);

  expect(detail.path).toBe('hyperparameters.learning_rate_multiplier');
  expect(problem.message).toMatch(/^hyperparameters\.learning_rate_multiplier: times the recommended rate/);
  expect(small.status).toBe(400);
  const { learning_rate: rate } = (await recordOf(body.id)).overrides;
  expect(rate).toBeLessThanOrEqual(0.01);
  expect(rate).toBeGreaterThan(0.0099);
  await endTrainingNow(world, await recordOf(body.id), { error: 'training_failed' });
  expect((await ask(detail.minimum)).status).toBe(200);
});

test('a job trains on each reply of a conversation that has no weight of 0, and holds out whole conversations', async () => {
  const file = await seedFile(
    (n) => ({
      messages: [
        ...chat(n).messages,
        turn('user', 'More?'),
        { ...turn('assistant', `no ${n}`), weight: 0 },
        turn('user', 'And?'),
        { role: 'assistant', content: null, tool_calls: [call(n)] },
        { role: 'tool', tool_call_id: 'call_1', content: `found ${n}` },
      ],
      tools: [{ type: 'function', function: { name: 'find' } }],
    }),
    60,
  );
  const { body } = await create({ training_file: fileIdOf(file.dataset_id) });

  const { record, counts, heldOut, trained } = await prepared(body.id);
  expect(record.columns).toMatchObject({ prompt: 'messages', tools: 'tools', replies: 'all' });
  expect(counts).toEqual({ train_rows: 80, held_out_rows: 20 });
  const rowsOf = (examples: readonly unknown[]) =>
    new Set((examples as { row: number }[]).map(({ row }) => row));
  expect(rowsOf(trained).size).toBe(40);
  expect([...rowsOf(trained)].filter((row) => rowsOf(heldOut).has(row))).toEqual([]);
  const [row] = rowsOf(trained);
  expect(trained.filter((example) => (example as { row: number }).row === row)).toMatchObject([
    {
      messages: [{}, {}, {}, { role: 'assistant', content: `no ${row}` }, {}],
      completion: { tool_calls: [{ function: { name: 'find', arguments: `{"n":${row}}` } }] },
      tools: [{ function: { name: 'find' } }],
    },
    { messages: [{ role: 'user', content: `q${row}` }], completion: `a${row}` },
  ]);
});

test('a row of which an earlier reply is held out as a row of its own is not trained on', async () => {
  const file = await seedFile(
    (n) =>
      n < 60
        ? chat(n)
        : { messages: [...chat(n - 60).messages, turn('user', 'So?'), turn('assistant', 'So.')] },
    120,
  );
  const { body } = await create({ training_file: fileIdOf(file.dataset_id) });

  const { heldOut, trained } = await prepared(body.id);
  const asked = (examples: readonly unknown[]) =>
    examples.map((example) =>
      JSON.stringify([(example as Example).messages, (example as Example).completion]),
    );
  const seen = new Set(asked(trained));
  expect(asked(heldOut).filter((each) => seen.has(each))).toEqual([]);
});

test('a job names the field of its own request in an error of the training', async () => {
  const file = await seedFile(chat, 60);
  const training_file = fileIdOf(file.dataset_id);
  const unknown = await create({ training_file, model: 'gpt-4o-mini' });
  const batch = await create({ training_file, hyperparameters: { batch_size: 10_000 } });
  const missing = await create({ training_file: 'file-nothing' });
  const strange = await create({ training_file }, strangerTo(owner));

  expect(unknown.problem.error).toMatchObject({ code: 'model_unsupported', param: 'model' });
  expect(batch.problem.error).toMatchObject({ code: 'invalid_request', param: 'hyperparameters.batch_size' });
  expect(batch.problem.message).toMatch(/^hyperparameters\.batch_size: .* or "auto", which always fits$/);
  const few = await seedFile(chat, 2);
  const { problem } = await create({ training_file: fileIdOf(few.dataset_id) });
  expect(problem.message).toMatch(/^training_file: has 2 rows/);
  expect(missing.status).toBe(404);
  expect(strange.status).toBe(404);
});

test('a job waits for a file that is being read, and asks to repeat where that takes long', async () => {
  const file = await seedFile(chat, 60);
  const reading = { ...file, state: 'ingesting' as const };
  let looks = 0;
  const createWhile = (states: readonly DatasetRecord[]) => {
    looks = 0;
    return world.call(
      handler,
      { as: owner, body: { model: SMALL_MODEL, training_file: file.dataset_id } },
      {
        datasets: { require: async () => states[Math.min(looks++, states.length - 1)] as DatasetRecord },
        clock: { sleep: async () => undefined },
      },
    );
  };

  const waited = await createWhile([reading, reading, file]);
  const late = await createWhile([reading]);

  expect(waited.status).toBe(200);
  expect(late.status).toBe(409);
  expect(late.headers).toMatchObject({ 'x-should-retry': 'true' });
});
