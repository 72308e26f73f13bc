import { beforeEach, describe, expect, test } from 'vitest';
import { readCells } from '#shared/answers/decide/read-cells.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { VersionRecord } from '#shared/datasets/decide/versions.ts';
import { checkCombination } from '#shared/growth/check-combination.ts';
import { combineRows } from '#shared/growth/combine-rows.ts';
import { combinedDataset } from '#shared/growth/decide/combine/combined-dataset.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { inferColumns } from '#shared/training/decide/columns.ts';
import { columnsOfExamples, readExample } from '#shared/training/decide/example.ts';
import { readTrainingSource } from '#shared/training/training-source.ts';
import { answerOf, finishBatches, questionOf, startRun } from '#test/helpers/active-run.ts';
import { manifestOf, portsOfRows, rowsOf, seedRows } from '#test/helpers/combining.ts';
import { NOW, seedTeam } from '#test/helpers/records.ts';
import { seedTrainedRow, TRAINED_ROWS, trainedExamples } from '#test/helpers/trained-rows.ts';
import { adaptVersion, answered } from '#test/helpers/versions.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

const HOUR_MS = 3_600_000;
const TYPES = { question: 'VARCHAR', answer: 'VARCHAR' };

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
});

const line = (n: number): string => `{"question":"q${n}","answer":"a${n}"}`;
const lines = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, n) => line(from + n));

/** A merge that is launched and has not begun. */
async function launch(sources: readonly DatasetRecord[]): Promise<RunContext> {
  const ids = sources.map(({ dataset_id }) => dataset_id);
  const checked = await checkCombination({ ...world.store, objects: world.objects }, owner, ids);
  expect(checked.validation).toMatchObject({ compatible: true });
  const datasetId = crypto.randomUUID();
  const dataset = combinedDataset(owner, { name: 'All' }, sources, datasetId, NOW);
  const request = {
    sources: sources.map(({ dataset_id, last_run_id }) => ({ dataset_id, run_id: last_run_id })),
  };
  const runId = await world.launchRun({
    caller: owner,
    dataset,
    isNew: true,
    pipeline: 'combine',
    request,
    decide: () => ({ credits: 0, rows: null, response: (id) => id }),
    now: NOW,
  });
  return { run_id: runId, dataset_id: datasetId, team_id: owner.team_id };
}

const combine = (context: RunContext, secondsLeft = 3600) =>
  combineRows(portsOfRows(world), context, { deadlineMs: NOW + secondsLeft * 1000, now: NOW });

async function merge(...sources: DatasetRecord[]): Promise<{ id: string; rows: string[] }> {
  const context = await launch(sources);
  expect(await combine(context)).toEqual({ status: 'finished' });
  return { id: context.dataset_id, rows: await rowsOf(world, context.dataset_id) };
}

test('the rows are those of every source, each once, in order, byte for byte, over many chunks', async () => {
  const first = await seedRows(world, owner, TYPES, lines(0, 2500));
  const second = await seedRows(world, owner, TYPES, [
    '{"answer":"a\\u00e9\\n","question":"\u{1F600}"}',
    '{"question":"only"}',
  ]);
  const third = await seedRows(world, owner, TYPES, lines(2500, 4001));

  const { id, rows } = await merge(first, second, third);

  expect(rows).toEqual([
    ...lines(0, 2500),
    // Cells are as they were; their order is that of the columns.
    '{"question":"\u{1F600}","answer":"a\\u00e9\\n"}',
    '{"question":"only"}',
    ...lines(2500, 4001),
  ]);
  const manifest = await manifestOf(world, id);
  expect(manifest.row_count).toBe(4003);
  expect(manifest.chunks.map(({ key }) => key)).toEqual(
    manifest.chunks.map((_, n) => objectKeys.rows(id, n)),
  );
});

test('the rows of a version that was deleted since the launch are missed, which says what to do', async () => {
  const active = await startRun(world, { rows: 5 });
  owner = active.caller;
  await finishBatches(world, active, () => 'changed');
  const { run_id, dataset_id } = active.run;
  await world.endRun({ dataset_id, run_id, error: null, billedCredits: 0, now: NOW });
  const adapted = await world.store.datasets.require(owner, dataset_id);
  const context = await launch([adapted, await seedRows(world, owner, TYPES, [line(9)])]);
  await adaptVersion(world, owner, adapted, answered);
  const { versions } = await world.store.versions.list(dataset_id, { before: null, limit: 10 });
  const version = versions.find((each) => each.run_id === run_id);
  expect(version).toBeDefined();
  expect(await world.store.versions.delete(version as VersionRecord, NOW)).toBeNull();

  await expect(combine(context)).rejects.toMatchObject({
    code: 'run_interrupted',
    message: expect.stringContaining('Start again'),
  });
});

test('the rows of an adapted source are what its download shows', async () => {
  const active = await startRun(world, {
    rows: 5,
    request: { recipe_specification: { recipes: { deduplication: true } } },
  });
  owner = active.caller;
  await finishBatches(world, active, (row) => (row === 1 ? 'dropped' : row === 2 ? 'kept' : 'changed'));
  const { run_id, dataset_id } = active.run;
  const counts = {
    total: 5,
    changed: 3,
    kept: 1,
    dropped: 1,
    failed: 0,
    not_selected: 0,
    expanded: 0,
    expansion_failed: 0,
  };
  await world.endRun({ dataset_id, run_id, error: null, billedCredits: 0, counts, now: NOW });
  const adapted = await world.store.datasets.require(owner, dataset_id);
  const raw = await seedRows(world, owner, TYPES, [line(9)]);

  const { id, rows } = await merge(adapted, raw);

  expect(rows.map((row) => JSON.parse(row))).toEqual([
    ...[0, 2, 3, 4].map((row) => ({
      question: questionOf(row),
      answer: answerOf(row),
      enhanced_prompt: `${row === 2 ? '' : 'better '}${questionOf(row)}`,
      enhanced_completion: `${row === 2 ? '' : 'better '}${answerOf(row)}`,
      note: row,
      prompt_safety_issues: null,
      response_safety_issues: null,
    })),
    { question: 'q9', answer: 'a9', enhanced_prompt: 'q9', enhanced_completion: 'a9' },
  ]);
  expect((await world.store.datasets.require(owner, id)).configured_column_mapping).toEqual({
    prompt: 'enhanced_prompt',
    completion: 'enhanced_completion',
    context: [],
  });
});

test('the rows whose column has another type elsewhere are cast', async () => {
  const numbers = await seedRows(world, owner, { ...TYPES, id: 'BIGINT' }, [
    '{"question":"q","answer":"a","id":12345678901234567890}',
    '{"question":"q","answer":"a","id":null}',
  ]);
  const texts = await seedRows(world, owner, { ...TYPES, id: 'VARCHAR' }, [
    '{"question":"q","answer":"a","id":"x"}',
  ]);

  const { id, rows } = await merge(numbers, texts);

  expect(rows.map((row) => JSON.parse(row).id)).toEqual(['12345678901234567890', null, 'x']);
  expect((await manifestOf(world, id)).columns.find(({ name }) => name === 'id')?.type).toBe('VARCHAR');
});

test('what is known of the columns comes of most of the rows: conversations, images, cells that are empty', async () => {
  const chat = '[{"role":"user","content":"hi"},{"role":"assistant","content":"ho"}]';
  const types = { ...TYPES, chat: 'JSON', none: 'VARCHAR' };
  const whole = await seedRows(world, owner, types, [
    `{"question":"q","answer":"a","chat":${chat},"none":null}`,
  ]);
  const broken = await seedRows(world, owner, types, [
    `{"question":"q","answer":"a","chat":${chat}}`,
    '{"question":"q","answer":"a","chat":"no chat","none":""}',
  ]);
  const chats = await seedRows(
    world,
    owner,
    types,
    Array<string>(3).fill(`{"question":"q","answer":"a","chat":${chat}}`),
  );
  const profilesOf = async (...sources: DatasetRecord[]) => {
    const { columns } = await world.store.datasets.require(owner, (await merge(...sources)).id);
    return Object.fromEntries((columns ?? []).map(({ name, profile }) => [name, profile]));
  };

  expect(await profilesOf(whole, broken)).toMatchObject({
    chat: { not_chat: { row: 2 } },
    none: { is_empty: true },
  });
  expect(await profilesOf(chats, broken)).toMatchObject({ chat: { not_chat: null } });
});

describe('conversations and texts of one role become conversations', () => {
  const TURNS = [
    { role: 'system', content: 's' },
    { role: 'user', content: 'hi' },
  ];
  const REPLY = { role: 'assistant', content: 'ho' };
  /** The examples that a training takes of a merged dataset. */
  async function examplesOf(id: string, rows: readonly string[]) {
    const { runs } = world.store;
    const dataset = await world.store.datasets.require(owner, id);
    const columns = inferColumns(await readTrainingSource({ runs, objects: world.objects }, dataset));
    return rows.map((row, n) => readExample(columns, readCells(row, columnsOfExamples(columns)), n));
  }
  const text = { row: 1, messages: [{ role: 'user', content: 'q9' }], completion: 'a9' };
  const talk = { row: 0, messages: TURNS, completion: 'ho' };

  test('of whole conversations, and of prompts with their answers', async () => {
    const chat = await seedRows(
      world,
      owner,
      { chat: 'JSON' },
      [JSON.stringify({ chat: [...TURNS, REPLY] })],
      {
        configured_column_mapping: { chat: 'chat', context: [] },
      },
    );
    const texts = await seedRows(world, owner, TYPES, [line(9), '{"question":null,"answer":null}']);

    const { id, rows } = await merge(chat, texts);

    expect(rows.map((row) => JSON.parse(row).chat)).toEqual([
      [...TURNS, REPLY],
      [
        { role: 'user', content: 'q9' },
        { role: 'assistant', content: 'a9' },
      ],
      null,
    ]);
    expect((await examplesOf(id, rows)).slice(0, 2)).toEqual([talk, text]);
  });

  const SPLIT = { enhanced_prompt: 'VARCHAR', enhanced_completion: 'VARCHAR' };
  const split = () =>
    seedRows(
      world,
      owner,
      SPLIT,
      [JSON.stringify({ enhanced_prompt: JSON.stringify(TURNS), enhanced_completion: 'ho' })],
      {
        columns: Object.entries(SPLIT).map(([name, type]) => ({ name, type })),
        configured_column_mapping: {
          prompt: 'enhanced_prompt',
          completion: 'enhanced_completion',
          context: [],
        },
      },
    );

  test('of the turns before an answer, and of prompts', async () => {
    const { id, rows } = await merge(await split(), await seedRows(world, owner, TYPES, [line(9)]));

    expect(await examplesOf(id, rows)).toEqual([talk, text]);
  });

  test('of whole conversations, and of the turns before an answer', async () => {
    const chat = await seedRows(
      world,
      owner,
      { turns: 'VARCHAR' },
      [
        JSON.stringify({
          turns: JSON.stringify([
            { role: 'user', content: 'q9' },
            { role: 'assistant', content: 'a9' },
          ]),
        }),
      ],
      { configured_column_mapping: { chat: 'turns', context: [] } },
    );

    const { id, rows } = await merge(await split(), chat);

    expect(await examplesOf(id, rows)).toEqual([talk, text]);
  });

  test('of answers that call tools, with the tools of their prompts', async () => {
    const chat = await seedRows(
      world,
      owner,
      { chat: 'JSON' },
      [JSON.stringify({ chat: [...TURNS, REPLY] })],
      {
        configured_column_mapping: { chat: 'chat', context: [] },
      },
    );
    const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }];
    const call = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'weather', arguments: '{}' } }],
    };
    const prompt = { messages: [{ role: 'user', content: 'Warm?' }], tools };
    const split = await seedRows(
      world,
      owner,
      { p: 'JSON', a: 'VARCHAR' },
      [
        JSON.stringify({ p: prompt, a: JSON.stringify([call]) }),
        JSON.stringify({ p: [...TURNS, REPLY], a: 'hey' }),
      ],
      { configured_column_mapping: { prompt: 'p', completion: 'a', context: [] } },
    );

    const { rows } = await merge(chat, split);

    expect(rows.slice(1).map((row) => JSON.parse(row).chat)).toEqual([
      { messages: [prompt.messages[0], call], tools },
      [...TURNS, { role: 'assistant', content: 'hey' }],
    ]);
  });

  test('of the answers of pairs', async () => {
    const types = { p: 'VARCHAR', chosen: 'JSON', rejected: 'JSON' };
    const reply = (content: string) => [
      { role: 'user', content: 'p' },
      { role: 'assistant', content },
    ];
    const mapped = (prompt: string) => ({
      configured_column_mapping: { prompt, chosen: 'chosen', rejected: 'rejected', context: [] },
    });
    const conversations = await seedRows(
      world,
      owner,
      types,
      [JSON.stringify({ p: 'p', chosen: reply('good'), rejected: reply('bad') })],
      mapped('p'),
    );
    const texts = await seedRows(
      world,
      owner,
      { q: 'VARCHAR', chosen: 'VARCHAR', rejected: 'VARCHAR' },
      ['{"q":"q","chosen":"better","rejected":"worse"}'],
      mapped('q'),
    );

    const { id, rows } = await merge(conversations, texts);

    expect(await examplesOf(id, rows)).toEqual([
      { row: 0, messages: [{ role: 'user', content: 'p' }], chosen: 'good', rejected: 'bad' },
      { row: 1, messages: [{ role: 'user', content: 'q' }], chosen: 'better', rejected: 'worse' },
    ]);
  });
});

type TrainedRow = (typeof TRAINED_ROWS)[string];
/** Whether a context column of one row is another column of the other. */
const differsIn = ([, { context = [] }]: TrainedRow, [row, mapping]: TrainedRow): boolean =>
  context.some((name) => name in row && mapping.context?.includes(name) !== true);

test.each(Object.entries(TRAINED_ROWS))(
  'each row of a merge is trained on as it was before, of %s and of any other kind',
  async (kind, given) => {
    for (const [other, beside] of Object.entries(TRAINED_ROWS)) {
      const sources = [await seedTrainedRow(world, owner, given), await seedTrainedRow(world, owner, beside)];
      const before = await Promise.all(
        sources.map(({ dataset_id }) => trainedExamples(world, owner, dataset_id)),
      );

      const { validation } = await checkCombination(
        { ...world.store, objects: world.objects },
        owner,
        sources.map(({ dataset_id }) => dataset_id),
      );
      // Of a column that is context of one source and an ordinary one of the other the merge says that it is no context.
      const isLost = validation.issues.some(({ message }) => message.includes('is context of'));
      if (isLost && (differsIn(given, beside) || differsIn(beside, given))) continue;

      const { id } = await merge(...sources);

      // Beside instructions a pair is its better answer, and context may have another name, which the prompt says.
      const isPairs = [given, beside].every(([, mapping]) => 'chosen' in mapping);
      const known = before.flat().map((example) => {
        if (!('chosen' in example) || isPairs) return example;
        const { chosen, rejected: _, ...others } = example;
        return { ...others, completion: chosen };
      });
      const examples = JSON.stringify(await trainedExamples(world, owner, id));
      expect(JSON.parse(examples.replaceAll('original_', '')), `${kind} with ${other}`).toEqual(known);
    }
  },
);

test('each row of a merge keeps the turns before its prompt, whatever another source has in a column of that name', async () => {
  const talk = await seedTrainedRow(world, owner, [
    { question: 'And in winter?', answer: 'A coat.', history: [['In Oslo?', 'A jacket.']] },
    { prompt: 'question', completion: 'answer' },
  ]);
  const types = { question: 'VARCHAR', answer: 'VARCHAR', history: 'VARCHAR' };
  const notes = JSON.stringify({ question: 'q', answer: 'a', history: 'Diabetes since 2019.' });
  const patients = await seedRows(world, owner, types, [notes, notes, notes]);
  const before = [
    ...(await trainedExamples(world, owner, talk.dataset_id)),
    ...(await trainedExamples(world, owner, patients.dataset_id)),
  ];

  const { id, rows } = await merge(talk, patients);

  expect(await trainedExamples(world, owner, id)).toEqual(before);
  expect(rows.slice(1).map((row) => JSON.parse(row).original_history)).toEqual(
    Array(3).fill('Diabetes since 2019.'),
  );
});

test('the answers of one source are trained on beside the prompts of another, which has none', async () => {
  const answered = await seedRows(world, owner, TYPES, [line(0)]);
  const asked = await seedRows(world, owner, { ask: 'VARCHAR' }, ['{"ask":"q1"}'], {
    configured_column_mapping: { prompt: 'ask', context: [] },
  });

  const { id } = await merge(asked, answered);

  expect((await world.store.datasets.require(owner, id)).configured_column_mapping).toEqual({
    prompt: 'enhanced_prompt',
    completion: 'answer',
    context: [],
  });
  expect(await trainedExamples(world, owner, id)).toEqual([
    { skip: 'no completion' },
    { row: 0, messages: [{ role: 'user', content: 'q0' }], completion: 'a0' },
  ]);
});

test('what is known of the columns holds for images too, whose files come along under names of their own', async () => {
  const format = { image_column_formats: { picture: 'file_reference' } } as const;
  const types = { ...TYPES, picture: 'VARCHAR' };
  const row = '{"question":"q","answer":"a","picture":"a.png"}';
  const sources = [
    await seedRows(world, owner, types, [row, '{"question":"q","answer":"a","picture":"lost.png"}'], format),
    await seedRows(world, owner, types, [row], format),
  ];
  for (const { dataset_id } of sources) {
    await world.objects.write(objectKeys.file(dataset_id, 'a.png'), `of ${dataset_id}`, 'image/png');
  }

  const { id, rows } = await merge(...sources);

  const [first, lost, second] = rows.map((each) => JSON.parse(each).picture as string);
  expect(lost).toBe('lost.png');
  expect(world.objects.text(objectKeys.file(id, first ?? ''))).toBe(`of ${sources[0]?.dataset_id}`);
  expect(world.objects.text(objectKeys.file(id, second ?? ''))).toBe(`of ${sources[1]?.dataset_id}`);
  expect((await world.store.datasets.require(owner, id)).image_column_formats).toEqual({
    picture: 'file_reference',
  });
});

test('an invocation whose time is short leaves the next source to the next, which takes none again', async () => {
  const sources = [
    await seedRows(world, owner, TYPES, lines(0, 10)),
    await seedRows(world, owner, TYPES, lines(10, 20)),
  ];
  const context = await launch(sources);

  expect(await combine(context, 60)).toEqual({ status: 'unfinished' });
  expect((await world.store.datasets.find(context.dataset_id))?.row_count).toBeNull();
  const [first] = sources;
  await world.objects.remove([objectKeys.rows(first?.dataset_id ?? '', 0)]);
  expect(await combine(context, 60)).toEqual({ status: 'finished' });

  expect(await rowsOf(world, context.dataset_id)).toEqual(lines(0, 20));
});

test('an invocation that is repeated once all is done changes nothing', async () => {
  const context = await launch([
    await seedRows(world, owner, TYPES, lines(0, 2)),
    await seedRows(world, owner, TYPES, lines(2, 4)),
  ]);
  await combine(context);

  expect(await combine(context)).toEqual({ status: 'finished' });
  expect(await rowsOf(world, context.dataset_id)).toEqual(lines(0, 4));
});

test('an invocation fails where a source was deleted, or lost its rows, and the dataset stays without any', async () => {
  const sources = [
    await seedRows(world, owner, TYPES, lines(0, 2)),
    await seedRows(world, owner, TYPES, lines(2, 4)),
  ];
  const lost = await launch(sources);
  await world.objects.remove([objectKeys.rows(sources[1]?.dataset_id ?? '', 0)]);
  await expect(combine(lost)).rejects.toMatchObject({ code: 'run_interrupted' });
  expect((await world.store.datasets.find(lost.dataset_id))?.manifest_key).toBeNull();

  const gone = await launch(sources);
  await world.store.datasets.delete(owner, sources[0]?.dataset_id ?? '', NOW);
  await expect(combine(gone)).rejects.toMatchObject({ code: 'run_interrupted' });
});

test('an invocation that comes after the run has ended writes no row count', async () => {
  const context = await launch([
    await seedRows(world, owner, TYPES, lines(0, 2)),
    await seedRows(world, owner, TYPES, lines(2, 4)),
  ]);
  const error = { code: 'run_timed_out', message: 'Too long.', level: 'error' } as const;
  await world.endRun({ ...context, error, billedCredits: 0, now: NOW + HOUR_MS });

  await expect(combine(context)).rejects.toMatchObject({ code: 'run_interrupted' });
  expect((await world.store.datasets.find(context.dataset_id))?.row_count).toBeNull();
});
