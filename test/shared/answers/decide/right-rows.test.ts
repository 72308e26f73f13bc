import { readFile } from 'node:fs/promises';
import { beforeAll, expect, it } from 'vitest';
import { CALIBRATION_SET } from '#shared/judging/decide/calibration-set.ts';
import { type LanguageDetector, loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { standingAnswer } from '#test/helpers/standing-answer.ts';

interface Row {
  readonly request: string;
  readonly answer: string;
}

let detectLanguage: LanguageDetector;

beforeAll(async () => {
  detectLanguage = await loadLanguageDetector();
});

/** Rows of the repository that are right and that no rule was written for. */
async function rightRows(): Promise<Row[]> {
  const pool = (
    await readFile(new URL('../../../../examples/data/starter-pool.jsonl', import.meta.url), 'utf8')
  )
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { prompt: string; completion: string });
  return [
    ...pool.map(({ prompt, completion }) => ({ request: prompt, answer: completion })),
    ...CALIBRATION_SET.map(({ request, better }) => ({ request, answer: better })),
  ];
}

it('no right row is doubtful of the starter pool and the calibration', async () => {
  const rows = await rightRows();
  expect(rows.length).toBeGreaterThan(400);
  const doubted = rows.filter(
    ({ request, answer }) => standingAnswer(request, answer, detectLanguage).diagnosis.defect === 'doubtful',
  );
  expect(doubted).toEqual([]);
});
