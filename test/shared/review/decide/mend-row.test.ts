import { expect, test } from 'vitest';
import { safetyCell } from '#shared/judging/decide/safety/safety-scores.ts';
import type { RowOpinion } from '#shared/review/decide/judge-rows.ts';
import { type BaseRow, type MendingRules, mendRow } from '#shared/review/decide/mend-row.ts';
import { planBatches } from '#shared/review/decide/plan-batches.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';
import { opinion as opinionOf } from '#test/helpers/reviewed.ts';

const RULES: MendingRules = { base: 'succeeded', wrong: 'keep', writesPrompts: false, scoresSafety: false };
const own = { prompt: 'q', completion: 'a' };

const changed = (cells: RunResult['cells'] = {}): RunResult => ({
  row: 3,
  outcome: 'changed',
  edit: { kind: 'rewritten', evidence: 'judged', words_kept: 0 },
  notes: [{ code: 'length_missed', message: 'It is long.' }],
  cells: { enhanced_prompt: 'better q', enhanced_completion: 'better a', ...cells },
  reused: true,
  tokens: { input: 10, output: 20 },
  calls: 3,
  seconds: 2,
});

const says = (what: RowOpinion['says']): RowOpinion => opinionOf(3, { says: what, values: [] });
const mend = (
  result: RunResult | null,
  opinion: RowOpinion | null,
  text: string | null = null,
  rules = RULES,
) => mendRow({ row: 3, result, own } satisfies BaseRow, opinion, text, rules);

test('a row without a verdict is as it was, and its models are not paid for again', () => {
  const { result, isChanged } = mend(changed(), null);

  const { reused: _, seconds: __, ...before } = changed();
  expect(result).toEqual({ ...before, tokens: { input: 0, output: 0 }, calls: 0 });
  expect(isChanged).toBe(false);
});

test('a mended row keeps its prompt, and nothing that was said of the text before, whose scores of safety are gone', () => {
  const cells = {
    reasoning_trace: 'so',
    prompt_safety_issues: '{}',
    response_safety_issues: '{}',
    doubt: '0.9',
    doubt_reasons: 'It is doubted.',
  };

  const { result } = mend(changed(cells), says('mended'), 'best a');

  expect(result).toEqual({
    row: 3,
    outcome: 'changed',
    edit: { kind: 'reviewed', evidence: 'reviewed', words_kept: 1 },
    cells: {
      enhanced_prompt: 'better q',
      enhanced_completion: 'best a',
      reasoning_trace: null,
      prompt_safety_issues: '{}',
      response_safety_issues: safetyCell('reviewed'),
    },
    tokens: { input: 0, output: 0 },
    calls: 0,
  });
});

test('a mended row that had failed keeps the scores of its prompt, and one that was left out says that its answer was reviewed', () => {
  const rules = { ...RULES, scoresSafety: true };
  const scores = { prompt_safety_issues: '{"violence":0.9}', response_safety_issues: '{"violence":0}' };
  const failed = { ...changed(), outcome: 'failed', cells: { enhanced_prompt: 'q', ...scores } } as const;

  expect(mend(failed, says('mended'), 'best a', rules).result.cells).toEqual({
    enhanced_prompt: 'q',
    enhanced_completion: 'best a',
    prompt_safety_issues: scores.prompt_safety_issues,
    response_safety_issues: safetyCell('reviewed'),
  });
  expect(mend(null, says('mended'), 'best a', rules).result.cells).toEqual({
    enhanced_prompt: 'q',
    enhanced_completion: 'best a',
    response_safety_issues: safetyCell('reviewed'),
  });
});

test('a row that is put back to how it came has what it came with, and no steps to another answer', () => {
  const carried = { reasoning_trace: 'so', prompt_safety_issues: '{}', response_safety_issues: '{"hate":0}' };
  const source = { row: 3, result: null, own: { ...own, carried } };
  const other = mendRow(source, says('mended'), 'best a', { ...RULES, base: 'source' }).result;
  const restored = mendRow({ ...source, result: other }, says('mended'), 'a', RULES).result;

  expect(other.cells).toMatchObject({ reasoning_trace: null });
  expect(restored.cells).toEqual({ enhanced_prompt: 'q', enhanced_completion: 'a', ...carried });
  expect(
    mend(changed({ enhanced_prompt: 'q', reasoning_trace: 'so' }), says('mended'), 'a').result.cells,
  ).toMatchObject({ reasoning_trace: null });
});

test('the text of a mended row is the chosen one of its pair, and what was chosen before is rejected', () => {
  const pair = { chosen: 'better a', rejected: 'a' };

  expect(mend(changed(pair), says('mended'), 'best a').result.cells).toMatchObject({
    chosen: 'best a',
    rejected: 'better a',
  });
  expect(mend(changed({ chosen: null, rejected: null }), says('mended'), 'x').result.cells).toMatchObject({
    chosen: null,
    rejected: null,
  });
});

test('a mended row that is as it came is kept', () => {
  const kept = mend(changed({ enhanced_prompt: 'q' }), says('mended'), 'a');

  expect(kept).toMatchObject({ isChanged: true, result: { outcome: 'kept', reason: { code: 'reviewed' } } });
  expect(kept.result.edit).toBeUndefined();
});

test.each([
  ['source', 'kept', 'unchanged'],
  ['failed', 'failed', 'run_interrupted'],
  ['succeeded', 'not_selected', 'not_selected'],
] as const)('a row without a result of a version of kind %s is %s', (base, outcome, code) => {
  const { result } = mend(null, null, null, { ...RULES, base });

  expect(result).toMatchObject({ outcome, reason: { code } });
});

test('a row that was not selected and has no column with its prompt has it in its result', () => {
  expect(mend(null, null, null, { ...RULES, writesPrompts: true }).result.cells).toEqual({
    enhanced_prompt: 'q',
    enhanced_completion: 'a',
  });
});

test('a row that was not selected is mended from what it came with, and kept where the report has something to say', () => {
  expect(mend(null, says('mended'), 'best a').result).toMatchObject({
    outcome: 'changed',
    cells: { enhanced_prompt: 'q', enhanced_completion: 'best a' },
  });
  expect(mend(null, says('disputed')).result).toMatchObject({
    outcome: 'kept',
    cells: { enhanced_prompt: 'q', enhanced_completion: 'a' },
    notes: [{ code: 'verdicts_disagree' }],
  });
});

test('what reviewers say is in the report once, however often verdicts are applied', () => {
  const once = mend(changed(), says('wrong')).result;
  const twice = mend(once, says('wrong')).result;

  expect(twice.notes?.map(({ code }) => code)).toEqual(['length_missed', 'said_wrong']);
});

test('many long texts are written in batches of a few megabytes, which hold every row once', () => {
  const chunks = [
    { key: 'a', first_row: 0, row_count: 100, bytes: 1 },
    { key: 'b', first_row: 100, row_count: 50, bytes: 1 },
  ];
  const verdicts = Array.from({ length: 120 }, (_, row) => ({
    dataset_id: 'd',
    row,
    reviewer: 'ada',
    verdict: 'mended' as const,
    content_hash: 'h',
    mended_bytes: 300_000,
    seen_in: 'r',
    version: 1,
    drawn_as: 'chosen' as const,
    user_id: 'u',
    recorded_at: '2026-03-01T12:00:00.000Z',
  }));

  const batches = planBatches({ run_id: 'r', dataset_id: 'd', team_id: 't' }, chunks, verdicts);

  expect(batches.map(({ n }) => n)).toEqual(batches.map((_, n) => n));
  const rows = batches.flatMap(({ first_row: first, row_count }) =>
    Array.from({ length: row_count }, (_, place) => first + place),
  );
  expect(rows).toEqual(Array.from({ length: 150 }, (_, row) => row));
  for (const { chunk_key, first_line, first_row, row_count } of batches) {
    expect(first_row - first_line).toBe(chunk_key === 'a' ? 0 : 100);
    expect(row_count).toBeLessThanOrEqual(50);
  }
  expect(planBatches({ run_id: 'r', dataset_id: 'd', team_id: 't' }, chunks, [])).toHaveLength(2);
});

test('a kept row that its reviewers call right is doubted no longer, and is called good again', () => {
  const said = { code: 'doubtful_answer', message: 'The example “f(1)” yields “1”.' };
  const doubt = { probability: 0.9, reasons: [] };
  const kept: RunResult = { ...changed(), outcome: 'kept', reason: said, notes: [said], doubt };

  const { result } = mend(kept, says('right'));

  expect(result).not.toHaveProperty('doubt');
  expect(result).not.toHaveProperty('notes');
  expect(result).toMatchObject({ outcome: 'kept', reason: { code: 'already_good' } });
});

test.each(['keep', 'drop'] as const)(
  'a mended row whose verdict was replaced meanwhile stays as it is, and the report says so, where wrong ones are to %s',
  (wrong) => {
    const opinion = says('mended');

    const { result, isChanged } = mendRow({ row: 3, result: changed(), own }, opinion, null, {
      ...RULES,
      wrong,
    });

    expect(isChanged).toBe(false);
    expect(result).toMatchObject({ outcome: 'changed', cells: { enhanced_completion: 'better a' } });
    expect(result.notes?.at(-1)).toEqual({
      code: 'verdict_stale',
      message: expect.stringMatching(/was replaced or taken back.*Apply them again/),
    });
  },
);
