import { expect, test } from 'vitest';
import { decodeAlphabetMisread } from '#shared/answers/decide/encoding.ts';
import { millisecondsOf } from '#test/helpers/hostile-texts.ts';

const ASKED = 'Что такое вечная мерзлота?';
const SAID = 'Это грунт, который не оттаивает два года.';
const encoded = (text: string, encoding: string): Uint8Array => {
  const characters = new TextDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, n) => n));
  return Uint8Array.from([...text], (each) => characters.indexOf(each));
};
const read = (bytes: Uint8Array, encoding: string): string => new TextDecoder(encoding).decode(bytes);

test.each([
  ['UTF-8 that was read as Windows-1251', Buffer.from(SAID), 'windows-1251'],
  ['UTF-8 that was read as KOI8-R', Buffer.from(SAID), 'koi8-r'],
  ['Windows-1251 that was read as Latin-1', encoded(SAID, 'windows-1251'), 'latin1'],
  ['KOI8-R that was read as Windows-1251', encoded(SAID, 'koi8-r'), 'windows-1251'],
  ['Windows-1251 that was read as KOI8-R', encoded(SAID, 'windows-1251'), 'koi8-r'],
])('%s is decoded again', (_, bytes, encoding) => {
  const text = encoding === 'latin1' ? Buffer.from(bytes).toString('latin1') : read(bytes, encoding);

  expect(text).not.toBe(SAID);
  expect(decodeAlphabetMisread(text, ASKED)).toBe(SAID);
});

test.each([
  ['Greek', 'Τι είναι το έδαφος;', 'Το έδαφος είναι παγωμένο.', 'windows-1253'],
  ['Hebrew', 'מה זה?', 'זו אדמה קפואה.', 'windows-1255'],
  ['Arabic', 'ما هذا؟', 'تربة متجمدة دائما', 'windows-1256'],
])(
  '%s that was read as Latin-1 is decoded again where the request is in its alphabet',
  (_, asked, said, encoding) => {
    const text = Buffer.from(encoded(said, encoding)).toString('latin1');

    expect(decodeAlphabetMisread(text, asked)).toBe(said);
    expect(decodeAlphabetMisread(text, 'What is this?')).toBe(text);
  },
);

test.each([
  SAID,
  'ВСЕ БОЛЬШИМИ БУКВАМИ, И НА iOS',
  'Öffnungszeiten: Müller, Ärger, Übung, für, über, häufig',
  'NASA и МКС, ООО «Ромашка», еМЕ',
  'À côté, où l’été était passé, et là-bas.',
  '永久凍土とは、二年以上凍ったままの土です。',
  'мир — это Мир',
  'мРНК, тРНК, рРНК',
  'Виды: мРНК, тРНК, рРНК, иРНК; ВСЕ ОНИ РАЗНЫЕ',
  '12 × 3 = 36; 4 × 5 = 20; 2 × 2 = 4; 6 ÷ 2 = 3; 8 ÷ 4 = 2; 9 ÷ 3 = 3',
  '£10, £20, £30, £40, £50, £60',
  '½ ¼ ÷ ½ ¼ ÷',
  '5³ = 125, 2² = 4, 3² = 9, 4³ = 64, 1² = 1, 6² = 36',
  'à, â, é, è, ê, î',
  '¿? ¡! ¿? ¡! ¿? ¡!',
])('the text %j stays as it is', (text) => {
  expect(decodeAlphabetMisread(text, ASKED)).toBe(text);
});

test.each(['Ã', 'Ýòî ', 'аБВ ', 'é'])('a long text of %j takes no time', (part) => {
  expect(millisecondsOf(() => decodeAlphabetMisread(part.repeat(30_000), ASKED))).toBeLessThan(500);
});
