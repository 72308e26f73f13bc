import { expect, test } from 'vitest';
import { findPersonalData, personalDataIn } from '#shared/tabular/decide/personal-data.ts';
import { startStopwatch } from '#test/helpers/stopwatch.ts';

test.each([
  ['Write to maria.gomez+home@mail.acme-shop.de today', 'an email address'],
  ['Call +49 (0)30 1234567', 'a phone number'],
  ['Call (415) 555-2671 or 415-555-2671', 'a phone number'],
  ['Call 0490 75 40 81, or 01.84.17.61.18 after six', 'a phone number'],
  ['My phone number is 516 466 6389', 'a phone number'],
  ['(898)666-3621x0135 and 001-518-640-0854', 'a phone number'],
  ['Pay with 4111 1111 1111 1111.', 'a payment card number'],
  ['Card 4111 1111 1111 1111, please', 'a payment card number'],
  ['IBAN: DE89 3704 0044 0532 0130 00.', 'an IBAN'],
  ['IBAN de89 3704 0044 0532 0130 00 is my account', 'an IBAN'],
  ['SSN 536-90-4399', 'a US social security number'],
  ['SSN 536\u201190\u20114399', 'a US social security number'],
  ['Call ren\u00e9@gmail.com', 'an email address'],
  ['Call jan\uff20mail.cz', 'an email address'],
])('%s holds %s', (text, kind) => {
  expect(personalDataIn(text)).toEqual([kind]);
});

test.each([
  'mail me at user@example.com or a@b.test',
  'git@host and @handle and a@b',
  'order 4111 1111 1111 1112, or 0000 0000 0000 0000',
  'version 1.2.3.4, 2024-01-02, pi 3.14159265358979',
  'DE89 3704 0044 0532 0130 01 is wrong, and AB12CDEF is a code',
  '000-12-3456, 900-12-3456, 123-00-4567',
  'A phone can hold 10800-2500=8300 photos, and a call 124 67 units',
  '+1 is more, 12345678901234567890 and 1,234,567',
  'de89 3704 0044 0532 0130 01 is wrong, and ab12 and the cat sat on a mat',
])('%s holds none', (text) => {
  expect(personalDataIn(text)).toEqual([]);
});

test('a long text is read in time that grows as it does', () => {
  const elapsed = startStopwatch();
  for (const part of ['a.', '1 ', 'A1', '(', 'a@b.', 'AA11 ', 'aa11 ', '\u5f20@', '\ud835\udc1b@', '\u00a01'])
    personalDataIn(part.repeat(100_000));
  expect(elapsed()).toBeLessThan(3000);
});

test.each([
  ['Write to jan.novak@mail.cz', 'jan.novak@mail.cz'],
  ['请联系zhang@mail.cn。', 'zhang@mail.cn'],
  ['给 张伟@mail.cn 写信', '张伟@mail.cn'],
  ['Jürgen: jürgen.müller@web.de', 'jürgen.müller@web.de'],
  ['IBAN de89 3704 0044 0532 0130 00 is mine', 'de89 3704 0044 0532 0130 00'],
  ['+49\u00a0151\u00a02345678', '+49\u00a0151\u00a02345678'],
])('the place of what is found in %s is that of %s', (text, data) => {
  expect(findPersonalData(text).map(({ start, end }) => text.slice(start, end))).toEqual([data]);
});
