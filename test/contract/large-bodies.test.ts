import { expect, test } from 'vitest';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { loadHandler } from '#test/helpers/handlers.ts';
import { pathParams } from '#test/helpers/path-params.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { bodies } from '#test/helpers/sample-bodies.ts';
import { createWorld } from '#test/helpers/world.ts';

/** What a refusal may take: milliseconds of processor time, and characters of the answer. */
const MILLISECONDS_MAX = 2_000;
const ANSWER_CHARACTERS_MAX = 100_000;

/** 40,000 fields that no endpoint knows, half a megabyte of JSON. */
const unknownFields = Object.fromEntries(Array.from({ length: 40_000 }, (_, n) => [`field${n}`, 1]));

async function refuse(
  id: string,
  body: unknown,
  dataset: Partial<DatasetRecord> = {},
): Promise<{ text: string; milliseconds: number }> {
  const world = createWorld();
  const owner = await seedTeam(world.store, 1_000);
  const { dataset_id } = await seedDataset(world.store, owner, dataset);
  const contract = contracts.find((each) => each.id === id);
  if (contract === undefined) throw new Error(`There is no endpoint ${id}.`);
  const handler = await loadHandler(contract);
  const before = process.cpuUsage();
  const { status, text } = await world.call(handler, {
    as: owner,
    params: pathParams(contract, dataset_id),
    body,
  });
  const { user, system } = process.cpuUsage(before);
  expect(status).toBe(400);
  return { text, milliseconds: (user + system) / 1000 };
}

test.each(Object.keys(bodies))(
  'a large body is refused by a short answer, in little time with unknown fields: %s',
  async (id) => {
    const { text, milliseconds } = await refuse(id, unknownFields);

    expect(text.length).toBeLessThan(ANSWER_CHARACTERS_MAX);
    expect(JSON.parse(text)).toMatchObject({ message: expect.stringMatching(/; and more$/) });
    expect(milliseconds).toBeLessThan(MILLISECONDS_MAX);
  },
);

test('a large body is refused by a short answer, in little time with entries that have unknown fields', async () => {
  const entry = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`field${n}`, 1]));
  const pairs = Array.from({ length: 500 }, () => ({ country: 'MX', language: 'es', ...entry }));

  const { text, milliseconds } = await refuse('datasets.localize', { pairs, sample_rate: 1 });

  expect(text.length).toBeLessThan(ANSWER_CHARACTERS_MAX);
  expect(milliseconds).toBeLessThan(MILLISECONDS_MAX);
});

test.each([
  ['datasets.translate', { languages: Array.from({ length: 500 }, (_, n) => `x${n}`), sample_rate: 1 }],
  [
    'datasets.localize',
    {
      pairs: Array.from({ length: 500 }, (_, n) => ({ country: `x${n}`, language: 'es' })),
      sample_rate: 1,
    },
  ],
])('a large body is refused by a short answer, in little time with unknown codes: %s', async (id, body) => {
  const { text, milliseconds } = await refuse(id, body);

  expect(JSON.parse(text).details).toHaveLength(500);
  expect(milliseconds).toBeLessThan(MILLISECONDS_MAX);
});

const numbers = (n: number): number[] => new Array(n).fill(0);
const answered = (part: object): object => ({ role: 'assistant', content: [part] });
test.each<[string, string, object]>([
  [
    'responses.create',
    'annotations',
    { model: 'm', input: [answered({ type: 'output_text', text: '', annotations: numbers(150_000) })] },
  ],
  ['responses.create', 'parts', { model: 'm', input: [{ role: 'user', content: numbers(150_000) }] }],
  [
    'responses.create',
    'names of tools',
    { model: 'm', input: 'x', tools: [{ type: 'mcp', server_label: 'a', allowed_tools: numbers(150_000) }] },
  ],
  [
    'chat.completions.create',
    'parts',
    { model: 'm', messages: [{ role: 'user', content: numbers(150_000) }] },
  ],
])(
  'a large body is refused by a short answer, in little time with entries of the wrong type: %s, %s',
  async (id, _, body) => {
    const { text, milliseconds } = await refuse(id, body);

    expect(text.length).toBeLessThan(ANSWER_CHARACTERS_MAX);
    expect(milliseconds).toBeLessThan(MILLISECONDS_MAX);
  },
);

/** Mappings of columns that a dataset lacks, by endpoint. `datasets.lint` and trainings require columns by the same parts. */
const unknown = (n: number): string => `${n}${'b'.repeat(60)}`;
const MAPPING = {
  prompt: unknown(0),
  completion: unknown(1),
  context: Array.from({ length: 100 }, (_, n) => unknown(n + 2)),
};
const mappings: Readonly<Record<string, object>> = {
  'datasets.adapt': MAPPING,
  'datasets.run': MAPPING,
  'datasets.pilots.create': MAPPING,
};

test.each(
  Object.keys(mappings).flatMap((id) => [
    [id, 'long names', Array.from({ length: 10 }, (_, n) => String(n).repeat(26_000))] as const,
    [id, 'many names', Array.from({ length: 5_000 }, (_, n) => String(n).padEnd(50, 'b'))] as const,
  ]),
)(
  'a large body is refused by a short answer, in little time with unknown columns: %s, a dataset with %s',
  async (id, _, names) => {
    const columns = names.map((name) => ({ name, type: 'VARCHAR' as const }));

    const { text, milliseconds } = await refuse(
      id,
      { ...(bodies[id] as object), column_mapping: mappings[id] },
      { columns },
    );

    expect(JSON.parse(text)).toMatchObject({ code: 'column_unknown' });
    expect(text.length).toBeLessThan(10 * ANSWER_CHARACTERS_MAX);
    expect(milliseconds).toBeLessThan(MILLISECONDS_MAX);
  },
);

test.each(['datasets.adapt', 'datasets.run'])(
  'a request without a mapping is refused by a short answer: %s, a dataset whose long names suggest one',
  async (id) => {
    const columns = ['question', 'answer'].map((word) => ({
      name: `${'b'.repeat(200_000)} ${word}`,
      type: 'VARCHAR' as const,
    }));
    const { column_mapping: _, ...body } = bodies[id] as { column_mapping?: object };

    const { text } = await refuse(id, { ...body, estimate: false }, { columns });

    expect(JSON.parse(text).code).toBe('column_mapping_required');
    expect(text.length).toBeLessThan(ANSWER_CHARACTERS_MAX);
  },
);
