import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeAnswer, computeChoice, optionOf } from '#shared/adaptation/decide/answers/compute-answer.ts';
import { evidenceOf } from '#shared/adaptation/decide/answers/evidence.ts';
import { readForm } from '#shared/adaptation/decide/answers/read-form.ts';
import { slowTexts } from '#test/helpers/hostile-texts.ts';
import { formOf } from '#test/helpers/standing-answer.ts';

const told = (request: string, answer: string) =>
  evidenceOf({ request, answer, form: formOf(request, answer) });

describe('a statement about numbers', () => {
  it.each([
    ['Is 91 a prime number? Yes or No.', 'Yes', 'No'],
    ['Is 97 prime? Answer with Yes or No only.', 'No', 'Yes'],
    ['Is 84 divisible by 7? Answer yes or no.', 'no', 'yes'],
    ['Is 9.11 greater than 9.9? Answer Yes or No.', 'Yes', 'No'],
    ['Is 3/4 larger than 2/3? Answer Yes or No.', 'No', 'Yes'],
    ['Is 1900 a leap year? Answer with true or false.', 'true', 'false'],
    ['True or false: 51 is a prime number.', 'True', 'False'],
    ['Is 17 a factor of 51? Answer Yes or No.', 'No', 'Yes'],
    ['Is ９１ a prime number? Yes or No.', 'Yes', 'No'],
    ['Is 1,001 divisible by 13? Yes or No.', 'No', 'Yes'],
  ])('%s %s is proven wrong', (request, answer, expected) => {
    expect(told(request, answer)).toMatchObject({ verdict: 'wrong', expected });
  });

  it.each([
    ['Is 91 a prime number? Yes or No.', 'No'],
    ['Is 2 prime? Yes or No.', 'Yes'],
    ['Is 1 a prime number? Yes or No.', 'No'],
    ['Is 0 even? Answer Yes or No.', 'Yes'],
    ['Is 2000 a leap year? Answer Yes or No.', 'Yes'],
  ])('%s %s is proven', (request, answer) => {
    expect(told(request, answer)).toEqual({ verdict: 'right' });
  });

  it.each([
    ['a reversed answer', 'Is 91 a prime number? Answer No if it is, else Yes.', 'Yes'],
    ['a negation', 'Is it not true that 91 is prime? Yes or No.', 'Yes'],
    ['a negation with n’t', "Isn't 91 a prime number? Yes or No.", 'Yes'],
    ['another property', 'Is 91 a prime number of deaths? Yes or No.', 'Yes'],
    ['two questions', 'Is 91 prime? Is 97 prime? Yes or No.', 'Yes'],
    ['other knowledge', 'Is 42 the answer to everything? Yes or No.', 'No'],
    ['a larger context', 'Is 7 a prime minister’s number? Yes or No.', 'No'],
    ['a version', 'Is version 9.11 greater than 9.9? Yes or No.', 'Yes'],
    ['a huge number', 'Is 99999999999999999999 prime? Yes or No.', 'Yes'],
    ['words before it', 'Was noch: Is 17 * 3 equal to 51? Reply with Yes or No.', 'No'],
    ['three labels', 'Is 91 prime? Answer yes, no, or unknown.', 'unknown'],
  ])('is not judged with %s', (_, request, answer) => {
    expect(told(request, answer)).toEqual({ verdict: 'unknown' });
  });

  it('is answered in a sentence', () => {
    expect(told('Is 91 a prime number?', 'Yes, 91 is a prime number.')).toMatchObject({
      verdict: 'wrong',
      expected: null,
    });
    expect(told('Is 91 a prime number?', 'No, it is 7 times 13.')).toEqual({ verdict: 'right' });
    expect(told('Is 91 a prime number?', 'It is 7 times 13.')).toEqual({ verdict: 'unknown' });
  });
});

describe('a choice among numbers', () => {
  const LETTER = 'Answer with a single letter.\n\n';
  it.each([
    ['Which of these numbers is prime?\nA. 51\nB. 57\nC. 59\nD. 63', 'A', 'C'],
    ['Which of these is the largest number?\nA. 9.9\nB. 9.11\nC. 9.09', 'B', 'A'],
    ['Which of the following numbers is not even?\nA. 4\nB. 9\nC. 12', 'A', 'B'],
    ['Which number is divisible by 9?\nA) 118\nB) 128\nC) 135', 'A', 'C'],
    ['What is 12 * 7?\nA. 74\nB. 84\nC. 94', 'C', 'B'],
    ['How many minutes are 2.5 hours?\nA. 125\nB. 150', 'A', 'B'],
    ['What is the average of 3, 5 and 10?\nA. 5\nB. 6\nC. 18', 'A', 'B'],
  ])('%s %s is proven wrong', (request, answer, expected) => {
    expect(told(`${LETTER}${request}`, answer)).toMatchObject({ verdict: 'wrong', expected });
    expect(told(`${LETTER}${request}`, expected)).toEqual({ verdict: 'right' });
  });

  it.each([
    ['several right options', 'Which of these numbers is prime?\nA. 51\nB. 57\nC. 59\nD. 61', 'A'],
    ['no right option', 'Which of these numbers is prime?\nA. 51\nB. 57\nC. 63', 'A'],
    ['equal extremes', 'Which of these is the largest number?\nA. 0.5\nB. 1/2\nC. 0.25', 'C'],
    ['options with words', 'Which of these is the largest?\nA. 5 mm\nB. 3 km\nC. 4 m', 'B'],
    ['a condition', 'Which of these numbers is prime if you reverse its digits?\nA. 14\nB. 16\nC. 13', 'A'],
    ['another subject', 'Which of these players is the highest?\nA. 7\nB. 9\nC. 10', 'A'],
  ])('is not judged with %s', (_, request, answer) => {
    expect(told(`${LETTER}${request}`, answer)).toEqual({ verdict: 'unknown' });
  });

  it('has one option of a value', () => {
    const { options } = readForm({
      request: 'Pick one.\nA. 150 minutes\nB. 125 minutes',
      answer: 'A',
      profile: { labels: [], jsonKeys: null, isNumeric: false, isTerse: false, isBilingual: false },
    });
    expect(optionOf(150, options)).toBe('A');
    expect(optionOf(151, options)).toBeNull();
    expect(computeChoice('Which is prime?', options)).toBeNull();
  });
});

describe('what a request asks for of its own numbers, letters and words', () => {
  it.each([
    ['What is the sum of 12, 30 and 8?', 50],
    ['What is the average of the numbers 3, 5 and 10?', 6],
    ['Find the product of 6 and 7.', 42],
    ['What is the median of 9, 1, 5 and 3?', 4],
    ['Which number is larger, 9.11 or 9.9?', 9.9],
    ['What is 15% of 80?', 12],
    ['What is 15 percent of 1,200?', 180],
    ['What is half of 90?', 45],
    ['What is the square root of 144?', 12],
    ['What is 12 squared?', 144],
    ['What is 2 to the power of 10?', 1024],
    ['What is the remainder when 17 is divided by 5?', 2],
    ['How many letters are in the word "garden"?', 6],
    ['How many times does the letter "r" appear in "strawberry"?', 3],
    ['How many r\'s are in the word "strawberry"?', 3],
    ['How many vowels are in the word "education"?', 5],
    ['How many words are in the sentence "The dog barks at night"?', 5],
    ['How many minutes are there between 9:40 and 11:15?', 95],
    ['How many eggs are in two dozen?', 24],
    ['What is XIV in Arabic numerals?', 14],
    ['Convert binary 1011 to decimal.', 11],
  ])('%s %s', (request, value) => {
    expect(computeAnswer(request)).toEqual({ type: 'number', value });
  });

  it.each([
    ['What is the third word of the sentence "The dog barks at night"?', 'barks'],
    ['What is the last letter of the word "garden"?', 'n'],
    ['What is 1994 in Roman numerals?', 'MCMXCIV'],
    ['Convert 13 to binary.', '1101'],
    ['Which day comes right after Sunday?', 'Monday'],
    ['What day is it 10 days after Tuesday?', 'Friday'],
  ])('%s %s', (request, text) => {
    expect(computeAnswer(request)).toEqual({ type: 'text', text });
  });

  it.each([
    'What is the sum of 3 apples and 5 pears?',
    'What is the average of 3, 5 and the next prime?',
    'What is 15% of 80 plus 3?',
    'What is the square root of 2?',
    'What is the sum of the first 10 numbers?',
    'How many letters are in the word "don’t"?',
    'How many vowels are in the word "rhythmy"?',
    'How many words are in the sentence "A well-known song"?',
    'How many minutes are between 23:40 and 0:15?',
    'What is IIII in Arabic numerals?',
    'What is the largest of the planets?',
    'How many r are in "strawberry" if you skip the first?',
    'What is the third word of the song "Let it be" by the Beatles?',
    'Which day comes after the wedding?',
    'What is the difference between 3 and a half?',
  ])('%s is left alone', (request) => {
    expect(computeAnswer(request)).toBeNull();
  });

  it.each([
    ['What is the sum of 12 and 30?', 'The sum of 12 and 30 is forty-two.', 'unknown'],
    ['What is the sum of 12 and 30?', '12 and 30 make 42.', 'right'],
    ['How many letters are in the word "garden"?', 'Six', 'unknown'],
    ['What is 10% of 25?', '2.5', 'right'],
    ['What is 10% of 25.', 'Two and a half.', 'unknown'],
    ['What is the last letter of the word "garden"?', 'It is the letter n.', 'unknown'],
    ['What is the third word of the sentence "The dog barks at night"?', '"barks"', 'right'],
    ['What is the average of 1, 2 and 2?', '1.67', 'right'],
  ])('a right answer stays: %s %s is %s', (request, answer, verdict) => {
    expect(told(request, answer)).toEqual({ verdict });
  });

  it.each([
    ['What is the sum of 12, 30 and 8? Number only.', '48', '50'],
    ['How many times does the letter "r" appear in "strawberry"? Just the number.', '2', '3'],
    [
      'What is the third word of the sentence "The dog barks at night"? Output only the word.',
      'dog',
      'barks',
    ],
    ['What is 15% of 80?', '15% of 80 is 14.', null],
  ])('a wrong answer is proven: %s %s', (request, answer, expected) => {
    expect(told(request, answer)).toMatchObject({ verdict: 'wrong', expected });
  });
});

it('computeAnswer throws at no text, in time that grows as the text does', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => computeAnswer(text) !== undefined),
  );
  expect(slowTexts((text) => computeAnswer(text))).toEqual([]);
});
