import { describe, expect, it } from 'vitest';
import type { Arbiter } from '#shared/judging/decide/arbiter.ts';
import type { Scorer } from '#shared/judging/decide/scorer.ts';
import { rowsToScore } from '#shared/judging/score-rows.ts';
import { AskFailure } from '#shared/models/decide/ask-model.ts';
import { readJsonLines } from '#shared/platform/storage/json-objects.ts';
import { runSample } from '#shared/runs/run-worker.ts';
import { type RowChecks, RowScore, type SampledRow } from '#shared/runs/schema/row-score.ts';
import { createRowObjects } from '#test/helpers/row-objects.ts';
import { createVirtualClock } from '#test/helpers/virtual-clock.ts';

const sample: SampledRow[] = [
  { dataset_row: 4, request: 'q', before: 'bad', after: 'good' },
  { dataset_row: 9, request: 'q', before: 'same', after: 'same' },
  { dataset_row: 12, request: 'q', before: null, after: 'good' },
  { dataset_row: 15, request: 'q', before: 'bad', after: 'unanswerable' },
];

async function scoreSample(lines: readonly SampledRow[] = sample, arbiter?: Pick<Arbiter, 'compare'>) {
  const clock = createVirtualClock();
  const objects = createRowObjects();
  const asked: string[] = [];
  const scorer: Scorer = {
    mode: 'calibrated_judge',
    async score({ answer }) {
      asked.push(answer);
      if (answer === 'unanswerable') {
        throw new AskFailure('answer_unusable', 'no number');
      }
      return { score: answer === 'good' ? 8 : 3, criteria: { clarity: 5 } };
    },
  };
  const ports = { objects, callsPerWorker: 2, outageSecondsMax: 60, clock, random: () => 0.5 };
  const scoring = { scorer, ...(arbiter === undefined ? {} : { arbiter }) };
  const texts = lines.map((row) => JSON.stringify(row));
  const run = async (attempt: string) => {
    const invocation = { deadlineMs: clock.now() + 900_000, attempt };
    const end = await clock.run(
      runSample(ports, { first_row: 0 }, invocation, async () => ({
        ...rowsToScore(texts, scoring),
        resultKey: 'scores/0.jsonl',
        checkpointPrefix: 'checkpoints/s0/',
      })),
    );
    return { ...end, scores: await readJsonLines(objects, 'scores/0.jsonl', RowScore) };
  };
  return { end: await run('a'), again: await run('b'), asked };
}

it('scoring a sample scores each answer alone, an unchanged one once, and says which row could not be scored', async () => {
  const { end, asked } = await scoreSample();

  expect(end).toEqual({
    status: 'finished',
    scores: [
      {
        row: 0,
        dataset_row: 4,
        before: { score: 3, criteria: { clarity: 5 } },
        after: { score: 8, criteria: { clarity: 5 } },
      },
      {
        row: 1,
        dataset_row: 9,
        before: { score: 3, criteria: { clarity: 5 } },
        after: { score: 3, criteria: { clarity: 5 } },
      },
      { row: 2, dataset_row: 12, before: null, after: { score: 8, criteria: { clarity: 5 } } },
      {
        row: 3,
        dataset_row: 15,
        before: null,
        after: null,
        reason: { code: 'answer_unusable', message: 'no number' },
      },
    ],
  });
  expect(asked.toSorted()).toEqual(['bad', 'good', 'good', 'same', 'unanswerable']);
});

it('scoring a sample answers again from its result', async () => {
  const { end, again } = await scoreSample();

  expect(again).toEqual(end);
});

const OPEN: RowChecks = {
  changed: true,
  has_original: true,
  before_defect: null,
  after_defect: null,
  harm: null,
  edit: { kind: 'rewritten', evidence: 'checked', words_kept: 0.5 },
};

describe('comparing a sample', () => {
  const rowOf = (dataset_row: number, checks: Partial<RowChecks>, after = 'good'): SampledRow => ({
    dataset_row,
    request: 'q',
    before: 'bad',
    after,
    checks: { ...OPEN, ...checks },
  });

  it('comparing a sample asks the arbiter, which sees the original first, of changed rows that the checks leave open', async () => {
    const asked: unknown[] = [];
    const { end } = await scoreSample([rowOf(1, {}), rowOf(2, {}, 'longer'), rowOf(3, {}, 'other')], {
      async compare(answers) {
        asked.push(answers);
        if (answers.second === 'other') return { winner: null, doubt: 'undecided' };
        return { winner: answers.second === 'good' ? 'second' : 'first' };
      },
    });

    expect(asked).toHaveLength(3);
    expect(asked).toContainEqual({ request: 'q', first: 'bad', second: 'good', original: 'first' });
    expect(end).toMatchObject({
      scores: [
        {
          checks: OPEN,
          comparison: { winner: 'after', by: 'judge', characters: { before: 3, after: 4 } },
        },
        { comparison: { winner: 'before', by: 'judge', characters: { before: 3, after: 6 } } },
        { comparison: { winner: null, doubt: 'undecided' } },
      ],
    });
  });

  it('comparing a sample asks nothing of rows that the checks decide, or that a judge has decided before', async () => {
    const { end } = await scoreSample(
      [
        rowOf(1, { changed: false }),
        rowOf(2, { before_defect: 'careless' }),
        rowOf(3, { after_defect: 'cut_off' }),
        rowOf(4, { harm: 'lost the code' }),
        rowOf(5, { edit: { kind: 'rewritten', evidence: 'judged', words_kept: 0.5 } }),
        { ...rowOf(6, { before_defect: 'empty' }), before: null },
      ],
      { compare: () => Promise.reject(new Error('Nothing is to be compared.')) },
    );

    const { scores } = end;
    expect(scores).toHaveLength(6);
    expect(scores.filter((score) => score.comparison !== undefined)).toEqual([]);
  });

  it('comparing a sample keeps the scores of a row on which the judge could not be brought to answer', async () => {
    const { end } = await scoreSample([rowOf(1, {})], {
      compare: () => Promise.reject(new AskFailure('answer_unusable', 'neither A nor B')),
    });

    expect(end).toMatchObject({
      scores: [{ after: { score: 8 }, comparison: { winner: null, doubt: 'answer_unusable' } }],
    });
  });
});
