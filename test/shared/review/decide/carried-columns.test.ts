import { expect, test } from 'vitest';
import { plainSpecification } from '#shared/adaptation/decide/plain-specification.ts';
import type { AdaptationSpecification } from '#shared/adaptation/decide/specification.ts';
import { formColumns } from '#shared/exports/decide/form-columns.ts';
import { rowTextsReader } from '#shared/exports/decide/row-texts.ts';
import { combineSource } from '#shared/growth/decide/combine/source.ts';
import { mendRow } from '#shared/review/decide/mend-row.ts';
import { columnsBeside } from '#shared/tabular/decide/forms/history.ts';
import { writeTrainingRow } from '#shared/tabular/decide/forms/training-row.ts';
import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { findColumns } from '#shared/training/decide/columns.ts';
import { readExample } from '#shared/training/decide/example.ts';
import { makeCaller, makeDataset } from '#test/helpers/records.ts';

type Cells = Readonly<Record<string, string | null>>;

const TURNS = JSON.stringify([{ role: 'user', content: 'Why?' }]);
const ANSWERED = JSON.stringify([...JSON.parse(TURNS), { role: 'assistant', content: 'So.' }]);
const ENHANCED = { enhanced_prompt: 'Why?', enhanced_completion: 'So.' };
const BESIDE = {
  history: '[["Hello","Good day."]]',
  system: 'Be brief.',
  tools: '[{"type":"function","function":{"name":"sky"}}]',
  page: 'It snows.',
};
const OF_RUN = { prompt: 'enhanced_prompt', completion: 'enhanced_completion' };
const SHAPES: readonly [string, Cells, Partial<ConfiguredColumnMapping>][] = [
  ['a download with reasoning', { ...ENHANCED, reasoning_trace: 'Since it is.' }, OF_RUN],
  ['a download without reasoning of this row', { ...ENHANCED, reasoning_trace: null }, OF_RUN],
  [
    'a download with reasoning and scores of safety',
    {
      ...{ ...ENHANCED, reasoning_trace: 'Since it is.' },
      ...{ prompt_safety_issues: 'none', response_safety_issues: 'violence' },
    },
    OF_RUN,
  ],
  [
    'a download whose reasoning is context',
    { ...ENHANCED, reasoning_trace: 'Since it is.', page: 'It snows.' },
    { ...OF_RUN, context: ['reasoning_trace', 'page'] },
  ],
  [
    'a download with all that is read beside prompts',
    { ...ENHANCED, ...BESIDE, reasoning_trace: 'Since it is.' },
    { ...OF_RUN, context: ['page'] },
  ],
  [
    'a download of turns with reasoning',
    { enhanced_prompt: TURNS, enhanced_completion: 'So.', reasoning_trace: 'Since it is.' },
    OF_RUN,
  ],
  [
    'texts with a column that is called reasoning_trace',
    { question: 'Why?', answer: 'So.', reasoning_trace: 'Since it is.' },
    { prompt: 'question', completion: 'answer' },
  ],
  [
    'conversations with a column that is called reasoning_trace',
    { messages: ANSWERED, reasoning_trace: 'Since it is.' },
    { chat: 'messages' },
  ],
];

/** The columns and cells of the rows of a version, as its download has them, and what is read of them. */
function versionOf(cells: Cells, mapped: Partial<ConfiguredColumnMapping>, says: 'nothing' | 'mended') {
  const columns = Object.entries(cells).map(([name, cell]) => ({
    name,
    type: 'VARCHAR',
    profile: {
      is_empty: false,
      not_chat: cell?.startsWith('[{"role') ? null : { row: 0, problem: 'is no list' },
      image_format: null,
    },
  }));
  const mapping = { context: [], ...mapped };
  const names = new Set([...Object.values(mapping)].flat());
  const beside = columnsBeside(columns, (name) => !names.has(name), {
    ...{ history: 'history', system: 'system', tools: 'tools' },
  });
  const stored = { ...mapping, ...('system' in cells ? { beside } : {}) };
  const dataset = makeDataset(makeCaller(), { columns, configured_column_mapping: stored });
  const source = new Map(Object.entries(cells));
  const specification = plainSpecification(stored, dataset);
  const { prompt, completion } = rowTextsReader(specification).read(source, null);
  const carried = Object.fromEntries((specification.carried ?? []).map((name) => [name, source.get(name)]));
  const { result } = mendRow(
    { row: 7, result: null, own: { prompt, completion, carried: carried as Cells } },
    says === 'nothing' ? null : ({ says: 'mended', mended: null, verdicts: [] } as never),
    says === 'nothing' ? null : 'Better.',
    { base: 'source', wrong: 'keep', writesPrompts: mapping.chat !== undefined, scoresSafety: false },
  );
  const read = (of: AdaptationSpecification | null, written: Cells) => {
    const shape = combineSource(dataset, columns, of);
    const row = new Map(
      shape.columns.map(({ name, source: own = '', result: by = '' }) => [
        name,
        by in written ? (written[by] ?? null) : (source.get(own) ?? null),
      ]),
    );
    const found = findColumns({ dataset, shape });
    const form = formColumns(dataset, columns, of);
    return {
      row,
      names: [...row.keys()],
      example: found && readExample(found, row, 7),
      forms: (['openai', 'sharegpt', 'trl', 'alpaca'] as const).map((each) =>
        writeTrainingRow(each, form, row),
      ),
    };
  };
  return {
    before: read(null, {}),
    after: read(specification, result.cells ?? {}),
    // A row that the run of a later review has not seen.
    unseen: read(specification, {}),
  };
}

test.each(SHAPES)(
  'a review that says nothing of a row keeps all that trainings and downloads for trainers read of it: %s',
  (_, cells, mapping) => {
    const { before, after, unseen } = versionOf(cells, mapping, 'nothing');

    expect(after.example).toEqual(before.example);
    expect(before.example).toHaveProperty('messages');
    if (mapping.chat === undefined) {
      expect(after.forms).toEqual(before.forms);
      expect(unseen.example).toEqual(before.example);
      expect(unseen.forms).toEqual(before.forms);
    }
  },
);

test('a review of rows that no run has adapted keeps the reasoning and the scores of an earlier run, but for rows that it mends', () => {
  const [, cells, mapping] = SHAPES[2] as (typeof SHAPES)[number];
  const kept = versionOf(cells, mapping, 'nothing').after;
  const mended = versionOf(cells, mapping, 'mended').after;

  expect(kept.example).toMatchObject({ completion: 'So.', reasoning: 'Since it is.' });
  expect(Object.fromEntries(kept.row)).toMatchObject({
    ...cells,
    original_enhanced_completion: 'So.',
  });
  expect(kept.names).not.toContain('original_prompt_safety_issues');
  expect(mended.example).toMatchObject({ completion: 'Better.' });
  expect(mended.example).not.toHaveProperty('reasoning');
  expect(Object.fromEntries(mended.row)).toMatchObject({
    reasoning_trace: null,
    prompt_safety_issues: 'none',
    response_safety_issues: expect.stringContaining('reviewed'),
  });
});
