import { describe, expect, test } from 'vitest';
import { blindPairs, readPreferences } from '../../../bin/effect/blind-pairs.ts';
import { replaceSection, writeSection } from '../../../bin/effect/report.ts';
import type { LabResult } from '../../../bin/effect/result.ts';
import type { LabRow } from '../../../bin/effect/row.ts';
import { summarize, wilsonInterval } from '../../../bin/effect/summarize.ts';

const base: LabResult = {
  type: 'row',
  id: 'number-1',
  kind: 'number',
  quality: 'good',
  input_hash: '',
  original: '1 km',
  adapted: '1 km',
  outcome: 'kept',
  reason: 'scored_worse',
  notes: [],
  calls: 1,
  input_tokens: 10,
  output_tokens: 2,
  seconds: 0.5,
  before_ok: true,
  after_ok: true,
  why: '',
};
const changed = { outcome: 'changed', reason: null } as const;

const results: LabResult[] = [
  base,
  { ...base, ...changed, id: 'number-2', adapted: '2 km', after_ok: false, why: 'says 2 and not 1' },
  { ...base, ...changed, id: 'number-3', quality: 'careless', original: '1', before_ok: false, calls: 4 },
  { ...base, ...changed, id: 'number-4', quality: 'wrong', original: 'none at all', before_ok: false },
  { ...base, id: 'number-5', quality: 'wrong', before_ok: false, after_ok: false },
  {
    ...base,
    ...changed,
    id: 'damaged-1',
    kind: 'damaged',
    quality: 'empty',
    original: '',
    adapted: 'It is one.',
    before_ok: false,
  },
  {
    ...base,
    id: 'damaged-2',
    kind: 'damaged',
    quality: 'cut_off',
    outcome: 'failed',
    before_ok: false,
    after_ok: false,
  },
];

describe('a summary', () => {
  test('counts harm among right rows and gain among wrong ones', () => {
    const { all, byKind, exact, open, harmed } = summarize(results);

    expect(all).toMatchObject({
      rows: 7,
      changed: 4,
      kept: 2,
      failed: 1,
      harm: { count: 1, of: 2 },
      gain: { count: 2, of: 3 },
      gainOfWrong: { count: 1, of: 2 },
      calls: 10 / 7,
      seconds: 0.5,
    });
    expect(byKind.get('number')).toMatchObject({ rows: 5, gain: { count: 1, of: 1 } });
    expect(exact).toEqual(byKind.get('number'));
    expect(open).toEqual(byKind.get('damaged'));
    expect(harmed.map(({ id }) => id)).toEqual(['number-2']);
  });

  test('has the median growth of changed rows that had words', () => {
    // 1, 2 and 2/3 times as many words; a row without words before has no ratio.
    expect(summarize(results).all.growth).toBe(1);
    expect(summarize(results.slice(1, 3)).all.growth).toBe(1.5);
    expect(summarize(results.slice(0, 1)).all.growth).toBeNull();
  });

  test('adds up what learning of datasets took', () => {
    const spent = { type: 'dataset', calls: 2, input_tokens: 5, output_tokens: 1, seconds: 1 } as const;
    expect(
      summarize(results, [
        { ...spent, dataset: 'a' },
        { ...spent, dataset: 'b' },
      ]).learning,
    ).toEqual({ calls: 4, inputTokens: 10, outputTokens: 2 });
  });

  test('bounds shares by the interval after Wilson', () => {
    const rounded = (count: number, of: number) =>
      wilsonInterval({ count, of }).map((bound) => Math.round(bound * 1000) / 1000);
    expect(rounded(0, 107)).toEqual([0, 0.035]);
    expect(rounded(5, 10)).toEqual([0.237, 0.763]);
    expect(rounded(10, 10)).toEqual([0.722, 1]);
    expect(rounded(0, 0)).toEqual([0, 1]);
  });
});

const rows: LabRow[] = results.map(({ id, kind, quality, original }) => ({
  id,
  kind,
  quality,
  prompt: 'How far?\n```\nis it\n```',
  completion: original,
  reference: '1 km',
  check: { type: 'exact', answers: ['1 km'] },
}));
const byId = new Map(results.map((result) => [result.id, result]));

describe('blind pairs', () => {
  test('are of changed rows, and do not tell which is which by their side', () => {
    const many = Array.from({ length: 200 }, (_, n) => ({
      ...base,
      ...changed,
      id: `number-${n}`,
      adapted: 'x',
    }));
    const pairs = blindPairs(
      many.map(({ id }) => ({ ...(rows[0] as LabRow), id })),
      new Map(many.map((result) => [result.id, result])),
    );
    const first = pairs.filter(({ first }) => first === 'x').length;
    expect(pairs).toHaveLength(200);
    expect(first).toBeGreaterThan(70);
    expect(first).toBeLessThan(130);
    expect(blindPairs(rows, byId).map(({ id }) => id)).toEqual([
      'number-2',
      'number-3',
      'number-4',
      'damaged-1',
    ]);
  });

  test('and the verdicts on them say what was preferred', () => {
    const pairs = blindPairs(rows, byId);
    const verdicts = pairs.map(({ id, first }, n) => {
      const isAdapted = first === byId.get(id)?.adapted;
      return { id, winner: n === 0 ? 'tie' : isAdapted === n > 1 ? 'first' : 'second' } as const;
    });
    expect(readPreferences(verdicts, byId)).toEqual(
      new Map([
        ['number', { adapted: 1, original: 1, ties: 1 }],
        ['damaged', { adapted: 1, original: 0, ties: 0 }],
      ]),
    );
    expect(() => readPreferences([{ id: 'number-1', winner: 'tie' }], byId)).toThrow('number-1');
  });
});

describe('a section', () => {
  const run = {
    type: 'run',
    half: 'held-out',
    model: 'm',
    judge: 'j',
    judge_trusted: false,
    embedding_model: null,
  } as const;
  const section = writeSection({
    name: 'scripted-strong',
    run,
    summary: summarize(results),
    rows,
    preferences: new Map([['number', { adapted: 3, original: 1, ties: 2 }]]),
  });

  test('has figures, what a reader preferred, and harmed rows in full', () => {
    expect(section).toContain('## Scripted strong');
    expect(section).toContain(
      '7 of 7 rows of the half `held-out`, model m, judge j (not trusted), no embedding model.',
    );
    expect(section).toContain(
      '| **all** | 7 | 4 | 2 | 1 | 1 of 2, 50.0 % (9.5 to 90.5) | 2 of 3 | 1 of 2 | 1.00 |',
    );
    expect(section).toContain('| number | 3 | 1 | 2 | 3 of 4, 75.0 % (30.1 to 95.4) |');
    expect(section).toContain('**number-2** (changed): the adapted answer says 2 and not 1');
    expect(section).toContain('````text\nHow far?\n```\nis it\n```\n````');
    expect(section).toContain('Adapted:\n\n```text\n2 km\n```');
    expect(section).not.toContain('number-5');
  });

  test('takes the place of the one of its name and leaves the others', () => {
    const once = replaceSection('# Title\n\nText.\n', 'before', 'A');
    const twice = replaceSection(once, 'after', 'B');
    const again = replaceSection(twice, 'before', 'C');
    expect(once).toBe(
      '# Title\n\nText.\n\n<!-- effect:before begin -->\n\nA\n\n<!-- effect:before end -->\n',
    );
    expect(again).toBe(twice.replace('\nA\n', '\nC\n'));
    expect(again).toContain('\nB\n');
  });
});
