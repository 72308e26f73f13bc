import { startStopwatch } from './stopwatch.ts';

/** What expressions are slow at, one after the other many times. */
const HOSTILE_PARTS: readonly string[] = [
  ' ',
  '"',
  "'",
  '“',
  '`',
  '„',
  'or ',
  'A, ',
  '1',
  '1,',
  '1,111',
  '.',
  '...x',
  '!',
  '```',
  '```a\n',
  '(',
  ')',
  'a(',
  '[A',
  '{{',
  '<<<',
  'the ',
  '\n',
  '\n ',
  ' \n',
  ',\n',
  ',',
  'a/',
  'a|',
  '|',
  '中',
  'かo',
  'a',
  'A) b ',
  '; a) ',
  '= ',
  '1=',
  '1+1=',
  '-- ',
  '--',
  'a@a.',
  '$',
  'haha ',
  'its ',
  'i ',
  '１',
  'not ',
  'A and ',
  'day 1 ',
  'write a ',
  'answer with ',
  'convert ',
  '\ud800',
  'é\u0301',
  '😀',
];

export const HOSTILE_LENGTHS: readonly number[] = [50, 5_000, 50_000];

/** Adversarial texts of about a length, each also with an end that makes a match fail. */
export function* hostileTexts(length: number): Generator<readonly [name: string, text: string]> {
  for (const part of HOSTILE_PARTS) {
    const text = part.repeat(Math.ceil(length / part.length)).slice(0, length);
    yield [`${JSON.stringify(part)} × ${length}`, text];
    yield [`${JSON.stringify(part)} × ${length} and an end`, `--${text}\u0001x`];
  }
}

/** The hostile texts at which a function takes longer than it may, with the milliseconds. */
export function slowTexts(read: (text: string) => unknown, millisecondsMax = 500): string[] {
  const slow: string[] = [];
  for (const length of HOSTILE_LENGTHS) {
    for (const [name, text] of hostileTexts(length)) {
      // The processor is shared: what is slow once may have been waiting.
      const taken = millisecondsOf(() => read(text));
      if (taken > millisecondsMax && millisecondsOf(() => read(text)) > millisecondsMax) {
        slow.push(`${name}: ${Math.round(taken)} ms`);
      }
    }
    // A longer text would only take longer.
    if (slow.length > 0) break;
  }
  return slow;
}

export function millisecondsOf(work: () => unknown): number {
  const elapsed = startStopwatch();
  work();
  return elapsed();
}
