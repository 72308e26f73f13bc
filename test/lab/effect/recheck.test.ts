import { expect, test } from 'vitest';
import { recheck } from '#lab/effect/recheck.ts';
import { inputHash, type LabResult } from '#lab/effect/result.ts';
import type { LabRow } from '#lab/effect/row.ts';

const row = (n: number, completion: string): LabRow => ({
  id: `yes_no-${n}`,
  kind: 'yes_no',
  prompt: `Is ${n} a number? Answer with Yes or No.`,
  completion,
  quality: completion === 'Yes' ? 'good' : 'careless',
  reference: 'Yes',
  check: { type: 'exact', answers: ['Yes'] },
});
const rows = [row(1, 'Yes'), row(2, 'yep it sure is lol'), row(3, 'Yes')];

const resultOf = (of: LabRow, fields: Partial<LabResult>): [string, LabResult] => [
  of.id,
  {
    type: 'row',
    id: of.id,
    kind: of.kind,
    quality: of.quality,
    input_hash: inputHash(of),
    original: of.completion,
    adapted: of.completion,
    outcome: 'kept',
    reason: 'already_good',
    notes: [],
    calls: 0,
    input_tokens: 0,
    output_tokens: 0,
    seconds: 0,
    // What an earlier checker said, wrongly.
    before_ok: false,
    after_ok: false,
    why: 'is not what was said',
    ...fields,
  },
];
const [first, second, third] = rows as [LabRow, LabRow, LabRow];

test('results are looked at anew, and checked where the run did not', async () => {
  const told = {
    changed: true,
    has_original: true,
    before_defect: null,
    after_defect: null,
    harm: 'is told',
  };
  const results = await recheck(
    rows,
    rows,
    new Map([
      resultOf(third, { defect: 'careless', checks: told }),
      resultOf(first, {}),
      resultOf(second, { adapted: 'Yes', outcome: 'changed', reason: null }),
    ]),
  );

  expect([...results.keys()]).toEqual(rows.map(({ id }) => id));
  expect(results.get(first.id)).toMatchObject({
    before_ok: true,
    after_ok: true,
    why: '',
    defect: null,
    checks: { changed: false, has_original: true, before_defect: null, after_defect: null, harm: null },
  });
  const mended = results.get(second.id);
  expect(mended).toMatchObject({
    before_ok: false,
    after_ok: true,
    defect: 'careless',
    checks: { changed: true, before_defect: 'careless', after_defect: null },
  });
  // How it was edited is not told by the row.
  expect(mended?.edit).toBeUndefined();
  expect(mended?.checks?.edit).toBeUndefined();
  // What the service's checks said belongs to the run.
  expect(results.get(third.id)).toMatchObject({ before_ok: true, defect: 'careless', checks: told });
});

test('rows that failed are in no evaluation, and those that were edited since in no report', async () => {
  const failed = resultOf(second, { outcome: 'failed', reason: 'model_answer_unusable' });
  const results = await recheck(
    rows,
    [second, third],
    new Map([resultOf(first, {}), failed, resultOf(third, { input_hash: 'of another completion' })]),
  );

  expect([...results.keys()]).toEqual([second.id]);
  expect(results.get(second.id)).toMatchObject({ defect: 'careless', checks: null });
});
