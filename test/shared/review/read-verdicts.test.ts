import { expect, test } from 'vitest';
import type { RowTexts } from '#shared/exports/decide/row-texts.ts';
import type { OpenTexts } from '#shared/exports/read-texts.ts';
import { contentHash, type VerdictRecord } from '#shared/review/decide/verdict.ts';
import { readCurrent } from '#shared/review/read-verdicts.ts';
import { createMemoryObjects } from '#test/helpers/memory-objects.ts';

const ROWS = 12_000;
const textsOf = (row: number): RowTexts => ({ prompt: `q ${row}`, original: 'a', completion: `a ${row}` });

/** Rows of which a request reads so many, and then ends. */
function textsUntil(readable: number): { texts: OpenTexts; read: () => number } {
  let read = 0;
  const texts = {
    key: 'now',
    version: 'now',
    mapping: { prompt: 'q', completion: 'a', context: [] },
    isDelivered: () => true,
    each: async (rows: readonly number[], use: (row: number, texts: RowTexts, doubt: null) => void) => {
      for (const row of rows) {
        if (read === readable) throw new Error('The request has ended.');
        read += 1;
        use(row, textsOf(row), null);
      }
    },
  } as unknown as OpenTexts;
  return { texts, read: () => read };
}

test('rows with verdicts that one request could not read all are read on by the next', async () => {
  const objects = createMemoryObjects();
  const verdicts = Array.from({ length: ROWS }, (_, row) => ({ row, seen_in: 'before' })) as VerdictRecord[];
  const first = textsUntil(7000);
  await expect(readCurrent(objects, 'd', first.texts, verdicts)).rejects.toThrow('has ended');

  const second = textsUntil(7000);
  const current = await readCurrent(objects, 'd', second.texts, verdicts);

  expect(second.read()).toBe(7000);
  expect([0, 4999, 5000, ROWS - 1].map(current)).toEqual(
    [0, 4999, 5000, ROWS - 1].map((row) => contentHash(textsOf(row))),
  );
});
