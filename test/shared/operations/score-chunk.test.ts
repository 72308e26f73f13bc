import { describe, expect, it } from 'vitest';
import type { Scorer } from '#shared/domain/evaluation/scorer.ts';
import { createAdaptiveLimit } from '#shared/domain/model/adaptive-limit.ts';
import { AskFailure } from '#shared/domain/model/ask-model.ts';
import { scoreChunk } from '#shared/operations/score-chunk.ts';
import type { SampledRow } from '#shared/schema/row-score.ts';
import { createRowObjects } from '#test/helpers/row-objects.ts';
import { createVirtualClock } from '#test/helpers/virtual-clock.ts';

const sample: SampledRow[] = [
  { dataset_row: 4, request: 'q', before: 'bad', after: 'good' },
  { dataset_row: 9, request: 'q', before: 'same', after: 'same' },
  { dataset_row: 12, request: 'q', before: null, after: 'good' },
  { dataset_row: 15, request: 'q', before: 'bad', after: 'unanswerable' },
];

async function scoreSample() {
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
  const run = (attempt: string) =>
    clock.run(
      scoreChunk({
        scorer,
        lines: sample.map((row) => JSON.stringify(row)),
        firstRow: 0,
        objects,
        resultKey: 'scores/0.jsonl',
        checkpointPrefix: 'checkpoints/s0/',
        attempt,
        clock,
        deadlineMs: clock.now() + 900_000,
        limit: createAdaptiveLimit({ concurrencyMax: 2, clock, random: () => 0.5 }),
        asking: { random: () => 0.5, attemptsMax: 2, serverErrorsMax: 2, outageSecondsMax: 60 },
      }),
    );
  return { end: await run('a'), again: await run('b'), asked };
}

describe('scoring a sample', () => {
  it('scores each answer alone, an unchanged one once, and says which row could not be scored', async () => {
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

  it('answers again from its result', async () => {
    const { end, again } = await scoreSample();

    expect(again).toEqual(end);
  });
});
