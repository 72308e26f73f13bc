import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { measureComparisons, readMeasured } from '#lab/effect/comparison-measure.ts';
import {
  COMPARISONS_REPORT,
  holdsHalf,
  liesAbove,
  winRatesOf,
  writeComparisonsReport,
} from '#lab/effect/comparison-report.ts';
import { readPage } from '#test/helpers/pages.ts';
import { createTinyNetwork, tinyShape } from '#test/trainer/embedded/tiny-network.ts';
import type { BaseModel } from '#trainer/embedded/run-job.ts';

const folder = mkdtempSync(join(tmpdir(), 'comparisons-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const tokensOf = (text: string): number[] =>
  [...text.slice(-12)].map((letter) => 3 + (letter.charCodeAt(0) % (tinyShape.vocabulary - 3)));

/** A model that is really trained, and whose answers follow from a rule: how often an adapter was asked before. */
async function createModel(answerOf: (adapters: number, row: number) => string) {
  const asked = { base: 0, adapters: 0 };
  const model: BaseModel = {
    network: await createTinyNetwork(),
    tokenizer: {
      tokenize: tokensOf,
      encodeChat: (messages) => messages.flatMap(({ content }) => tokensOf(content)),
      endOfTurn: 2,
      endOfText: 0,
    },
    tokenizerFiles: {},
    answer: async (prompts, { adapterPath }) => {
      if (adapterPath === undefined) asked.base += 1;
      else asked.adapters += 1;
      const { adapters } = asked;
      return prompts.map((_, row) => (adapterPath === undefined ? 'Base.' : answerOf(adapters, row)));
    },
  };
  return { model, asked };
}

const trainer = { kind: 'embedded', device: 'none', versions: {} } as const;

/** Nothing is a good answer to a sum, or one that ends in the demanded word, and is no answer to a count of words. */
const SOUND = 'It is what it is for all of us today.';

test('comparisons of rows whose better side is known train both sides, decide between them by the checks, and are done once', async () => {
  const file = join(folder, 'noisy.jsonl');
  // The original side comes first.
  const { model, asked } = await createModel((adapters) => (adapters % 2 === 1 ? '' : SOUND));
  const lab = {
    model,
    trainer,
    file,
    onProgress: () => {},
    numbers: { noisy: [1, 2], equal: [], 'noisy-longer': [] },
  };

  const measured = await measureComparisons(lab);

  expect(asked).toEqual({ base: 2, adapters: 4 });
  expect(measured.map(({ dataset, number }) => [dataset, number])).toEqual([
    ['noisy', 1],
    ['noisy', 2],
  ]);
  for (const { comparison } of measured) {
    expect(comparison).toMatchObject({ trainings_completed: 2, trainings_total: 2 });
    expect(comparison.trainings.map(({ side, rows, stages }) => [side, rows, stages[0]?.steps])).toEqual([
      ['original', 20, 5],
      ['adapted', 20, 5],
    ]);
    const rate = comparison.win_rates.adapted_against_original;
    expect(rate).toMatchObject({ rows: 20, measure: 'checks' });
    expect(rate?.by_seed[0]).toMatchObject({ losses: 0, undecided: 0 });
    expect(rate?.by_seed[0]?.wins).toBeGreaterThan(5);
  }
  expect(winRatesOf(measured, 'noisy').map(liesAbove)).toEqual([true, true]);
  expect(await readMeasured(file)).toEqual(measured);

  const more = await measureComparisons({
    ...lab,
    numbers: { noisy: [1, 2, 3], equal: [], 'noisy-longer': [] },
  });

  expect(more.slice(0, 2)).toEqual(measured);
  expect(more).toHaveLength(3);
  expect(asked).toEqual({ base: 3, adapters: 6 });
});

test('comparisons of rows whose better side is known have the same losses as without what is remembered of the base', async () => {
  const { model } = await createModel(() => SOUND);
  const lab = {
    model,
    trainer,
    onProgress: () => {},
    numbers: { noisy: [], equal: [1], 'noisy-longer': [] },
  };
  const [first] = await measureComparisons({ ...lab, file: join(folder, 'first.jsonl') });
  // The network of this model remembers what it has scored in the first comparison.
  const [again] = await measureComparisons({ ...lab, file: join(folder, 'again.jsonl') });

  const lossesOf = (each: typeof first) =>
    each?.comparison.trainings.map(({ held_out_loss }) => held_out_loss);
  expect(lossesOf(again)).toEqual(lossesOf(first));
  const [original, adapted] = lossesOf(first) ?? [];
  expect(original?.before).toBe(adapted?.before);
  expect(original?.after).not.toBe(adapted?.after);
  expect(original?.after).not.toBe(original?.before);
});

test('the report on comparisons counts intervals and verdicts, and quotes answers side by side', async () => {
  const { model } = await createModel((adapters, row) => (adapters % 2 === 1 && row < 12 ? '' : SOUND));
  const file = join(folder, 'report.jsonl');
  const lab = {
    model,
    trainer,
    file,
    onProgress: () => {},
    numbers: { noisy: [1], equal: [1], 'noisy-longer': [] },
  };

  const measured = await measureComparisons(lab);
  const report = writeComparisonsReport(measured, 'a model');

  const [{ wins = 0, ties = 0, undecided = 0 } = {}] = winRatesOf(measured, 'noisy');
  expect(report).toContain('a model, trained and asked by the embedded trainer');
  expect(report).toContain('2 comparisons of one seed each');
  expect(report).toContain('20 rows a side');
  expect(report).toContain('5 steps a training. The interval lies above 0.5 in ');
  expect(report).toContain('## noisy: noisy originals, clean adapted rows');
  expect(report).toContain('## equal: two good answers to each prompt');
  expect(report).toMatch(
    new RegExp(
      `\\| 1 \\| [\\d.]+ \\| [\\d.]+ to [\\d.]+ \\| ${wins} \\| 0 \\| ${ties - undecided} \\| ${undecided} \\|`,
    ),
  );
  expect(report).toContain(
    `Of all rows the checks call ${wins} better or worse and ${ties - undecided} equal, and leave ${undecided} undecided.`,
  );
  expect(report).toContain(`| Base. |  | ${SOUND} |`);
  expect(report).toMatch(/^# Comparisons with a trained model\n/);
});

test.each([
  [[0.5, 0.9], false, true],
  [[0.51, 0.9], true, false],
  [[0.2, 0.5], false, true],
  [[0.2, 0.49], false, false],
] as const)('the report on comparisons takes the interval %j by its ends', (interval95, above, holds) => {
  expect([liesAbove({ interval95 }), holdsHalf({ interval95 })]).toEqual([above, holds]);
});

test('the report on comparisons is in the documentation', () => {
  const written = readPage(`docs/effect/${COMPARISONS_REPORT}.md`);

  expect(written).toMatch(/^# Comparisons with a trained model\n/);
  expect(written).toContain('## equal: two good answers to each prompt');
});
