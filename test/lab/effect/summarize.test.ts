import { describe, expect, test } from 'vitest';
import { blindPairs, readPreferences } from '#lab/effect/blind-pairs.ts';
import { writeReport } from '#lab/effect/report.ts';
import type { LabResult } from '#lab/effect/result.ts';
import type { LabRow } from '#lab/effect/row.ts';
import { summarize, wilsonInterval } from '#lab/effect/summarize.ts';
import { type CheckRates, EditKind } from '#shared/judging/decide/known-check-rates.ts';

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

test('a summary counts harm among right rows and gain among wrong ones', () => {
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

test('a summary has the median growth of changed rows that had words', () => {
  // 1, 2 and 2/3 times as many words; a row without words before has no ratio.
  expect(summarize(results).all.growth).toBe(1);
  expect(summarize(results.slice(1, 3)).all.growth).toBe(1.5);
  expect(summarize(results.slice(0, 1)).all.growth).toBeNull();
});

test('a summary adds up what learning of datasets took', () => {
  const spent = { type: 'dataset', calls: 2, input_tokens: 5, output_tokens: 1, seconds: 1 } as const;
  expect(
    summarize(results, [
      { ...spent, dataset: 'a' },
      { ...spent, dataset: 'b' },
    ]).learning,
  ).toEqual({ calls: 4, inputTokens: 10, outputTokens: 2 });
});

test('a summary counts what decided a gain, and which flawed rows were changed', () => {
  const by = (evidence: 'computed' | 'checked') => ({
    ...base,
    ...changed,
    quality: 'careless' as const,
    before_ok: false,
    edit: { kind: 'mended' as const, evidence, words_kept: 1 },
  });
  const { all } = summarize([
    by('computed'),
    by('checked'),
    // Changed, but not right.
    { ...by('checked'), after_ok: false },
    // Right by chance, and made before edits were told.
    { ...base, ...changed, quality: 'wrong', before_ok: false },
    { ...base, quality: 'wrong_language', before_ok: false, after_ok: false },
    { ...base, quality: 'cut_off', before_ok: false, after_ok: false },
  ]);

  expect(all.gainBy).toEqual({ computed: 1, checked: 1, consistent: 0, judged: 0, reviewed: 0, unknown: 1 });
  expect(all.flawedChanged).toEqual({ count: 3, of: 4 });
  expect(all.rightBefore).toEqual({ count: 0, of: 6 });
  expect(all.rightAfter).toEqual({ count: 3, of: 6 });
  expect(all.effect).toBe(5);
});

describe("holds the service's figure against the effect", () => {
  const sound = {
    changed: false,
    has_original: true,
    before_defect: null,
    after_defect: null,
    harm: null,
  } as const;
  const repaired = { ...sound, changed: true, before_defect: 'careless' } as const;
  const rates: CheckRates = {
    measured: { model_id: 'a-model', rows: 400 },
    sensitivity: { hits: 200, of: 200 },
    specificity: { hits: 200, of: 200 },
    edits: Object.fromEntries(
      EditKind.options.map((kind) => [kind, { right: 200, of: 200 }]),
    ) as CheckRates['edits'],
  };
  const kept = { ...base, checks: sound };
  const mended = { ...base, ...changed, before_ok: false, checks: repaired };
  const figureOf = (rows: readonly LabResult[]) => summarize(rows, [], rates).all.service;

  test("a summary holds the service's figure against the effect which it has the sign of, and holds", () => {
    const rows = [...Array.from({ length: 6 }, () => kept), ...Array.from({ length: 4 }, () => mended)];
    const figure = figureOf(rows);
    expect(figure?.before).toBeCloseTo(6, 0);
    expect(figure?.difference).toBeCloseTo(4, 0);
    expect(figure?.interval95[0]).toBeGreaterThan(0);
    expect(figure).toMatchObject({ signAgrees: true, holdsEffect: true });
  });

  test("a summary holds the service's figure against the effect which it misses where what it takes for mended is not right", () => {
    const rows = [kept, ...Array.from({ length: 9 }, () => ({ ...mended, after_ok: false }))];
    expect(figureOf(rows)).toMatchObject({ signAgrees: false, holdsEffect: false });
    const harmed = { ...mended, before_ok: true, after_ok: false };
    expect(figureOf(Array.from({ length: 9 }, () => harmed))).toMatchObject({
      signAgrees: false,
      holdsEffect: false,
    });
  });

  test("a summary holds the service's figure against the effect of zero, with which zero agrees and an interval that holds it", () => {
    expect(figureOf([kept, kept])).toMatchObject({ difference: 0, signAgrees: true, holdsEffect: true });
    // One of three: the interval reaches below zero.
    const figure = figureOf([kept, kept, { ...mended, after_ok: false }]);
    expect(figure?.difference).toBeGreaterThan(1);
    expect(figure?.interval95[0]).toBeLessThan(0);
    expect(figure).toMatchObject({ signAgrees: true, holdsEffect: true });
  });

  test("a summary holds the service's figure against the effect over the rows that an evaluation sees, and counts kinds", () => {
    expect(figureOf([base, { ...base, outcome: 'failed', checks: null }])).toBeNull();
    const { agreement, rates: measured } = summarize(
      [
        { ...kept, kind: 'number' },
        ...Array.from({ length: 9 }, () => ({ ...mended, kind: 'json' as const, after_ok: false })),
        { ...base, kind: 'table' },
      ],
      [],
      rates,
    );
    expect(agreement).toEqual({ signs: { count: 1, of: 2 }, intervals: { count: 1, of: 2 } });
    expect(measured.model_id).toBe('a-model');
  });
});

test('a summary bounds shares by the interval after Wilson', () => {
  const rounded = (count: number, of: number) =>
    wilsonInterval({ count, of }).map((bound) => Math.round(bound * 1000) / 1000);
  expect(rounded(0, 107)).toEqual([0, 0.035]);
  expect(rounded(5, 10)).toEqual([0.237, 0.763]);
  expect(rounded(10, 10)).toEqual([0.722, 1]);
  expect(rounded(0, 0)).toEqual([0, 1]);
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

test('blind pairs are of changed rows, and do not tell which is which by their side', () => {
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

test('blind pairs and the verdicts on them say what was preferred', () => {
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

describe('a report', () => {
  const run = {
    type: 'run',
    half: 'held-out',
    model: 'm',
    judge: 'j',
    judge_trusted: false,
    embedding_model: null,
  } as const;
  const report = writeReport({
    name: 'scripted-strong',
    run,
    summary: summarize(results),
    rows,
    preferences: new Map([['number', { adapted: 3, original: 1, ties: 2 }]]),
  });

  test('a report has figures, what a reader preferred, and harmed rows in full', () => {
    expect(report).toMatch(/^# Scripted strong\n/);
    expect(report).toContain(
      '7 of 7 rows of the half `held-out`, model m, judge j (not trusted), no embedding model.',
    );
    expect(report).toContain(
      '| **all** | 7 | 4 | 2 | 1 | 1 of 2, 50.0 % (9.5 to 90.5) | 2 of 3 | 1 of 2 | 1.00 |',
    );
    expect(report).toContain('| number | 3 | 1 | 2 | 3 of 4, 75.0 % (30.1 to 95.4) |');
    expect(report).toContain('**number-2** (changed): the adapted answer says 2 and not 1');
    expect(report).toContain('````text\nHow far?\n```\nis it\n```\n````');
    expect(report).toContain('Adapted:\n\n```text\n2 km\n```');
    expect(report).not.toContain('number-5');
  });

  test('a report says what the service says of its rows, and of which pairs its judge is believed', () => {
    const right = { pairs: 20, accuracy: 0.9, accuracy_low: 0.7 };
    const checks = {
      changed: false,
      has_original: true,
      before_defect: null,
      after_defect: null,
      harm: null,
    } as const;
    const report = writeReport({
      name: 'local',
      run: {
        ...run,
        judging: {
          ...right,
          kinds: { code: { ...right, believed: true }, fact: { ...right, accuracy: 0.5, believed: false } },
        },
      },
      summary: summarize([{ ...base, checks }]),
      rows,
      preferences: null,
    });
    expect(report).toContain('the judge is right about 90.0 %, at least 70.0 %.');
    expect(report).toContain('of these kinds: code (90.0 %, at least 70.0 %).');
    expect(report).toContain('not believed about: fact (50.0 %, at least 70.0 %).');
    expect(report).toContain('the sign of the effect in 1 of 1 kinds');
    expect(report).toContain(
      '| number | 1 of 1 | 1 of 1 | 0.00 | 10.00 | 10.00 | 0.00 (0.00 to 0.00) | yes | yes |',
    );
    const told = (fields: object) =>
      writeReport({
        name: 'local',
        run: { ...run, ...fields },
        summary: summarize([base]),
        rows,
        preferences: null,
      });
    expect(told({ judge: null })).toContain('No judge decides between answers.');
    expect(told({ model: 'scripted-strong' })).toContain('without being measured');
    expect(told({})).toContain('is not known');
    expect(told({})).toContain('| number | 1 of 1 | 1 of 1 | 0.00 |  |  |  |  |  |');
  });
});
