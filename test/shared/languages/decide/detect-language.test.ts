import { expect, test } from 'vitest';
import { loadLanguageDetector, remember } from '#shared/languages/decide/detect-language.ts';

/** A detector that counts the texts it reads. */
function createDetector() {
  const read: string[] = [];
  const detect = remember((text) => {
    read.push(text);
    return text.endsWith('0') ? null : `of ${text}`;
  });
  return { detect, read };
}

test('a detector that remembers reads a text once as long as few others come between, however many came before', () => {
  const { detect, read } = createDetector();
  const texts = Array.from({ length: 3000 }, (_, n) => String(n));

  for (const [n, text] of texts.entries()) {
    detect(text);
    detect(texts[Math.max(0, n - 200)] ?? '');
  }

  expect(read).toEqual(texts);
});

test('a detector that remembers keeps a text that is asked for again and again', () => {
  const { detect, read } = createDetector();

  for (let n = 0; n < 5000; n += 1) {
    if (n % 300 === 0) detect('often');
    detect(String(n));
  }

  expect(read.filter((text) => text === 'often')).toHaveLength(1);
});

test('a detector that remembers returns what it would read, also for a text without a language', () => {
  const { detect } = createDetector();

  for (let n = 0; n < 5000; n += 1) {
    const text = String((n * 7) % 1500);
    expect(detect(text)).toBe(text.endsWith('0') ? null : `of ${text}`);
  }
});

test('a detector that remembers forgets a text that it was not asked for during a thousand others', () => {
  const { detect, read } = createDetector();
  detect('first');

  for (let n = 0; n < 1024; n += 1) detect(String(n));
  detect('first');

  expect(read.filter((text) => text === 'first')).toHaveLength(2);
});

test('the detector detects the language of prose, and none in code or a name', async () => {
  const detect = await loadLanguageDetector();

  expect(detect('Water the plant once a week in the morning.')).toBe('en');
  expect(detect('Gießen Sie die Pflanze einmal in der Woche am Morgen.')).toBe('de');
  expect(detect('Marrakesh')).toBeNull();
  expect(detect('```\nconst value = read(file);\n```')).toBeNull();
});

test('a detector that remembers keeps no long text, which it reads again', () => {
  let reads = 0;
  const detect = remember(() => {
    reads += 1;
    return 'en';
  });

  for (const text of ['short', 'a long text '.repeat(1_000)]) for (const _ of [1, 2]) detect(text);

  expect(reads).toBe(3);
});
