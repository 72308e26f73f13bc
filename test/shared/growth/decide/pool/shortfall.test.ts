import { expect, test } from 'vitest';
import { type AddedRows, describeLacking } from '#shared/growth/decide/pool/shortfall.ts';

const rowsOf = (fields: Partial<AddedRows> = {}): AddedRows => ({
  wanted: { domain: 10, general: 0, similar: 0 },
  added: { domain: 4, general: 0, similar: 0 },
  isCancelled: false,
  isInterrupted: false,
  isExhausted: true,
  isGeneralWritten: false,
  ...fields,
});

test('an augmentation that lacks nothing has nothing to say', () => {
  const all = { domain: 10, general: 0, similar: 0 };
  expect(describeLacking(rowsOf({ added: all }))).toBeNull();
  expect(describeLacking(rowsOf({ added: all, isCancelled: true }))).toBeNull();
});

test('an augmentation says that there are no others only where all rows near enough were looked at', () => {
  expect(describeLacking(rowsOf())).toBe(
    '4 of 10 rows on the topics of the dataset: no others were found in the pool that are near enough, and that the dataset does not have.',
  );
  expect(describeLacking(rowsOf({ isExhausted: false }))).toMatch(/not all on the others were looked at/);
});

test('an augmentation gives each kind of rows its own reason', () => {
  const all = {
    wanted: { domain: 10, general: 10, similar: 10 },
    added: { domain: 4, general: 5, similar: 6 },
  };

  const sentences = (fields: Partial<AddedRows>) =>
    describeLacking(rowsOf({ ...all, ...fields }))?.split('. ');
  expect(sentences({})).toEqual([
    expect.stringMatching(/^4 of 10 rows on the topics of the dataset: no others/),
    expect.stringMatching(/^5 of 10 rows on other topics: .* drawn from the pool/),
    expect.stringMatching(/^6 of 10 rows in the style of the dataset: .* the model wrote/),
  ]);
  expect(sentences({ isGeneralWritten: true, isInterrupted: true })).toEqual([
    expect.stringContaining('no others were found'),
    expect.stringContaining('the run ended before'),
    expect.stringContaining('the run ended before'),
  ]);
  expect(sentences({ isCancelled: true })).toEqual(
    Array(3).fill(expect.stringContaining('the run ended before')),
  );
});
