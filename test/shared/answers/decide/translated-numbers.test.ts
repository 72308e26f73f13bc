import { expect, it } from 'vitest';
import { sourceIn, translatedNumberFault } from '#shared/answers/decide/translated-numbers.ts';

const german = (source: string, given: string): string | null =>
  translatedNumberFault(`Translate into German: "${source}"`, given, 'German');

it.each([
  ['digits', 'We sold 40 cars.', 'Wir haben 14 Autos verkauft.', '14', '40'],
  ['a word', 'The house has forty windows.', 'Das Haus hat vierzehn Fenster.', 'vierzehn', 'forty'],
  ['a word for digits', 'The house has 40 windows.', 'Das Haus hat vierzehn Fenster.', 'vierzehn', '40'],
  ['digits beside a number that stays', '3 of 40 fit.', '3 von 14 passen.', '14', '40'],
  [
    'digits beside a word that is another too',
    'The 2 of us have fifty, and 70 is too much.',
    'Wir 2 haben fünfzehn, und 17 ist zu viel.',
    '17',
    '70',
  ],
])('a number in place of another is a fault: %s', (_, source, given, added, lost) => {
  expect(german(source, given)).toBe(`has ${added} where the text has ${lost}`);
});

it.each([
  ['the same digits', 'We sold 40 cars.', 'Wir haben 40 Autos verkauft.'],
  ['a word for the same digits', 'We sold 40 cars.', 'Wir haben vierzig Autos verkauft.'],
  ['digits for the same word', 'We have forty cars.', 'Wir haben 40 Autos.'],
  ['a compound word that holds the number', 'The children are 40 years old.', 'Die Vierzigjährigen kommen.'],
  ['a number that is left out', 'We sold 40 cars.', 'Wir haben die Autos verkauft.'],
  ['a number that is new alone', 'We sold cars.', 'Wir haben 14 Autos verkauft.'],
  ['two numbers in place of one', 'We sold 40 cars.', 'Wir haben 14 Autos und 15 Räder verkauft.'],
  ['two pairs of digits, of which nobody knows which is which', '40 and 50 fit.', '14 und 15 passen.'],
  ['a time of twelve hours', 'It opens at 3 every day.', 'Es öffnet jeden Tag um 15.'],
  ['a time with p.m.', 'It opens at 4 p.m. every day.', 'Es öffnet um 17 jeden Tag.'],
  ['miles', 'It is 40 miles away.', 'Es ist 64 Kilometer weit.'],
  ['a scale of the source', 'It has 40 million rows.', 'Es hat 41 Zeilen.'],
  ['a scale of the translation', 'It has 4000000 rows.', 'Es hat 4 Millionen Zeilen.'],
  ['half past', 'It starts at half past 7 on Monday.', 'Es beginnt am Montag um halb 8.'],
  ['an idiom of the translation', 'It starts at 7.30 on Monday.', 'Es beginnt am Montag um halb 8.'],
  ['a dozen', 'We need 12 eggs and a dozen rolls.', 'Wir brauchen zwei Eier und ein Dutzend Brötchen.'],
  ['a week of eight days', 'It takes eight months and 7 weeks.', 'Es dauert acht Monate und 8 Wochen.'],
  ['two weeks', 'We wait for 2 and then leave.', 'Wir warten 14 Tage.'],
])('another way to say a number is no fault: %s', (_, source, given) => {
  expect(german(source, given)).toBeNull();
});

it('a large number that is changed beside an idiom is a fault', () => {
  expect(german('At half time 40 fans left.', 'Zur Halbzeit gingen 60 Fans.')).toBe(
    'has 60 where the text has 40',
  );
  expect(german('The first half has 12 songs, and 40 fit.', 'Die Hälfte hat 12 Lieder, und 60 passen.')).toBe(
    'has 60 where the text has 40',
  );
});

it('a number that no period explains is a fault, though the translation speaks of weeks', () => {
  expect(german('It takes 3 weeks.', 'Es dauert 30 Wochen.')).toBe('has 30 where the text has 3');
  expect(german('It takes 20 of them.', 'Es dauert 30 días.')).toBe('has 30 where the text has 20');
});

it('the words of numbers are read in the language of the source, or not at all where it is not known', () => {
  const toEnglish = (source: string, given: string): string | null =>
    translatedNumberFault(`Translate into English: "${source}"`, given, 'English');

  expect(toEnglish('Das Haus hat vierzig Fenster und eine Tür.', 'The house has fourteen windows.')).toBe(
    'has fourteen where the text has vierzig',
  );
  expect(toEnglish('Vierzig Fenster', 'Fourteen windows')).toBeNull();
  expect(translatedNumberFault('Translate: "We sold 40 cars."', 'Vendimos 14 coches.', null)).toBe(
    'has 14 where the text has 40',
  );
});

it.each([
  ['Translate into German: "Good morning"', 'Good morning'],
  ['Translate “Good morning” into German.', 'Good morning'],
  ['Übersetze „Good morning“ ins Deutsche.', 'Good morning'],
  ['Traduis « Good morning » en allemand.', ' Good morning '],
  ['Translate into German: Good morning', 'Good morning'],
  ['翻译：Good morning', 'Good morning'],
  ['Translate into German:\nGood morning\nand good night', 'Good morning\nand good night'],
  ['Translate "a" into German: Good morning', 'Good morning'],
  ['Translate into German.', ''],
  ['Translate: hi', ''],
])('the text to translate is a quotation, or what follows a colon: %j', (request, source) => {
  expect(sourceIn(request)).toBe(source);
});

it('the text to translate is looked for in the first 4,000 characters', () => {
  expect(sourceIn(`${' '.repeat(4000)}"Good morning"`)).toBe('');
  expect(sourceIn(`Translate: ${'word '.repeat(2000)}`)).toHaveLength(4000 - 'Translate: '.length);
});
