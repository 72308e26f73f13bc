import { describe, expect, it } from 'vitest';
import { sqlFault } from '#shared/adaptation/decide/answers/check-sql.ts';
import { asksForCopy, copiedSentence } from '#shared/adaptation/decide/answers/copied-text.ts';
import { evidenceOf } from '#shared/adaptation/decide/answers/evidence.ts';
import { followUpFault, strangeJsonNumber } from '#shared/adaptation/decide/answers/grounded-numbers.ts';
import { mendEquations } from '#shared/adaptation/decide/answers/mend-equations.ts';
import { mendTable } from '#shared/adaptation/decide/answers/mend-table.ts';
import { translatedNumberFault } from '#shared/adaptation/decide/answers/translated-numbers.ts';
import { slowTexts } from '#test/helpers/hostile-texts.ts';
import { formOf } from '#test/helpers/standing-answer.ts';

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

describe('a table with a computed column', () => {
  const ASKED =
    'Put the notes into a Markdown table with the columns Item, Units, Price and Total (units times price).\n\nChairs: 4 at 30. Lamps: 2 at 15.';
  const table = (lamps: string) =>
    `| Item | Units | Price | Total |\n| --- | --- | --- | --- |\n| Chairs | 4 | 30 | 120 |\n| Lamps | 2 | 15 | ${lamps} |`;

  it('gets the right cell', () => {
    expect(mendTable(ASKED, table('45'))).toBe(table('30'));
    expect(
      evidenceOf({ request: ASKED, answer: table('45'), form: formOf(ASKED, table('45')) }),
    ).toMatchObject({
      verdict: 'wrong',
      expected: table('30'),
    });
  });

  it.each([
    ['right cells', ASKED, table('30')],
    ['a column that is not defined', ASKED.replace(' (units times price)', ''), table('45')],
    ['parts that the request does not have', ASKED.replace('2 at 15', 'two at some'), table('45')],
    [
      'a first part that the request does not have',
      ASKED.replace('2 at 15', 'some at 15').replace('4 at', '3 at'),
      table('45'),
    ],
    ['other columns', ASKED, table('45').replace('Price', 'Colour')],
    ['cells without numbers', ASKED, table('n/a')],
  ])('is left alone: %s', (_, asked, answer) => {
    expect(mendTable(asked, answer)).toBeNull();
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

describe('a sentence that is to be copied', () => {
  const ASKED =
    'Copy the sentence in which the author gives her opinion, word for word.\n\n"The council voted on Monday. Nine members were in favour. To my mind the site is far too close to the road. Work begins in autumn."';

  it('is found by its paraphrase', () => {
    expect(asksForCopy(ASKED)).toBe(true);
    expect(copiedSentence(ASKED, 'In my opinion, the site is much too near the road.')).toBe(
      'To my mind the site is far too close to the road.',
    );
  });

  it.each([
    ['a copy', 'To my mind the site is far too close to the road.'],
    ['another sentence of the text', 'Nine members were in favour.'],
    ['a text of its own', 'She thinks so.'],
    ['near two sentences', 'Work on the site begins in autumn in favour of nine members.'],
  ])('stays if it is %s', (_, answer) => {
    expect(evidenceOf({ request: ASKED, answer, form: formOf(ASKED, answer) }).verdict).toBe('unknown');
  });

  it.each([
    'Translate the sentence, not word for word.\n\n"Nine members were in favour."',
    'Summarise the sentences in your own words, nothing verbatim.\n\n"Nine members were in favour."',
  ])('is not asked for by %s', (request) => {
    expect(asksForCopy(request)).toBe(false);
  });
});

it('two sentences that a paraphrase is near are none', () => {
  const text =
    'Copy the sentence word for word.\n\n"The red gate is open on Monday. The red gate is open on Tuesday."';
  expect(copiedSentence(text, 'The red gate is open on Friday.')).toBeNull();
});

describe('the numbers of a JSON', () => {
  const ASKED =
    'Parse the job advert. Respond with one JSON object with the keys title and hours (weekly hours, number).\n\nAdvert: Gardener, 25 hours a week.';

  it('are those of its text', () => {
    expect(strangeJsonNumber(ASKED, '{"title": "Gardener", "hours": 35}')).toMatchObject({
      expected: '{"title": "Gardener", "hours": 25}',
    });
  });

  it.each([
    ['right', ASKED, '{"title": "Gardener", "hours": 25}'],
    ['computed', ASKED, '{"title": "Gardener", "hours": 100}'],
    ['small counts', ASKED, '{"title": "Gardener", "hours": 5}'],
    ['in a string', ASKED, '{"title": "Gardener 35", "hours": 25}'],
    ['computed by request', `${ASKED} Add the total of a month.`, '{"title": "Gardener", "hours": 107}'],
    [
      'one of several',
      ASKED.replace('25 hours', '25 hours, 3 people, 41 plants'),
      '{"title": "Gardener", "hours": 77}',
    ],
    ['in words', ASKED.replace('25 hours', 'twenty hours'), '{"title": "Gardener", "hours": 20}'],
  ])('may be %s', (_, asked, answer) => {
    expect(strangeJsonNumber(asked, answer)).toBeNull();
  });
});

describe('a reply that computes again', () => {
  const CHAT =
    'user: We are five people and the flat costs 1,200 euros for the weekend.\nassistant: Then each of you pays 240 euros.\nOh, one more friend is coming, so we are six now.';

  it('has the number that the same computation gives', () => {
    expect(followUpFault(CHAT, 'Then each of you pays 220 euros.')).toMatchObject({
      expected: 'Then each of you pays 200 euros.',
    });
  });

  it.each([
    ['is right', CHAT, 'Then each of you pays 200 euros.'],
    ['follows from other numbers', CHAT, 'All of you pay 1,440 euros.'],
    ['says more', CHAT, 'With 6 of you, each pays 220 euros.'],
    ['has no computation before it', CHAT.replace('240', '243'), 'Then each of you pays 220 euros.'],
    ['is no chat', CHAT.replaceAll('user: ', ''), 'Then each of you pays 220 euros.'],
    ['may compute with two numbers', `${CHAT} And we stay 3 nights.`, 'Then each pays 777 euros.'],
  ])('stays if it %s', (_, request, answer) => {
    expect(followUpFault(request, answer)).toBeNull();
  });
});

describe('a query', () => {
  it.each([
    ['SELECT year FROM books GROUP BY year HAVING copies > 1', 'copies'],
    ['SELECT name FROM t WHERE COUNT(*) > 1 GROUP BY name', 'WHERE'],
  ])('%s cannot run', (sql, word) => {
    expect(sqlFault(sql)).toContain(word);
  });

  it.each([
    'SELECT year FROM books GROUP BY year HAVING COUNT(*) > 1',
    'SELECT year, SUM(copies) AS n FROM books GROUP BY year HAVING n > 1',
    'SELECT year, SUM(copies) n FROM books GROUP BY year HAVING n > 1',
    'SELECT b.year FROM books b GROUP BY b.year HAVING year > 1990 AND MAX(b.copies) > 2',
    "SELECT year FROM books GROUP BY year HAVING SUM(CASE WHEN title = 'x' THEN 1 ELSE 0 END) > 1",
    'SELECT year FROM books WHERE copies > (SELECT AVG(copies) FROM books) GROUP BY year HAVING copies > 1',
    'SELECT a, b FROM t GROUP BY 1, 2 HAVING a > 1',
    'SELECT year FROM books WHERE copies > 1',
    'SELECT a FROM t GROUP BY a HAVING COUNT(DISTINCT b) >= 2 ORDER BY a LIMIT 3;',
  ])('%s may run', (sql) => {
    expect(sqlFault(sql)).toBeNull();
  });
});

it('the checks take time that grows as their texts do', () => {
  const request =
    'Parse the advert into JSON, copy the sentence word for word.\n\nTotal (units times price), 25 of 3';
  for (const check of [
    (text: string) => mendEquations('1', text),
    (text: string) => mendTable(request, text),
    (text: string) =>
      translatedNumberFault('Translate into German: 3 of 25', text.slice(0, 20_000), 'German'),
    (text: string) => copiedSentence(request, text),
    (text: string) => strangeJsonNumber(request, text.slice(0, 20_000)),
    (text: string) => sqlFault(text),
  ]) {
    expect(slowTexts(check)).toEqual([]);
  }
});
