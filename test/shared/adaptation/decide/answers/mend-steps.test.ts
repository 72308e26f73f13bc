import { describe, expect, it } from 'vitest';
import { mendEquations } from '#shared/adaptation/decide/answers/mend-equations.ts';
import { translatedNumberFault } from '#shared/adaptation/decide/answers/translated-numbers.ts';
import { slowTexts } from '#test/helpers/hostile-texts.ts';

describe('steps with a wrong result', () => {
  const BILL = 'Three friends share a bill of 87 dollars, and each adds 4 dollars. How much does each pay?';
  it.each([
    [BILL, '87 / 3 = 27\n27 + 4 = 31\n31', '87 / 3 = 29\n29 + 4 = 33\n33'],
    [BILL, '87 / 3 = 29\n29 + 4 = 34\nAnswer: 34', '87 / 3 = 29\n29 + 4 = 33\nAnswer: 33'],
    [
      'A box costs $12.50. What do 3 cost?',
      '3 × $12.50 = $36.50. They cost $36.50.',
      '3 × $12.50 = $37.50. They cost $37.50.',
    ],
    ['1,200 seats in 4 blocks, 50 more later?', '1,200 + 50 = 1,350 seats', '1,200 + 50 = 1,250 seats'],
  ])('%s %s', (request, answer, expected) => {
    expect(mendEquations(request, answer)).toBe(expected);
  });

  it.each([
    ['right steps', BILL, '87 / 3 = 29\n29 + 4 = 33'],
    ['a rounded step', 'Share 100 among 3.', '100 / 3 = 33.33'],
    ['numbers of nobody', 'Why is it so?', '41 + 17 = 59'],
    ['a result that the request has, too', 'Of 87 guests and 27 chairs, share by 3.', '87 / 3 = 27'],
    ['a result with many decimals', 'Share 100 dollars among 7.', '100 / 7 = 15'],
  ])('are left alone: %s', (_, request, answer) => {
    expect(mendEquations(request, answer)).toBeNull();
  });
});

describe('the numbers of a translation', () => {
  it.each([
    [
      'Translate into German: The concert starts at 19:30 and lasts two hours.',
      'Das Konzert beginnt um 18:30 Uhr und dauert drei Stunden.',
      'German',
      'Das Konzert beginnt um 19:30 Uhr und dauert zwei Stunden.',
    ],
    [
      'Traduce al inglés: La habitación doble cuesta 80 euros por noche.',
      'The double room costs 60 euros a night.',
      'English',
      'The double room costs 80 euros a night.',
    ],
    [
      'Translate into French: We need three chairs.',
      'Il nous faut cinq chaises.',
      'French',
      'Il nous faut trois chaises.',
    ],
    ['Translate into German: "The 214 guests left."', 'Die Gäste gingen.', 'German', null],
  ])('%s %s', (request, answer, language, expected) => {
    expect(translatedNumberFault(request, answer, language)).toMatchObject({ expected });
  });

  it.each([
    ['in words', 'Translate into German: We have 80 seats.', 'Wir haben achtzig Plätze.', 'German'],
    ['in digits', 'Translate into German: We have eighty seats.', 'Wir haben 80 Plätze.', 'German'],
    [
      'another clock',
      'Translate into German: We meet at 7 in the evening.',
      'Wir treffen uns um 19 Uhr.',
      'German',
    ],
    [
      'a half hour',
      'Translate into German: We meet at half past seven.',
      'Wir treffen uns um halb acht.',
      'German',
    ],
    [
      'another period',
      'Translate into German: See you in two weeks, for one week.',
      'Bis in vierzehn Tagen, für acht Tage.',
      'German',
    ],
    ['a compound', 'Translate into German: A room with two beds.', 'Ein Zweibettzimmer.', 'German'],
    [
      'another separator',
      'Translate into German: It costs 1,250.50 euros.',
      'Es kostet 1.250,50 Euro.',
      'German',
    ],
    ['a century', 'Translate into Spanish: In the 20th century.', 'En el siglo XX.', 'Spanish'],
    [
      'converted units',
      'Translate into German: It is 30 miles away.',
      'Es ist 48 Kilometer entfernt.',
      'German',
    ],
    [
      'an article',
      'Translate into German: I have a dog and two cats.',
      'Ich habe einen Hund und zwei Katzen.',
      'German',
    ],
    [
      'a language whose numbers are not known',
      'Translate into Finnish: three cats',
      'kolme kissaa',
      'Finnish',
    ],
    ['a pair', 'Translate into German: Both of them came.', 'Die zwei sind gekommen.', 'German'],
  ])('may stand %s', (_, request, answer, language) => {
    expect(translatedNumberFault(request, answer, language)).toBeNull();
  });
});

it('the checks take time that grows as their texts do', () => {
  for (const check of [
    (text: string) => mendEquations('1', text),
    (text: string) =>
      translatedNumberFault('Translate into German: 3 of 25', text.slice(0, 20_000), 'German'),
  ]) {
    expect(slowTexts(check)).toEqual([]);
  }
});
