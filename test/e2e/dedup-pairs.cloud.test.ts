import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { controlScriptedModel } from '#test/helpers/scripted-control.ts';
import { requireSoundLedger } from '#test/helpers/sound-end.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const model = controlScriptedModel(cloud.modelUrl);
const TEAM = 'dedup-pairs';
const MAPPING = { prompt: 'question', completion: 'answer' };
let api: ApiClient;

beforeAll(async () => {
  api = createApiClient(cloud.apiUrl, await admin.createKey(TEAM, '--credits', '100'));
});
afterAll(() => model.setScript({ judge: 'fair' }));

describe('a run that drops duplicates', () => {
  const UNIQUE = 95;
  const ROWS = 120;
  /** So large that a chunk holds about fifty rows. */
  const NOTE = 'n'.repeat(80_000);
  const wordsOf = (row: number): string[] =>
    Array.from({ length: 80 }, (_, n) => (n === 40 ? `row-${row}` : `the${row}word${n}`));

  /** Of the last 25 rows, every second one repeats one of the first exactly, and the others nearly. */
  const sourceOf = (row: number): number => (row < UNIQUE ? row : (row - UNIQUE) * 3);
  const questionOf = (row: number): string => {
    const words = wordsOf(sourceOf(row));
    return (row < UNIQUE || row % 2 === 0 ? words : words.with(10, 'another')).join(' ');
  };
  const csv = `id,question,answer,note\n${Array.from(
    { length: ROWS },
    (_, row) => `${row},${questionOf(row)},it is ${row} as far as i know,${NOTE}\n`,
  ).join('')}`;

  test('a run that drops duplicates delivers, evaluates and bills the others, and names the row that each one repeats', async () => {
    await model.setScript({ judge: 'fair' });
    const datasetId = await api.upload('repeated.csv', csv);
    expect((await api.untilRead(datasetId)).row_count).toBe(ROWS);

    const quote = await api.adapt(datasetId, {
      column_mapping: MAPPING,
      recipe_specification: { recipes: { deduplication: true, prompt_rephrase: false } },
    });
    const { status, progress } = await api.untilEnded(datasetId, 170);

    expect({ status, progress }).toEqual({ status: 'succeeded', progress: null });
    const report = await api.report(datasetId);
    expect(report.rows).toMatchObject({ total: ROWS, dropped: ROWS - UNIQUE, failed: 0 });
    const dropped = report.reported_rows.filter(({ outcome }) => outcome === 'dropped');
    expect(dropped.map(({ row, code, similar_to_row }) => [row, code, similar_to_row])).toEqual(
      Array.from({ length: ROWS - UNIQUE }, (_, n) => [
        UNIQUE + n,
        (UNIQUE + n) % 2 === 0 ? 'duplicate_exact' : 'duplicate_near',
        n * 3,
      ]),
    );
    for (const { message } of dropped) expect(message).not.toContain('word');

    const rows = await api.rows(datasetId);
    expect(rows.map(({ id }) => Number(id))).toEqual(Array.from({ length: UNIQUE }, (_, row) => row));
    expect(rows.every(({ note }) => note === NOTE)).toBe(true);

    // 120 rows are reserved, 95 are paid for.
    expect(quote.estimatedCreditsConsumed).toBe(2);
    expect(report.credits).toEqual({ reserved: 2, settled: 1 });
    await requireSoundLedger(admin, TEAM);

    // What was dropped is asked nowhere, and scored nowhere.
    const evaluation = await api.evaluation(datasetId);
    expect(evaluation.status).toBe('succeeded');
    const { byRow } = await model.stats();
    const calls = (row: number): number => byRow[String(row)] ?? 0;
    expect(calls(0)).toBeGreaterThan(0);
    expect(Math.max(...Array.from({ length: UNIQUE }, (_, row) => calls(row)))).toBeLessThan(2 * 5);
  });
});

describe('a run for preference pairs', () => {
  const csvOf = (answerOf: (row: number) => string) =>
    `id,question,answer\n${Array.from(
      { length: 6 },
      (_, row) => `${row},how do i do the thing row-${row} at home,${answerOf(row)}\n`,
    ).join('')}`;
  const careless = (row: number) => `do it row-${row}`;
  const sound = (row: number) => `Take the thing row-${row} and do it at home as you see fit.`;

  async function pairsOf(path: 'adapt' | 'run', body: object, answerOf = careless, settled = 1) {
    const datasetId = await api.upload('pairs.csv', csvOf(answerOf));
    await api.untilRead(datasetId);
    const started = await api.send<{ estimatedCreditsConsumed: number }>(
      'POST',
      `/api/v1/datasets/${datasetId}/${path}`,
      // Every test has the same rows, and what one has asked would cost the next nothing.
      { column_mapping: MAPPING, reuse: false, ...body },
    );
    expect(started.body.estimatedCreditsConsumed).toBe(1);
    expect((await api.untilEnded(datasetId)).status).toBe('succeeded');
    const report = await api.report(datasetId);
    expect(report.credits).toEqual({ reserved: 1, settled });
    return { datasetId, report, rows: await api.rows(datasetId) };
  }

  test.each([
    ['adapt', { training_type: 'preference_pairs' }],
    ['run', { recipe_specification: { recipes: { preference_pairs: true, prompt_rephrase: false } } }],
  ] as const)(
    'a run for preference pairs of /%s delivers a better and a worse answer for each row',
    async (path, body) => {
      await model.setScript({ judge: 'fair' });

      const { rows, datasetId } = await pairsOf(path, body);

      expect(rows).toHaveLength(6);
      for (const row of rows) {
        expect(row.chosen).toBe(row.enhanced_completion);
        expect(String(row.rejected).length).toBeGreaterThan(0);
        expect(row.rejected).not.toBe(row.chosen);
        expect([row.question, row.answer].every((cell) => typeof cell === 'string')).toBe(true);
      }
      expect(Object.keys(rows[0] ?? {})).toEqual([
        'question',
        'answer',
        'enhanced_prompt',
        'enhanced_completion',
        'chosen',
        'rejected',
        'id',
        'prompt_safety_issues',
        'response_safety_issues',
      ]);
      const { quality } = await api.evaluation(datasetId);
      expect(quality?.score_after).toBeGreaterThan(quality?.score_before ?? 10);
    },
  );

  test('a run for preference pairs needs no judge to reject a careless answer', async () => {
    await model.setScript({ judge: 'front' });

    const { rows } = await pairsOf('adapt', { training_type: 'preference_pairs' });

    expect(rows.map(({ rejected }) => rejected)).toEqual(rows.map(({ answer }) => answer));
    for (const row of rows) expect(row.chosen).toBe(row.enhanced_completion);
  });

  test('guesses no pair of sound answers where the judge names what stands in front', async () => {
    await model.setScript({ judge: 'front' });

    const { rows, report } = await pairsOf('adapt', { training_type: 'preference_pairs' }, sound, 0);

    expect(rows.map(({ chosen, rejected }) => [chosen, rejected])).toEqual(rows.map(() => [null, null]));
    expect(report.reported_rows.map(({ row, code }) => [row, code])).toEqual(
      rows.map((_, row) => [row, 'no_clear_winner']),
    );
    await requireSoundLedger(admin, TEAM);
  });
});
