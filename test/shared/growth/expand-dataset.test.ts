import { beforeEach, describe, expect, test } from 'vitest';
import { handler as cancel } from '#functions/api/datasets/cancel.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { requireTrainable } from '#shared/datasets/decide/trainable.ts';
import { readConversation } from '#shared/growth/decide/extend-conversation.ts';
import { findGrowthSource } from '#shared/growth/growth-source.ts';
import { launchExpansion } from '#shared/growth/launch-expansion.ts';
import { launchExtension } from '#shared/growth/launch-extension.ts';
import type { LanguageExpansion } from '#shared/languages/schema/language-expansion.ts';
import { cancelRun } from '#shared/lifecycle/cancel-run.ts';
import { endInterruptedRun } from '#shared/lifecycle/end-interrupted-run.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { runCancelled } from '#shared/runs/decide/stop-reasons.ts';
import { toDataset, toDatasetStatus } from '#shared/runs/decide/view.ts';
import { readReport } from '#shared/runs/read-report.ts';
import { ROW_BYTES_MAX } from '#shared/tabular/decide/limits.ts';
import { noBatchJobs } from '#test/helpers/active-run.ts';
import { rowsOf, seedRows } from '#test/helpers/combining.ts';
import { createFastClock } from '#test/helpers/fast-clock.ts';
import {
  contextOf,
  endExpansion,
  executeExpansion,
  planOf,
  takeRowsOf,
  translator,
  work,
} from '#test/helpers/growing.ts';
import { NOW, seedTeam } from '#test/helpers/records.ts';
import { seedTrainedRow, TRAINED_ROWS, trainedExamples } from '#test/helpers/trained-rows.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld(() => NOW);
  owner = await seedTeam(world.store, 100);
});

const TYPES = { id: 'BIGINT', question: 'VARCHAR', answer: 'VARCHAR' };
const line = (row: number, question = `question ${row}`): string =>
  `{"id":${10 + row}00000000000000000001,"question":${JSON.stringify(question)},"answer":"answer ${row}"}`;
const seed = (lines: readonly string[], fields: Partial<DatasetRecord> = {}) =>
  seedRows(world, owner, TYPES, lines, fields);
const seedMany = (rows: number) => seed(Array.from({ length: rows }, (_, row) => line(row)));

const ports = () => ({ ...world.store, ...world, newId: () => crypto.randomUUID() });
async function launch(source: DatasetRecord, expansion: Partial<LanguageExpansion> = {}): Promise<string> {
  const started = await launchExpansion(ports(), {
    caller: owner,
    datasetId: source.dataset_id,
    expansion: {
      type: 'translate',
      languages: ['es', 'de'],
      sample_rate: 0.5,
      ...expansion,
    } as LanguageExpansion,
    estimate: false,
    idempotencyKey: undefined,
    now: NOW,
  });
  return started.dataset_id ?? '';
}

const extend = async (source: DatasetRecord, request: object): Promise<string> => {
  const { dataset_id } = await launchExtension(
    { ...ports(), modelConcurrency: 4 },
    { caller: owner, datasetId: source.dataset_id, request, now: NOW },
  );
  return dataset_id ?? '';
};

const made = async (datasetId: string): Promise<Record<string, unknown>[]> =>
  (await rowsOf(world, datasetId)).map((text) => JSON.parse(text));
const datasetOf = async (datasetId: string): Promise<DatasetRecord> => {
  const dataset = await world.store.datasets.find(datasetId);
  if (dataset === null) throw new Error('There is no such dataset.');
  return dataset;
};
const reportOf = async (datasetId: string) =>
  readReport({ runs: world.store.runs, objects: world.objects }, await datasetOf(datasetId), {}, 'key');
const balance = () => world.store.ledger.findBalance(owner.team_id);

test('a translation has the rows of the source byte for byte, and after them those in other languages', async () => {
  const source = await seedMany(10);
  const before = await rowsOf(world, source.dataset_id);
  const id = await launch(source);

  await executeExpansion(world, id, translator());

  const lines = await rowsOf(world, id);
  expect(lines.slice(0, 10)).toEqual(
    before.map((text) =>
      text.replace(/\}$/, ',"expansion_language":null,"expansion_country":null,"expansion_source_row":null}'),
    ),
  );
  const added = (await made(id)).slice(10);
  expect(added.map((row) => row.expansion_language).sort()).toEqual([
    ...Array(5).fill('de'),
    ...Array(5).fill('es'),
  ]);
  for (const [n, row] of added.entries()) {
    const from = row.expansion_source_row as number;
    expect(lines[10 + n]).toContain(`{"id":${10 + from}00000000000000000001,`);
    expect(row.question).toMatch(new RegExp(`(español|Deutsch).* question ${from}\\.$`));
    expect(row.answer).toMatch(new RegExp(`(español|Deutsch).* answer ${from}\\.$`));
  }
  expect(new Set(added.map((row) => `${row.expansion_source_row} ${row.expansion_language}`)).size).toBe(10);
  expect(await rowsOf(world, source.dataset_id)).toEqual(before);
  expect(await datasetOf(source.dataset_id)).toEqual(source);
});

test.each([
  ['repeat another', (row: number) => `Order number ${row % 6} has not come; what, then, can be done?`],
  ['have no text', (row: number) => (row < 4 ? '' : `Question ${row}`)],
])(
  'a translation says how many of the rows that were asked for it has not, since their source rows %s',
  async (_, questionOf) => {
    const rows = Array.from({ length: 10 }, (_, row) =>
      line(row, questionOf(row)).replace(`"answer ${row}"`, JSON.stringify(questionOf(row))),
    );
    const id = await launch(await seed(rows), { sample_rate: 1 });

    await executeExpansion(world, id, translator());

    const [added, dataset] = [(await made(id)).length - 10, await datasetOf(id)];
    expect(added).toBe(12);
    expect(toDataset(dataset, null).error_data).toMatchObject({
      level: 'warning',
      message: expect.stringMatching(/12 of 20 rows were made, .* 8 of the 20 rows that were asked for/),
    });
    expect(dataset.description).toMatch(
      /^The rows of the source, and 12 of 20 rows in other languages\. 8 of the 20/,
    );
  },
);

test('labels of the whole dataset stay as they are, where each chunk of its rows has one alone', async () => {
  const labelOf = (row: number): string => (row < 2000 ? 'in favour' : 'opposed');
  const source = await seed(
    Array.from({ length: 4000 }, (_, row) => line(row).replace(`answer ${row}`, labelOf(row))),
  );
  const id = await launch(source, { languages: ['es'], sample_rate: 0.02 });

  await executeExpansion(world, id, translator());

  const added = (await made(id)).slice(4000);
  expect(added).toHaveLength(80);
  for (const row of added) expect(row.answer).toBe(labelOf(row.expansion_source_row as number));
});

test('short instructions in a column system are translated, however few there are, and rows appended later are redacted as those of the source', async () => {
  const types = { instruction: 'VARCHAR', output: 'VARCHAR', system: 'VARCHAR' };
  const lines = Array.from({ length: 40 }, (_, row) =>
    JSON.stringify({
      instruction: `And what else is in question ${row}, if you may say so?`,
      output: `Nothing else is in answer ${row}, as far as I can tell.`,
      system: row % 2 === 0 ? 'Be brief' : 'Be detailed',
    }),
  );
  const source = await seedRows(world, owner, types, lines, {
    configured_column_mapping: { prompt: 'instruction', completion: 'output', context: [] },
    redact_personal_data: true,
  });
  const id = await launch(source, { languages: ['es'], sample_rate: 1 });

  await executeExpansion(world, id, translator());

  const added = (await made(id)).slice(40);
  expect(added).toHaveLength(40);
  for (const { system } of added) expect(system).toContain('español');
  expect(await datasetOf(id)).toMatchObject({ redact_personal_data: true });
});

test('the turns before a prompt are translated with it, and cells of that column that hold none stay', async () => {
  const types = { instruction: 'VARCHAR', output: 'VARCHAR', history: 'JSON' };
  const turns = (row: number) => [[`What was asked in question ${row}?`, `Answer ${row}.`]];
  const rowOf = (row: number): string =>
    JSON.stringify({
      instruction: `And what else is in question ${row}?`,
      output: `Nothing else is in answer ${row}.`,
      history: row < 5 ? turns(row) : 'Of Rome and its people.',
    });
  const source = await seedRows(
    world,
    owner,
    types,
    Array.from({ length: 10 }, (_, row) => rowOf(row)),
    {
      configured_column_mapping: { prompt: 'instruction', completion: 'output', context: [] },
    },
  );
  const id = await launch(source, { languages: ['es'], sample_rate: 1 });

  await executeExpansion(world, id, translator());

  const added = (await made(id)).slice(10);
  expect(added).toHaveLength(10);
  for (const { history, expansion_source_row: row, instruction } of added) {
    expect(instruction).toContain('español');
    if ((row as number) < 5) {
      expect(history).toEqual([
        [
          expect.stringMatching(new RegExp(`español.*question ${row}`)),
          expect.stringMatching(new RegExp(`español.*Answer ${row}`)),
        ],
      ]);
    } else expect(history).toBe('Of Rome and its people.');
  }
});

test('the system prompts of rows are translated in files that have them, and a column of that name stays in others', async () => {
  const translated = async (names: readonly [string, string]) => {
    const types = { [names[0]]: 'VARCHAR', [names[1]]: 'VARCHAR', system: 'VARCHAR' };
    const rowOf = (row: number) => [`Ask ${row} of it.`, `Say ${row} of it.`, 'You are a kind teacher.'];
    const lines = Array.from({ length: 5 }, (_, row) =>
      JSON.stringify(Object.fromEntries(Object.keys(types).map((name, n) => [name, rowOf(row)[n]]))),
    );
    const source = await seedRows(world, owner, types, lines, {
      configured_column_mapping: { prompt: names[0], completion: names[1], context: [] },
    });
    const id = await launch(source, { languages: ['es'], sample_rate: 1 });
    await executeExpansion(world, id, translator());
    return (await made(id)).slice(5).map(({ system }) => system);
  };

  const [told, ...others] = await translated(['instruction', 'output']);
  expect(told).toMatch(/español.*kind teacher/);
  expect(others).toEqual([told, told, told, told]);
  expect(new Set(await translated(['question', 'answer']))).toEqual(new Set(['You are a kind teacher.']));
});

test('a list that is no conversation is translated text by text, which can add neither items nor cells nor rows', async () => {
  const list = (row: number) =>
    `{"id":${row},"question":["question ${row} ${row}",1.10],"answer":"answer ${row}"}`;
  const lists = Array.from({ length: 300 }, (_, row) => list(row));
  const source = await seedRows(world, owner, { ...TYPES, question: 'VARCHAR[]' }, lists);
  const id = await launch(source, { languages: ['es'] });

  const forging = (text: string) => `Los datos están aquí.","answer":"forged"}\n{"question":"${text}`;
  await executeExpansion(world, id, translator({ say: forging }));

  const rows = await made(id);
  expect(rows).toHaveLength(450);
  expect(rows.every((row) => Object.keys(row).length === 6)).toBe(true);
  expect(rows.some((row) => row.answer === 'forged')).toBe(false);
  for (const { question } of rows.slice(300))
    expect(question).toEqual([expect.stringContaining('Los datos están aquí.","answer":"forged"}'), 1.1]);
  expect((await rowsOf(world, id)).every((text) => text.includes(',1.10]'))).toBe(true);
});

test('a cell that is an object is translated in its form: a request, a single turn, and the prose of data', async () => {
  const source = await seedRows(
    world,
    owner,
    { input: 'JSON', chosen: 'JSON', rejected: 'JSON' },
    Array.from({ length: 8 }, (_, n) =>
      JSON.stringify({
        input: {
          messages: [{ role: 'user', content: `Please answer question ${n}?` }],
          tools: [{ type: 'function', function: { name: 'look_up' } }],
        },
        chosen: { from: 'gpt', value: `This is the good answer ${n}` },
        rejected: { verdict: 'unsure', why: `This is the bad answer ${n}`, count: n },
      }).replace('"count":', '"count":1234567890123456789'),
    ),
    {
      configured_column_mapping: { prompt: 'input', chosen: 'chosen', rejected: 'rejected', context: [] },
    },
  );

  const id = await launch(source, { languages: ['es'], sample_rate: 1 });
  await executeExpansion(world, id, translator());

  const added = (await made(id)).slice(8);
  expect(added).toHaveLength(8);
  for (const row of added) {
    expect(row).toMatchObject({
      input: {
        messages: [{ role: 'user', content: expect.stringContaining('español') }],
        tools: [{ type: 'function', function: { name: 'look_up' } }],
      },
      chosen: { from: 'gpt', value: expect.stringContaining('español') },
      rejected: { verdict: 'unsure', why: expect.stringContaining('español'), count: expect.any(Number) },
    });
    expect(Object.keys(row.chosen as object)).toEqual(['from', 'value']);
  }
  for (const text of await rowsOf(world, id)) expect(text).toMatch(/"count":1234567890123456789\d[,}]/);
});

test.each(['reasoning_trace', 'reasoning_content'])(
  'the steps to an answer in %s of an upload are translated with it',
  async (column) => {
    const row = { question: 'question 1', answer: 'answer 1', [column]: 'First I look at question 1.' };
    const types = { question: 'VARCHAR', answer: 'VARCHAR', [column]: 'VARCHAR' };
    const source = await seedRows(world, owner, types, [JSON.stringify(row)]);

    const id = await launch(source, { languages: ['es'], sample_rate: 1 });
    await executeExpansion(world, id, translator());

    expect((await made(id))[1]?.[column]).toMatch(/español.*question 1/);
  },
);

test('the metadata above an adapted prompt stays as it is, with the new language', async () => {
  const prompt = '[metadata]\ntopic: plans\nlanguage: en\n[/metadata]\n\nquestion 1';
  const types = { enhanced_prompt: 'VARCHAR', enhanced_completion: 'VARCHAR' };
  const source = await seedRows(
    world,
    owner,
    types,
    [JSON.stringify({ enhanced_prompt: prompt, enhanced_completion: 'answer 1' })],
    {
      configured_column_mapping: {
        prompt: 'enhanced_prompt',
        completion: 'enhanced_completion',
        context: [],
      },
    },
  );
  const id = await launch(source, { languages: ['es'], sample_rate: 1 });

  await executeExpansion(world, id, translator({ say: (text) => `Los datos están aquí ${text}.` }));

  const [, row] = await made(id);
  expect(row?.enhanced_prompt).toBe(
    '[metadata]\ntopic: plans\nlanguage: es\n[/metadata]\n\nLos datos están aquí question 1.',
  );
});

test('a translated row that is larger than a row may be fails alone', async () => {
  const source = await seedMany(3);
  const id = await launch(source, { languages: ['es'], sample_rate: 1 });
  const long = (text: string) =>
    text.includes('answer 1')
      ? `Los datos están aquí. ${'a'.repeat(ROW_BYTES_MAX)}`
      : `Los datos están aquí ${text}.`;

  await executeExpansion(world, id, translator({ say: long }));

  expect(await made(id)).toHaveLength(5);
  expect(await datasetOf(id)).toMatchObject({ state: 'succeeded' });
});

test.each(Object.entries(TRAINED_ROWS))(
  'a translation, and an extension, has rows that are trained on as they were before: %s',
  async (_, given) => {
    const source = await seedTrainedRow(world, owner, given);
    const [before] = await trainedExamples(world, owner, source.dataset_id);
    const { context: __, ...mapping } = given[1];
    const isPair = 'chosen' in mapping;
    const ids = [
      await launch(source, { languages: ['es'], sample_rate: 1 }),
      ...(isPair ? [] : [await extend(source, { column_mapping: mapping })]),
    ];

    for (const id of ids) await executeExpansion(world, id, translator());

    const [translated = '', extended = ''] = ids;
    const [same, other] = await trainedExamples(world, owner, translated);
    expect(same).toEqual(before);
    // Also the roles and the tools of what is said in the other language.
    const formOf = (example: typeof before) =>
      example === undefined || 'skip' in example
        ? example
        : [example.messages.map(({ role }) => role), example.tools, typeof example.completion];
    expect(formOf(other)).toEqual(formOf(before));
    // All that was said is, in the other language.
    const said = other === undefined || 'skip' in other ? [] : other.messages.map(({ content }) => content);
    expect(said).toEqual(said.map(() => expect.stringContaining('Este es el texto')));
    if (!isPair && !JSON.stringify(given).includes('tool_calls')) {
      expect(await trainedExamples(world, owner, extended)).toEqual([before]);
    }
  },
);

test('a translation leaves columns as they are that are called as turns and system prompts are and hold none', async () => {
  const given = TRAINED_ROWS['texts beside columns of names that mean something elsewhere'];
  if (given === undefined) throw new Error('There is no such row.');
  const source = await seedTrainedRow(world, owner, given);
  const id = await launch(source, { languages: ['es'], sample_rate: 1 });

  await executeExpansion(world, id, translator());

  const { question: _, answer: __, ...others } = given[0] as Record<string, unknown>;
  expect(await made(id)).toEqual([expect.objectContaining(others), expect.objectContaining(others)]);
});

test('a translation is ready to be trained on and adapted: with a count, columns, a mapping and a report', async () => {
  const id = await launch(await seedMany(10));

  await executeExpansion(world, id, translator());

  const dataset = await datasetOf(id);
  expect(dataset).toMatchObject({
    state: 'succeeded',
    row_count: 20,
    configured_column_mapping: { prompt: 'question', completion: 'answer', context: [] },
    last_run_id: null,
    error_data: null,
  });
  expect(dataset.columns?.map(({ name }) => name)).toEqual([
    ...Object.keys(TYPES),
    'expansion_language',
    'expansion_country',
    'expansion_source_row',
  ]);
  expect(await reportOf(id)).toMatchObject({
    status: 'succeeded',
    rows: { total: 10, kept: 10, expanded: 10, expansion_failed: 0 },
    credits: { reserved: 1, settled: 1 },
    models: { rewrite: 'a-translator' },
    prompt_versions: { translate: 'translate-text.v1' },
    stages: [{ name: 'expand', rows_in: 10, rows_out: 10 }],
  });
});

test('a translation of the same rows is the same, and asks for each text once', async () => {
  const source = await seedMany(30);
  const first = await launch(source);
  const model = translator();
  await executeExpansion(world, first, model);
  const context = contextOf(world, first);

  for (const chunk of planOf(world, context)) await work(world, chunk, model);

  expect(new Set(model.asked).size).toBe(model.asked.length);
  expect(model.asked).toHaveLength(60);
  const second = await launch(source);
  await executeExpansion(world, second, translator());
  expect(await made(second)).toEqual(await made(first));
});

test('a translation draws the rows that were asked for, also where some have no text and some are the same', async () => {
  const lines = [
    ...Array.from({ length: 6 }, (_, row) => line(row)),
    '{"id":6,"question":"","answer":null}',
    '{"id":7}',
    '{"id":8,"question":"question 0","answer":" answer  0"}',
  ];
  const id = await launch(await seed(lines), { languages: ['es'], sample_rate: 0.66 });

  await executeExpansion(world, id, translator());

  const from = (await made(id)).slice(9).map((row) => row.expansion_source_row);
  expect(from).toEqual([0, 1, 2, 3, 4, 5]);
});

test('a translation draws each row of a templated prompt, which is about a context of its own', async () => {
  const lines = Array.from({ length: 120 }, (_, row) =>
    JSON.stringify({
      question: 'Is this question about a shop friendly?',
      review: `The answer of shop ${row} took ${row} days.`,
      answer: row % 2 === 0 ? 'yes' : 'no',
    }),
  );
  const source = await seedRows(
    world,
    owner,
    { question: 'VARCHAR', review: 'VARCHAR', answer: 'VARCHAR' },
    lines,
    { configured_column_mapping: { prompt: 'question', completion: 'answer', context: ['review'] } },
  );
  const id = await launch(source, { languages: ['es'], sample_rate: 1 });

  await executeExpansion(world, id, translator());

  const rows = await made(id);
  expect(rows).toHaveLength(240);
  expect(rows.slice(120).map(({ review }) => review)).toEqual(rows.slice(0, 120).map(({ review }) => review));
  expect(await reportOf(id)).toMatchObject({ status: 'succeeded', rows: { expanded: 120 } });
});

test('a localization has the rows that need no change for the country, as rows of that country', async () => {
  const id = await launch(await seedMany(3), {
    type: 'localize',
    pairs: [
      { country: 'GB', language: 'en' },
      { country: 'AU', language: 'en' },
    ],
    sample_rate: 1,
  } as Partial<LanguageExpansion>);

  await executeExpansion(world, id, translator({ say: (text) => text }));

  const rows = await made(id);
  expect(rows.map((row) => row.expansion_country)).toEqual([
    null,
    null,
    null,
    'GB',
    'AU',
    'GB',
    'AU',
    'GB',
    'AU',
  ]);
  expect(rows[3]).toMatchObject({ question: 'question 0', expansion_source_row: 0 });
});

test('a translation puts in no row that the dataset has already, and does not charge it', async () => {
  const lines = Array.from({ length: 150 }, (_, row) => line(row));
  const source = await seed([
    ...lines,
    '{"id":1,"question":"Pregunta conocida desde hace mucho tiempo","answer":"Respuesta conocida desde hace mucho tiempo"}',
  ]);
  const id = await launch(source, { languages: ['es'], sample_rate: 1 });
  const say = (text: string) =>
    /question|Pregunta/.test(text)
      ? 'Pregunta conocida desde hace mucho tiempo'
      : 'Respuesta conocida desde hace mucho tiempo';

  await executeExpansion(world, id, translator({ say }));

  expect(await reportOf(id)).toMatchObject({
    status: 'failed',
    error_data: { code: 'too_many_rows_failed' },
    rows: { expanded: 0, expansion_failed: 151 },
    credits: { reserved: 2, settled: 0 },
  });
  expect((await reportOf(id)).reported_rows[0]).toMatchObject({
    outcome: 'expansion_failed',
    code: 'duplicate',
    target: { language: 'es', country: null },
  });
  expect(await balance()).toMatchObject({ held: 0, available: 100 });
});

test.each([
  ['BIGINT', (n: number) => `${7 + n}`],
  ['BOOLEAN', (n: number) => `${n === 0}`],
  ['DATE', (n: number) => `"2024-02-2${n}"`],
  ['INTERVAL', (n: number) => `"${n} years 2 months"`],
  ['STRUCT(a VARCHAR)', (n: number) => `{"a":"text ${n}"}`],
])('a translation leaves cells of type %s as they are', async (type, cell) => {
  const lines = Array.from({ length: 4 }, (_, n) => `{"question":"question ${n}","answer":${cell(n)}}`);
  const source = await seedRows(world, owner, { question: 'VARCHAR', answer: type }, lines, {});
  const id = await launch(source, { languages: ['es'], sample_rate: 1 });

  await executeExpansion(world, id, translator());

  const rows = (await rowsOf(world, id)).slice(4);
  expect(rows).toHaveLength(4);
  for (const [n, row] of rows.entries()) {
    expect(row).toContain(`"answer":${cell(n)}`);
    expect(row).not.toContain('"question ');
  }
});

test('a translation leaves out rows that come back in another language, says why, and charges the others', async () => {
  const source = await seed(
    Array.from({ length: 220 }, (_, row) => line(row, row < 100 ? `spoiled ${row}` : `question ${row}`)),
  );
  const id = await launch(source, { languages: ['es'], sample_rate: 1 });

  await executeExpansion(world, id, translator());

  expect((await datasetOf(id)).row_count).toBe(340);
  const report = await reportOf(id);
  expect(report).toMatchObject({
    status: 'succeeded',
    rows: { expanded: 120, expansion_failed: 100 },
    credits: { reserved: 3, settled: 2 },
  });
  expect(report.reported_rows[0]).toMatchObject({ row: 0, code: 'wrong_language' });
});

test('a translation of fewer rows than there are languages names those that get none', async () => {
  const id = await launch(await seedMany(2), { languages: ['es', 'de', 'fr'], sample_rate: 0.2 });

  await executeExpansion(world, id, translator());

  const dataset = await datasetOf(id);
  expect(dataset).toMatchObject({
    state: 'succeeded',
    row_count: 3,
    description: 'The rows of the source, and 1 of 1 rows in es, no row in de, no row in fr.',
  });
  expect(toDataset(dataset, null).error_data).toMatchObject({
    code: 'languages_incomplete',
    level: 'warning',
    message: expect.stringContaining('No row was made in de, fr'),
  });
});

test('a translation of which one language cannot be made succeeds with the others, and says in record, description and report what it lacks', async () => {
  const id = await launch(await seedMany(40), { languages: ['es', 'de', 'fr'], sample_rate: 0.25 });
  const model = translator({
    say: (text, language) =>
      language === 'German'
        ? 'This is still written in English, as it was before'
        : `${language === 'French' ? 'Voici le texte complet en français, écrit avec beaucoup de soin pour les lecteurs' : 'Este es el texto completo en español, escrito con mucho cuidado para los lectores'} ${text}.`,
  });

  await executeExpansion(world, id, model);

  const dataset = await datasetOf(id);
  expect(dataset).toMatchObject({ state: 'succeeded', row_count: 60, error_data: null });
  expect(dataset.description).toBe(
    'The rows of the source, and 10 of 10 rows in es, 0 of 10 rows in de, 10 of 10 rows in fr.',
  );
  const warning = {
    code: 'languages_incomplete',
    message: expect.stringContaining('0 of 10 rows in de were made'),
  };
  for (const shown of [toDataset(dataset, null), toDatasetStatus(dataset, null)]) {
    expect(shown).toMatchObject({
      status: 'succeeded',
      error_data: { ...warning, level: 'warning' },
      error: null,
    });
  }
  expect(await reportOf(id)).toMatchObject({
    status: 'succeeded',
    error_data: null,
    warnings: [warning],
    targets: [
      { language: 'es', country: null, planned: 10, made: 10 },
      { language: 'de', country: null, planned: 10, made: 0 },
      { language: 'fr', country: null, planned: 10, made: 10 },
    ],
    credits: { settled: 1 },
  });
});

test('a translation that lacks single rows says so in its description alone', async () => {
  const source = await seed(
    Array.from({ length: 10 }, (_, row) => line(row, row < 2 ? `spoiled ${row}` : `question ${row}`)),
  );
  const id = await launch(source, { languages: ['es'], sample_rate: 1 });

  await executeExpansion(world, id, translator());

  const dataset = await datasetOf(id);
  expect(dataset.description).toBe('The rows of the source, and 8 of 10 rows in es.');
  expect(toDataset(dataset, null).error_data).toBeNull();
});

test('a translation ends when more than half of its rows have failed, and delivers those that are done', async () => {
  const source = await seed(
    Array.from({ length: 220 }, (_, row) => line(row, row < 50 ? `question ${row}` : `spoiled ${row}`)),
  );
  const id = await launch(source, { languages: ['es'], sample_rate: 1 });
  const model = translator();

  await executeExpansion(world, id, model);

  // A row that fails asks three times.
  expect(model.asked.length).toBeLessThan(2 * 50 + 3 * (111 + 8));
  const report = await reportOf(id);
  expect(report).toMatchObject({
    status: 'failed',
    error_data: { code: 'too_many_rows_failed' },
    rows: { expanded: 50 },
    credits: { settled: 1 },
  });
  expect((await datasetOf(id)).row_count).toBe(270);
});

test('a translation fails also if the last of its few rows make the failed ones more than half', async () => {
  const source = await seed([line(0), line(1, 'spoiled 1'), line(2, 'spoiled 2')]);
  const id = await launch(source, { languages: ['es'], sample_rate: 1 });

  await executeExpansion(world, id, translator());

  expect(await reportOf(id)).toMatchObject({
    status: 'failed',
    error_data: { code: 'too_many_rows_failed' },
    rows: { expanded: 1, expansion_failed: 2 },
  });
});

test('a translation into one and the same row counts as unbilled what it asked for the others, and stops', async () => {
  const source = await seedMany(300);
  owner = { ...owner, plan: { ...owner.plan, unbilled_tokens_per_hour: 400 } };
  const id = await launch(source, { languages: ['es'], sample_rate: 1 });
  const model = translator({
    say: () => 'Este es siempre el mismo texto en español, sin nada de lo que se pidió',
  });

  await executeExpansion(world, id, model);

  expect(model.asked.length).toBeLessThan(120);
  expect(await reportOf(id)).toMatchObject({
    status: 'failed',
    error_data: { code: 'run_budget_exceeded' },
    rows: { expanded: 1 },
  });
  const hours = [Date.now(), Date.now() - 3_600_000];
  const [now = 0, before = 0] = await Promise.all(
    hours.map((at) => world.store.unbilled.add(owner.team_id, 0, at)),
  );
  expect(now + before).toBeGreaterThanOrEqual(400);
});

test('a translation keeps a list of turns a list, whose turns are translated one by one', async () => {
  const chat = [
    { role: 'user', content: 'question of the user' },
    { role: 'assistant', content: 'answer to it', name: 'helper' },
  ];
  const source = await seedRows(
    world,
    owner,
    { chat: 'JSON' },
    [JSON.stringify({ chat }), JSON.stringify({ chat: JSON.stringify(chat.slice(0, 1)) })],
    { configured_column_mapping: { chat: 'chat', context: [] } },
  );
  const id = await launch(source, { languages: ['es'], sample_rate: 1 });

  await executeExpansion(world, id, translator());

  const [list, text] = (await made(id)).slice(2);
  expect(list?.chat).toEqual([
    { role: 'user', content: expect.stringMatching(/español.* question of the user/) },
    { role: 'assistant', content: expect.stringMatching(/español.* answer to it/), name: 'helper' },
  ]);
  expect(JSON.parse(text?.chat as string)).toHaveLength(1);
});

test('a translation of a translation goes on from its rows, and adds none that says the same as another', async () => {
  const first = await launch(await seedMany(4), { languages: ['es'], sample_rate: 0.5 });
  await executeExpansion(world, first, translator());

  const second = await launch(await datasetOf(first), { languages: ['fr'], sample_rate: 1 });
  await executeExpansion(world, second, translator());

  const rows = await made(second);
  expect(rows.map((row) => row.expansion_language)).toEqual([
    ...[null, null, null, null, 'es', 'es'],
    ...Array(4).fill('fr'),
  ]);
  expect(rows.slice(6).map((row) => row.expansion_source_row)).toEqual([0, 1, 2, 3]);
});

test('a translation fails, charges nothing and keeps nothing where no row has text', async () => {
  const id = await launch(await seed(['{"id":1,"question":" ","answer":""}']), { sample_rate: 1 });
  const context = contextOf(world, id);

  await expect(takeRowsOf(world, context)).rejects.toMatchObject({ code: 'nothing_to_add' });
});

test('a localization asks for the conventions of the country, and says which it is', async () => {
  const asked: string[] = [];
  const model = translator();
  const id = await launch(await seedMany(2), {
    type: 'localize',
    pairs: [{ country: 'MX', language: 'es' }],
    sample_rate: 1,
  } as Partial<LanguageExpansion>);

  await executeExpansion(world, id, {
    ...model,
    generate: (request) => {
      asked.push(request.messages.at(-1)?.content.split('\n').at(-1) ?? '');
      return model.generate(request);
    },
  });

  expect(new Set(asked)).toEqual(new Set(['Localize the text for Mexico, in Spanish.']));
  expect((await made(id)).slice(2)).toMatchObject([
    { expansion_language: 'es', expansion_country: 'MX' },
    { expansion_language: 'es', expansion_country: 'MX' },
  ]);
});

test('a run that is cut off pays for no row twice: workers go on from what others had checkpointed', async () => {
  const id = await launch(await seedMany(60), { languages: ['es'], sample_rate: 1 });
  const context = contextOf(world, id);
  await takeRowsOf(world, context);
  const [chunk] = planOf(world, context);
  if (chunk === undefined) throw new Error('There is no chunk.');
  const model = translator();
  const dying = {
    ...model,
    generate: (request: Parameters<typeof model.generate>[0]) => {
      if (model.asked.length >= 40) throw new Error('killed');
      return model.generate(request);
    },
  };
  await expect(work(world, chunk, dying)).rejects.toThrow('killed');
  const asked = model.asked.length;
  const keys: string[] = [];
  for await (const key of world.objects.list(objectKeys.checkpoints(context.run_id, 0))) keys.push(key);
  expect(keys.length).toBeGreaterThan(0);

  for (const each of planOf(world, context)) await work(world, each, model);
  await endExpansion(world, context);

  // Texts of rows that had one of their two translated when the worker died.
  expect(asked).toBeGreaterThan(30);
  expect(model.asked.length).toBeLessThan(120 + 15);
  expect((await datasetOf(id)).row_count).toBe(120);
});

test('a run that is cut off delivers and charges what it made, and fails by the reason', async () => {
  const id = await launch(await seedMany(240), { languages: ['es'], sample_rate: 1 });
  const context = contextOf(world, id);
  await takeRowsOf(world, context, 1);
  const plan = planOf(world, context);
  expect(plan.length).toBeGreaterThan(1);
  for (const chunk of plan.slice(0, 2)) await work(world, chunk, translator());
  await world.store.runs.requestStop(id, context.run_id, {
    code: 'run_budget_exceeded',
    message: 'The tokens are used up.',
    level: 'error',
  });
  for (const chunk of plan.slice(2)) {
    expect(await work(world, chunk, translator())).toEqual({ status: 'stopped' });
  }

  await endExpansion(world, context);

  const dataset = await datasetOf(id);
  const done = plan.slice(0, 2).reduce((sum, { row_count }) => sum + row_count, 0);
  expect(dataset).toMatchObject({
    state: 'failed',
    row_count: 240 + done,
    error_data: { code: 'run_budget_exceeded' },
  });
  expect((await reportOf(id)).credits).toEqual({ reserved: 3, settled: Math.ceil(done / 100) });
  expect(await rowsOf(world, id)).toHaveLength(240 + done);
});

test.each([
  [
    'by the end of its day',
    24 * 3_600_000,
    'run_timed_out',
    'processed within a day. Send a request for fewer rows.',
  ],
  ['before its day is over', 24 * 3_600_000 - 1, 'run_interrupted', 'processed. Send the request again.'],
])('a run that is cut off %s delivers what it made, and says so', async (_, ms, code, told) => {
  const id = await launch(await seedMany(240), { languages: ['es'], sample_rate: 1 });
  const context = contextOf(world, id);
  await takeRowsOf(world, context, 1);
  const [first] = planOf(world, context);
  if (first === undefined) throw new Error('The run has no plan.');
  await work(world, first, translator());

  await endExpansion(world, context, NOW + ms);

  const missing = 240 - first.row_count;
  expect(missing).toBeGreaterThan(0);
  expect(await datasetOf(id)).toMatchObject({
    state: 'failed',
    row_count: 240 + first.row_count,
    error_data: { code, message: `${missing} of 240 rows were not ${told}` },
  });
});

test('a run that is cut off by its cancellation delivers and charges the rows that are done', async () => {
  const source = await seedMany(220);
  const id = await launch(source, { languages: ['es'], sample_rate: 1 });
  const context = contextOf(world, id);
  await takeRowsOf(world, context, 1);
  const [first, ...rest] = planOf(world, context);
  if (first === undefined) throw new Error('The run has no plan.');
  await work(world, first, translator());
  const { status } = await world.call(cancel, { as: owner, params: { dataset_id: id } });
  expect(status).toBe(202);
  expect(world.invoked.map(({ payload }) => payload)).toEqual([{ dataset_id: id, run_id: context.run_id }]);
  const cancelled = await cancelRun(
    { ...ports(), endBatchJobs: noBatchJobs, clock: createFastClock(10) },
    context,
  );
  expect(cancelled).toEqual({ status: 'running' });
  const silent = translator();
  for (const chunk of rest) expect(await work(world, chunk, silent)).toEqual({ status: 'stopped' });
  await endExpansion(world, context);

  expect(silent.asked).toEqual([]);
  expect(await reportOf(id)).toMatchObject({
    status: 'failed',
    error_data: { code: 'run_cancelled' },
    rows: { expanded: first.row_count },
    credits: { settled: Math.ceil(first.row_count / 100) },
  });
  const dataset = await datasetOf(id);
  expect(dataset.row_count).toBe(220 + first.row_count);
  // What is charged can be used: trained on, and grown from, and it is a version of the dataset.
  expect(() => requireTrainable(dataset)).not.toThrow();
  expect(await findGrowthSource(ports(), owner, id)).toMatchObject({ rowCount: 220 + first.row_count });
  expect(await world.store.versions.find(id, 1)).toMatchObject({ row_count: 220 + first.row_count });
});

test('a run that is cut off when all its rows are done has succeeded', async () => {
  const id = await launch(await seedMany(20));
  const context = contextOf(world, id);
  await takeRowsOf(world, context);
  for (const chunk of planOf(world, context)) await work(world, chunk, translator());
  await world.store.runs.requestStop(id, context.run_id, runCancelled);

  await endExpansion(world, context);

  expect(await datasetOf(id)).toMatchObject({ state: 'succeeded', row_count: 40, error_data: null });
});

test('a run that is cut off whose execution was aborted costs nothing, and leaves no rows', async () => {
  const id = await launch(await seedMany(20));
  const context = contextOf(world, id);
  await takeRowsOf(world, context);
  const event = { name: context.run_id, status: 'ABORTED', input: JSON.stringify(context), now: NOW };

  await endInterruptedRun(
    {
      ...world.store,
      executions: world.executions,
      objects: world.objects,
      endRun: world.endRun,
      endBatchJobs: noBatchJobs,
    },
    event,
  );

  const dataset = await datasetOf(id);
  expect(dataset).toMatchObject({ state: 'failed', row_count: null, manifest_key: null });
  expect(() => requireTrainable(dataset)).toThrow();
  expect(await world.store.versions.find(id, 1)).toBeNull();
  expect(await balance()).toMatchObject({ held: 0, available: 100 });
  await expect(endExpansion(world, context)).resolves.toBeUndefined();
  expect((await datasetOf(id)).manifest_key).toBeNull();
});

test('a run that is cut off that had delivered already is charged for it, whoever settles it', async () => {
  const id = await launch(await seedMany(20));
  const context = contextOf(world, id);
  await takeRowsOf(world, context);
  for (const chunk of planOf(world, context)) await work(world, chunk, translator());
  const { assembleGrowth } = await import('#shared/growth/assemble-growth.ts');
  const { writeRows } = await import('#shared/tabular/adapters/write-rows.ts');
  await assembleGrowth({ ...world.store, objects: world.objects, writeRows }, context, NOW);
  const event = { name: context.run_id, status: 'ABORTED', input: JSON.stringify(context), now: NOW };

  await endInterruptedRun(
    {
      ...world.store,
      executions: world.executions,
      objects: world.objects,
      endRun: world.endRun,
      endBatchJobs: noBatchJobs,
    },
    event,
  );

  expect(await balance()).toMatchObject({ held: 0, settled: 1, available: 99 });
  expect((await datasetOf(id)).row_count).toBe(40);
});

test('a run that is cut off of a model that is gone ends with that', async () => {
  const id = await launch(await seed([line(0, 'silent')]), { sample_rate: 1 });

  await executeExpansion(world, id, translator());

  expect((await datasetOf(id)).error_data?.code).toBe('model_unavailable');
});

describe('a conversation that goes on', () => {
  const MAPPING = { prompt: 'question', completion: 'answer' };

  test('a conversation that goes on has what its user says next, and every cell that the source has', async () => {
    const source = await seedMany(3);
    const before = await rowsOf(world, source.dataset_id);
    const id = await extend(source, { column_mapping: MAPPING });

    await executeExpansion(world, id, translator());

    const lines = await rowsOf(world, id);
    expect(lines.map((text) => text.replace(/,"extended_prompt".*/, '}'))).toEqual(before);
    expect((await made(id)).map((row) => row.extended_prompt)).toEqual(
      Array(3).fill(expect.stringMatching(/^And what did you say/)),
    );
    expect(await datasetOf(id)).toMatchObject({ kind: 'extended', row_count: 3, state: 'succeeded' });
    expect((await reportOf(id)).rows).toMatchObject({ total: 3, changed: 3, failed: 0, not_selected: 0 });
  });

  test('a conversation that goes on is read by what its columns hold, whatever their form', async () => {
    const turns = [
      { role: 'user', content: 'What is it?' },
      { role: 'assistant', content: 'A thing.' },
      { role: 'user', content: 'Of what use?' },
    ];
    const reply = { role: 'assistant', content: 'Of none.' };
    const rows = [
      { question: turns, answer: 'Of none.' },
      { question: turns, answer: [reply] },
      { question: JSON.stringify(turns), answer: JSON.stringify([...turns, reply]) },
      { question: { messages: turns }, answer: [{ from: 'gpt', value: 'Of none.' }] },
    ];
    const asked: string[] = [];
    for (const row of rows) {
      const types = Object.entries(row).map(([name, cell]) => [
        name,
        typeof cell === 'string' ? 'VARCHAR' : 'JSON',
      ]);
      const id = await extend(
        await seedRows(world, owner, Object.fromEntries(types), [JSON.stringify(row)]),
        {
          column_mapping: MAPPING,
        },
      );
      const model = translator();
      const generate: typeof model.generate = async (request) => {
        asked.push(/ conversation>\n([\s\S]*?)\n<\//.exec(request.messages.at(-1)?.content ?? '')?.[1] ?? '');
        return model.generate(request);
      };
      await executeExpansion(world, id, { ...model, generate });
    }

    const shown = 'user: What is it?\nassistant: A thing.\nuser: Of what use?\nassistant: Of none.';
    expect(asked).toEqual(Array(4).fill(shown));
  });

  test('a conversation that goes on begins with the system prompt and the turns before its prompt', async () => {
    const shownOf = async (row: object, mapping: object): Promise<string> => {
      const source = await seedTrainedRow(world, owner, [row, mapping]);
      const id = await extend(source, { column_mapping: mapping });
      const model = translator();
      let asked = '';
      const generate: typeof model.generate = async (request) => {
        asked =
          /[\s\S]* conversation>\n([\s\S]*?)\n<\//.exec(request.messages.at(-1)?.content ?? '')?.[1] ?? '';
        return model.generate(request);
      };
      await executeExpansion(world, id, { ...model, generate });
      return asked;
    };
    const [texts, given] = TRAINED_ROWS['texts with turns and a system prompt before them'] ?? [];
    const [chat, mapping] = TRAINED_ROWS['conversations with a system prompt before them'] ?? [];

    const shown =
      'system: You are a guide.\nuser: What should I wear in Oslo?\nassistant: A light jacket.\nuser: And in winter?\nassistant: A coat.';
    expect(await shownOf(texts ?? {}, given ?? {})).toBe(shown);
    expect(await shownOf(chat ?? {}, mapping ?? {})).toBe(shown);
  });

  test('a conversation that goes on is read as before where its request was stored before columns said what they hold', () => {
    const turns = [
      { role: 'user', content: 'What is it?' },
      { role: 'assistant', content: 'A thing.' },
      { role: 'user', content: 'Of what use?' },
    ];
    const cells = new Map([
      ['enhanced_prompt', JSON.stringify(turns)],
      ['enhanced_completion', 'Of none.'],
    ]);
    const columns = { prompt: 'enhanced_prompt', completion: 'enhanced_completion' };

    const reply = { role: 'assistant', content: 'Of none.' };
    expect(readConversation(columns, cells)).toEqual([...turns, reply]);
    expect(readConversation(columns, new Map(cells).set('enhanced_prompt', 'What?'))).toEqual([
      { role: 'user', content: 'What?' },
      reply,
    ]);
    // Launches say of texts that they are none.
    expect(readConversation({ ...columns, conversations: [] }, cells)).toEqual([
      { role: 'user', content: JSON.stringify(turns) },
      reply,
    ]);
  });

  test('a conversation that goes on is taken of as many rows as max_rows says', async () => {
    const id = await extend(await seedMany(250), {
      column_mapping: MAPPING,
      job_specification: { max_rows: 101 },
    });

    await executeExpansion(world, id, translator());

    expect((await datasetOf(id)).row_count).toBe(101);
    expect(await reportOf(id)).toMatchObject({
      rows: { total: 250, changed: 101, not_selected: 149 },
      credits: { reserved: 2, settled: 2 },
    });
  });

  test.each([
    [
      'does not end on a reply',
      [{ role: 'user', content: 'And?' }],
      'does not end with a reply of the assistant',
    ],
    ['has no user', [{ role: 'assistant', content: 'Hello.' }], 'The user says nothing'],
    ['is no list of turns', 'hello', 'is not a JSON array of turns'],
    ['is empty', '', 'has no conversation'],
  ])('a conversation that goes on is left out where it %s, and reported', async (_, chat, message) => {
    const good = [
      { role: 'user', content: 'What is it?' },
      { role: 'assistant', content: 'A thing.' },
    ];
    const source = await seedRows(world, owner, { chat: 'JSON' }, [
      JSON.stringify({ chat }),
      JSON.stringify({ chat: good }),
    ]);
    const id = await extend(source, { column_mapping: { chat: 'chat' } });

    await executeExpansion(world, id, translator());

    expect(await made(id)).toEqual([{ chat: good, extended_prompt: expect.any(String) }]);
    const report = await reportOf(id);
    expect(report.rows).toMatchObject({ changed: 1, failed: 1 });
    expect(report.reported_rows).toEqual([
      expect.objectContaining({ row: 0, outcome: 'failed', code: 'conversation_unusable' }),
    ]);
    expect(report.reported_rows[0]?.message).toContain(message);
  });
});
