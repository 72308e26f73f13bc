import { expect, test } from 'vitest';
import { topicsOf } from '#shared/pilots/decide/topics.ts';
import { seededRandom } from '#shared/runs/decide/sample-rows.ts';

const VOCABULARIES = [
  'rice bean onion pan oven salt pepper soup bread butter cheese',
  'planet moon orbit star galaxy comet telescope gravity rocket sun',
  'function array string loop variable class compiler pointer stack queue',
  '天気雨雪風雲空晴嵐気温湿度',
];

/** Texts of twelve words of one vocabulary each, with words that all share. */
function textsOf(count: number): string[] {
  const random = seededRandom('texts');
  return Array.from({ length: count }, (_, at) => {
    const vocabulary = VOCABULARIES[at % VOCABULARIES.length] ?? '';
    const words = vocabulary.includes(' ') ? vocabulary.split(' ') : [...vocabulary];
    const pick = (): string => words[Math.floor(words.length * random())] ?? '';
    return `please tell me about ${Array.from({ length: 12 }, pick).join(vocabulary.includes(' ') ? ' ' : '')}`;
  });
}

test('topics are those of the words that texts share and others do not, also without spaces', () => {
  const topics = topicsOf(textsOf(200), 4, 'seed');

  const pairs = VOCABULARIES.map((_, kind) => {
    const own = topics.filter((__, at) => at % VOCABULARIES.length === kind);
    const most = Math.max(...[0, 1, 2, 3].map((topic) => own.filter((each) => each === topic).length));
    return most / own.length;
  });
  expect(Math.min(...pairs)).toBeGreaterThan(0.9);
  expect(new Set(topics).size).toBe(4);
});

test('topics are the same for the same seed', () => {
  expect(topicsOf(textsOf(100), 3, 'a')).toEqual(topicsOf(textsOf(100), 3, 'a'));
});

test('topics are one where one is asked for, and none of a text without words', () => {
  expect(topicsOf(['one', '', '!?', 'two'], 1, 's')).toEqual([0, -1, -1, 0]);
  expect(topicsOf(['', '', ''], 2, 's')).toEqual([-1, -1, -1]);
  expect(topicsOf([], 2, 's')).toEqual([]);
});

test('topics do not fail on texts that are all the same', () => {
  expect(new Set(topicsOf(Array(50).fill('the same words'), 4, 's')).size).toBe(1);
});
