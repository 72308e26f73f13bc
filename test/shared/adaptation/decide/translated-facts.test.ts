import { expect, test } from 'vitest';
import { numberFault } from '#shared/adaptation/decide/translated-facts.ts';
import { millisecondsOf } from '#test/helpers/hostile-texts.ts';

const BRIDGE = 'The bridge is 45 metres long and was built in 1932.';

test.each([
  ['Arabic', BRIDGE, 'يبلغ طول الجسر ٤٥ مترًا وقد بني عام ١٩٣٢.'],
  ['Persian', BRIDGE, 'طول این پل ۴۵ متر است و در سال ۱۹۳۲ ساخته شد.'],
  ['Bangla', BRIDGE, 'সেতুটি ৪৫ মিটার লম্বা এবং ১৯৩২ সালে নির্মিত।'],
  ['Marathi', BRIDGE, 'हा पूल ४५ मीटर लांब आहे आणि १९३२ मध्ये बांधला.'],
  ['Chinese', 'It made 30000 cars.', '生产了3万辆汽车。'],
  ['Chinese', 'It sold 500 million cars.', '卖出了5亿辆汽车。'],
  ['German', 'It sold 1500000 cars.', 'Sie verkaufte 1,5 Millionen Autos.'],
  ['Hindi', 'It sold 1,500,000 cars.', 'इसने 15 लाख कारें बेचीं।'],
  ['German', 'It has 12,500 people.', 'Es hat 12 500 Einwohner.'],
  ['French', 'Wait 50 minutes.', 'Attendez cinquante minutes.'],
  ['German', 'We close at 10:30 pm.', 'Wir schließen um 22:30 Uhr.'],
  ['English', 'Wir schließen um 22.30 Uhr.', 'We close at 10:30 pm.'],
  ['German', 'It was March 15 2023.', 'Es war der 15. März 2023.'],
  ['English', 'Es war am 15.03.2023.', 'It was on March 15, 2023.'],
  ['Swedish', 'It was built in the 19th century.', 'Det byggdes på 1800-talet.'],
])(
  'a number is kept in other digits, groups, scales and words: %s | %s | %s',
  (language, source, translation) => {
    expect(numberFault(source, translation, language)).toBeNull();
  },
);

test.each([
  ['Arabic', BRIDGE, 'يبلغ طول الجسر ٥٤ مترًا وقد بني عام ١٩٣٢.', 'has 54 where the text has 45'],
  ['German', 'It costs 500 euros.', 'Es kostet 600 Euro.', 'has 600 where the text has 500'],
  ['German', 'Take 1500 mg.', 'Nehmen Sie 15 mg.', 'has 15 where the text has 1500'],
  ['German', 'He has 1200 cows.', 'Er hat 12 Kühe.', 'has 12 where the text has 1200'],
  ['German', 'It costs 25000.', 'Es kostet 25.', 'has 25 where the text has 25000'],
  ['French', 'I am 45 years old.', "J'ai 54 ans.", 'has 54 where the text has 45'],
  ['German', 'The milk costs 45 cents.', 'Die Milch kostet 54 Cent.', 'has 54 where the text has 45'],
])(
  'a number is replaced by another that stands in its place: %s | %s | %s',
  (language, source, translation, says) => {
    expect(numberFault(source, translation, language)).toEqual({
      kind: 'replaced',
      says: `The translation ${says}`,
    });
  },
);

test.each([
  ['French', 'Take 300 mg twice a day.', 'Prenez-le deux fois par jour.', '300'],
  ['Russian', 'It is 100 years old.', 'Ему сто лет.', '100'],
  ['Swedish', 'We live in the 21st century.', 'Vi lever på 2000-talet.', '21'],
  ['German', BRIDGE, 'Die Brücke ist lang und wurde 1932 gebaut.', '45'],
])(
  'a number is missing that may be told in a word: %s | %s | %s',
  (language, source, translation, number) => {
    expect(numberFault(source, translation, language)).toEqual({
      kind: 'missing',
      says: `The translation lacks the number ${number}`,
    });
  },
);

test('a number that stands inside of a longer one is there, however long it is', () => {
  const code = '12345678901234567890123';

  expect(numberFault('The codes 345 and 346.', 'Die Codes 345346.', 'German')).toBeNull();
  expect(numberFault(`The codes ${code} and 346.`, `Die Codes ${code}346.`, 'German')).toBeNull();
  expect(numberFault('The codes 345 and 347.', 'Die Codes 345346.', 'German')?.kind).toBe('missing');
});

test('a text of many numbers inside of a longer one takes no time', () => {
  const numbers = Array.from({ length: 40_000 }, (_, n) => String(10_000 + n));
  const translation = `${'x '.repeat(100_000)}${numbers.toReversed().join('')}`;

  expect(millisecondsOf(() => numberFault(numbers.join(' ab '), translation, 'French'))).toBeLessThan(1000);
});
