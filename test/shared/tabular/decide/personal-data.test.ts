import { expect, test } from 'vitest';
import { personalDataIn } from '#shared/tabular/decide/personal-data.ts';

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
  ['SSN 536-90-4399', 'a US social security number'],
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
])('%s holds none', (text) => {
  expect(personalDataIn(text)).toEqual([]);
});

test('a long text is read in time that grows as it does', () => {
  const began = performance.now();
  for (const part of ['a.', '1 ', 'A1', '(', 'a@b.']) personalDataIn(part.repeat(100_000));
  expect(performance.now() - began).toBeLessThan(3000);
});
