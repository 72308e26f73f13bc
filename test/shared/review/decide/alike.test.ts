import { expect, test } from 'vitest';
import { alikeTo } from '#shared/review/decide/alike.ts';
import { learnEdit } from '#shared/review/decide/learn-edit.ts';
import type { Doubt } from '#shared/runs/schema/doubt.ts';

const doubtOf = (kind: string, proposal?: string): Doubt => ({
  probability: 0.8,
  reasons: [{ witness: 'neighbours', kind, message: 'It says so.' }],
  ...(proposal === undefined ? {} : { proposal }),
});

const mended = (before: string, text: string, doubt: Doubt | null = null) => ({
  edit: learnEdit(before, text),
  text,
  doubt,
});

test('a row with the exchanged label is alike, and the more so if a witness proposes the same exchange', () => {
  const row = mended('refund', 'billing', doubtOf('label_contradicted', 'billing'));

  const plain = alikeTo(row, 'refund', null);
  const doubted = alikeTo(row, 'refund', doubtOf('label_contradicted', 'delivery'));
  const proposed = alikeTo(row, 'refund', doubtOf('label_contradicted', 'billing'));

  expect([plain, doubted, proposed].map((each) => each?.proposal)).toEqual(['billing', 'billing', 'billing']);
  expect(plain?.why).toBe('same_label');
  expect(proposed?.similarity).toBeGreaterThan(doubted?.similarity ?? 1);
  expect(doubted?.similarity).toBeGreaterThan(plain?.similarity ?? 1);
});

test('a row of which the same witness says the same is alike with what is proposed for it', () => {
  const row = mended('def f(): return 1', 'def f(): return 2', doubtOf('wrong_output', 'def f(): return 2'));

  expect(alikeTo(row, 'def g(): return 3', doubtOf('wrong_output', 'def g(): return 4'))).toMatchObject({
    why: 'same_doubt',
    proposal: 'def g(): return 4',
  });
  expect(alikeTo(row, 'def g(): return 3', doubtOf('other', 'def g(): return 4'))).toBeNull();
  expect(alikeTo(row, 'def g(): return 3', doubtOf('wrong_output'))).toBeNull();
});

test('a proposal of the same witness is the more alike if the mended row took what was proposed for it', () => {
  const doubt = doubtOf('wrong_output', 'def f(): return 2');
  const similarity = (text: string): number =>
    alikeTo(
      { ...mended('def f(): return 1', text, doubt), edit: null },
      'def g(): return 3',
      doubtOf('wrong_output', 'def g(): return 4'),
    )?.similarity ?? 0;

  expect(similarity('def f(): return 2')).toBe(2 * similarity('def f(): return 5'));
});

test('no text is proposed that is there already', () => {
  const row = mended('As an AI language model, yes.', 'Yes.', doubtOf('debris', 'Yes.'));

  expect(alikeTo(row, 'No.', doubtOf('debris', 'No.'))).toBeNull();
  expect(alikeTo(row, 'Yes.', null)).toBeNull();
});
