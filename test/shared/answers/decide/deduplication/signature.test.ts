import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Shingler } from '#shared/answers/decide/deduplication/shingles.ts';
import {
  BAND_MINIMA,
  BANDS,
  BANDS_AT,
  COMPARES_EXACTLY,
  COMPARES_NOTHING,
  COMPARES_WORDS,
  CONTEXT_AT,
  type ComparedText,
  PROMPT_AT,
  RECORD_WORDS,
  Signer,
  similarityOf,
} from '#shared/answers/decide/deduplication/signature.ts';
import { seededRandom } from '#shared/runs/decide/sample-rows.ts';

const text = (prompt: string, overrides: Partial<ComparedText> = {}): ComparedText => ({
  identity: JSON.stringify([prompt, overrides.context ?? '']),
  prompt,
  context: '',
  apart: null,
  ...overrides,
});

function sign(compared: ComparedText | null): Uint32Array {
  const record = new Uint32Array(RECORD_WORDS);
  new Signer().sign(compared, record, 0);
  return record;
}

function shinglesOf(content: string): Set<number> {
  const shingler = new Shingler();
  shingler.read(content, 0);
  return new Set(shingler.hashes.subarray(0, shingler.length));
}

/** By counting. */
function jaccard(a: string, b: string): number {
  const [left, right] = [shinglesOf(a), shinglesOf(b)];
  const both = [...left].filter((shingle) => right.has(shingle)).length;
  return both / (left.size + right.size - both);
}

const similarity = (a: string, b: string): number =>
  similarityOf(sign(text(a)), PROMPT_AT, sign(text(b)), PROMPT_AT);

function randomWords(random: () => number, count: number): string[] {
  return Array.from({ length: count }, () => `w${Math.floor(random() * 5000)}`);
}

/** Pairs of texts of which a share of the words differs, so that similarities of all sizes occur. */
function randomPairs(count: number): { a: string; b: string }[] {
  const random = seededRandom('pairs');
  return Array.from({ length: count }, () => {
    const words = randomWords(random, 40 + Math.floor(random() * 120));
    const changed = random() * 0.15;
    const other = words.map((word) => (random() < changed ? `v${Math.floor(random() * 5000)}` : word));
    return { a: words.join(' '), b: other.join(' ') };
  });
}

test('a signature estimates the Jaccard similarity that counting gives, without bias', () => {
  const errors = randomPairs(300).map(({ a, b }) => similarity(a, b) - jaccard(a, b));

  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  const deviation = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length);
  expect(Math.abs(mean)).toBeLessThan(0.01);
  // Of 120 minima, each with a fingerprint of 4 bits, at most √(0.25 / 120) / (1 − 1/16).
  expect(deviation).toBeLessThan(0.05);
  expect(Math.max(...errors.map(Math.abs))).toBeLessThan(0.2);
});

test('a signature finds pairs at the threshold with a probability of at least 99 %, and by its bands', () => {
  const probability = 1 - (1 - 0.8 ** BAND_MINIMA) ** BANDS;
  const similar = randomPairs(2000).filter(({ a, b }) => jaccard(a, b) >= 0.8);
  const found = similar.filter(({ a, b }) => {
    const [left, right] = [sign(text(a)), sign(text(b))];
    return Array.from({ length: BANDS }, (_, band) => BANDS_AT + band).some((at) => left[at] === right[at]);
  });

  expect(probability).toBeGreaterThanOrEqual(0.99);
  expect(similar.length).toBeGreaterThan(200);
  expect(found.length / similar.length).toBeGreaterThanOrEqual(0.99);
});

test('a signature is the same in every process, whatever was signed before', () => {
  const signer = new Signer();
  const record = new Uint32Array(2 * RECORD_WORDS);
  signer.sign(text('a b c d e f g h', { context: 'x y z' }), record, 0);
  signer.sign(text('how do i boil an egg'), record, RECORD_WORDS);

  expect(record.subarray(RECORD_WORDS)).toEqual(sign(text('how do i boil an egg')));
  // Objects of one release are read by another that is being deployed: a change needs another format.
  expect([...record.subarray(RECORD_WORDS + BANDS_AT, RECORD_WORDS + BANDS_AT + 2)]).toEqual([
    2748339142, 2866719283,
  ]);
});

test('a signature sees no difference in case, spaces, sentence marks and Unicode forms', () => {
  for (const same of [
    'how do I boil an egg, so that it is soft?',
    'How do I boil an egg so that it is soft',
    '  How  do\tI boil\nan egg — so that it is soft! '.replace('—', ','),
    'How do I boil an egg “so that” it is soft',
    'Ｈow do I boil an egg so that it is soft',
  ]) {
    expect(similarity('how do I boil an egg so that it is soft', same)).toBe(1);
  }
  expect(similarity('cafe\u0301 au lait is what I would like', 'café au lait is what I would like')).toBe(1);
});

test.each([
  ['2 * 3', '2 / 3'],
  ['What is 7 + 5?', 'What is 7 - 5?'],
  ['What is 15?', 'What is 1.5?'],
  ['C++', 'C#'],
])('a signature tells %s from %s', (a, b) => {
  expect(similarity(a, b)).toBeLessThan(0.5);
});

test.each([
  [
    '我想知道怎样才能在家里种植番茄，需要多少阳光和水，应该什么时候播种，以及怎样防止害虫',
    '有没有什么好方法可以快速学会弹吉他，而且不需要花很多钱请老师来家里教我练习',
  ],
  [
    '東京から大阪まで新幹線で行くにはいくらかかりますか、また何時間ぐらいかかりますか',
    '初心者におすすめのプログラミング言語とその理由を教えていただけますでしょうか',
  ],
  [
    'ฉันอยากรู้วิธีทำต้มยำกุ้งแบบง่ายๆที่บ้านโดยใช้วัตถุดิบที่หาได้ทั่วไป',
    'ช่วยแนะนำสถานที่ท่องเที่ยวในเชียงใหม่ที่เหมาะสำหรับครอบครัวที่มีเด็กเล็ก',
  ],
])('a signature works on scripts without spaces: %s', (one, other) => {
  expect(similarity(one, `${one}`.replace(/[，、]/g, ' '))).toBe(1);
  expect(similarity(one, one.slice(0, -1))).toBeGreaterThan(0.7);
  expect(similarity(one, other)).toBeLessThan(0.2);
});

test.each([
  ['Write a short poem in the style of Emily Dickinson about the topic: love', 'love', 'war'],
  ['Madrid is a city of which country, and since when is it its capital?', 'Madrid', 'Oslo'],
])('a signature weighs every word alike, wherever it stands: %s', (asked, word, other) => {
  const middle = asked.replace(asked.split(' ')[6] ?? '', 'other');

  expect(jaccard(asked, asked.replace(word, other))).toBeCloseTo(jaccard(asked, middle));
  expect(similarity(asked, asked.replace(word, other))).toBeLessThan(0.75);
});

test('a signature keeps prompt and context apart', () => {
  const passage = 'the quick brown fox jumps over the lazy dog and runs away into the dark forest';
  const a = sign(text('who jumps over the dog', { context: passage }));
  const b = sign(text('where does the fox run to', { context: passage }));

  expect(similarityOf(a, CONTEXT_AT, b, CONTEXT_AT)).toBe(1);
  expect(similarityOf(a, PROMPT_AT, b, PROMPT_AT)).toBeLessThan(0.3);
  expect(similarityOf(a, PROMPT_AT, a, CONTEXT_AT)).toBeLessThan(0.3);
});

test('a signature of texts about different images has nothing in common', () => {
  const asked = 'describe what can be seen in this picture in one sentence';
  const [one, other] = ['one.png', 'two.png'].map((image) => sign(text(asked, { apart: image })));

  expect(similarityOf(one as Uint32Array, PROMPT_AT, other as Uint32Array, PROMPT_AT)).toBeLessThan(0.3);
});

test('a signature says what of a row can be compared', () => {
  expect(sign(null)[0]).toBe(COMPARES_NOTHING);
  expect(sign(text('', { identity: 'only an image', apart: 'a.png' }))[0]).toBe(COMPARES_EXACTLY);
  expect(sign(text('?!'))[0]).toBe(COMPARES_EXACTLY);
  expect(sign(text('', { context: 'some words' }))[0]).toBe(COMPARES_WORDS);
});

test('a signature takes any text', () => {
  const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 30 });
  fc.assert(
    fc.property(units, (codes) => {
      const prompt = String.fromCharCode(...codes);
      const record = sign(text(prompt, { context: prompt }));
      expect(similarityOf(record, PROMPT_AT, sign(text(prompt)), PROMPT_AT)).toBe(1);
    }),
  );
});
