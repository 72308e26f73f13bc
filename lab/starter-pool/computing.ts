import { STATUS_CODES } from 'node:http';
import { distinct, other, pick, type Random, type StarterRow, whole } from './row.ts';

const CLASSES: Readonly<Record<string, string>> = {
  1: 'informational',
  2: 'successful',
  3: 'a redirection',
  4: 'a client error',
  5: 'a server error',
};

/** Unassigned codes. */
const NOT_ASSIGNED = ['418', '509'];
/** Phrases that RFC 9110 has changed, and some Node.js versions have not. */
const CHANGED: Readonly<Record<string, string>> = { 413: 'Content Too Large', 422: 'Unprocessable Content' };

function statusRows(random: Random): StarterRow[] {
  const codes = Object.entries({ ...STATUS_CODES, ...CHANGED }).filter(
    ([code]) => !NOT_ASSIGNED.includes(code),
  );
  const http = { topic: 'http', source: 'IANA HTTP status code registry' };
  return codes.flatMap((entry) => {
    const [code, phrase] = entry;
    const [wrongCode, wrongPhrase] = other(random, codes, entry);
    const wrongClass = other(random, Object.values(CLASSES), CLASSES[code.charAt(0)] as string);
    return [
      {
        ...http,
        prompt: pick(random, [
          `What does the HTTP status code ${code} mean?`,
          `A server answered my request with HTTP status ${code}. What is that called?`,
        ]),
        completion: `HTTP status ${code} is "${phrase}", which is ${CLASSES[code.charAt(0)]}.`,
        rejected: `HTTP status ${code} is "${wrongPhrase}", which is ${wrongClass}.`,
      },
      {
        ...http,
        prompt: `Which HTTP status code has the reason phrase "${phrase}"?`,
        completion: `"${phrase}" is the reason phrase of HTTP status ${code}.`,
        rejected: `"${phrase}" is the reason phrase of HTTP status ${wrongCode}.`,
      },
    ];
  });
}

const CHARACTERS = [
  ...'äöüßéèêçñøåæœþðłžščřďťňğışőűαβγδλπσωжшщюяцדגשبجدرकखगあいうアイウ中文字語水火山한국어€£¥₹©®§¶†‡→←↑↓≤≥≠≈∞√∑∫',
];

/** UTF-8 by its definition (RFC 3629). */
function utf8Of(point: number): number[] {
  if (point < 0x80) return [point];
  if (point < 0x800) return [0xc0 | (point >> 6), 0x80 | (point & 0x3f)];
  return [0xe0 | (point >> 12), 0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f)];
}

const hexadecimal = (value: number, digits: number): string =>
  value.toString(16).toUpperCase().padStart(digits, '0');

function characterRows(random: Random): StarterRow[] {
  const unicode = { topic: 'unicode', source: 'Unicode; RFC 3629' };
  return CHARACTERS.flatMap((character) => {
    const point = character.codePointAt(0) as number;
    const wrong = other(random, CHARACTERS, character).codePointAt(0) as number;
    const bytes = (value: number): string =>
      utf8Of(value)
        .map((byte) => hexadecimal(byte, 2))
        .join(' ');
    return [
      {
        ...unicode,
        prompt: `What is the Unicode code point of the character ${character}?`,
        completion: `The character ${character} has the code point U+${hexadecimal(point, 4)}.`,
        rejected: `The character ${character} has the code point U+${hexadecimal(wrong, 4)}.`,
      },
      {
        ...unicode,
        prompt: `Which bytes encode the character ${character} in UTF-8? Write them in hexadecimal.`,
        completion: `In UTF-8 the character ${character} is ${bytes(point)}.`,
        rejected: `In UTF-8 the character ${character} is ${bytes(wrong)}.`,
      },
    ];
  });
}

const ESCAPES = [
  ['&', '%26'],
  ['=', '%3D'],
  ['?', '%3F'],
  ['/', '%2F'],
  [' ', '%20'],
  ['#', '%23'],
  ['+', '%2B'],
] as const;
const WORDS = (
  'amber anchor apple arrow autumn bakery banana basket beacon bicycle blossom bridge bronze butter cabin camera ' +
  'candle canyon carbon castle cedar cherry cinema circle clover cobalt copper coral cotton crystal desert diamond ' +
  'dolphin dragon eagle echo ember engine fabric falcon feather fern forest fountain galaxy garden garlic ginger ' +
  'glacier guitar hammer harbor hazel helmet honey island ivory jacket jasmine jungle kettle ladder lantern lemon ' +
  'library lily marble meadow melon mirror mountain museum needle nutmeg oasis ocean olive orange orchid paddle ' +
  'palace panda paper pebble pepper pillow planet pocket prairie puzzle quartz rabbit ribbon river rocket saddle ' +
  'saffron salmon shadow silver spider spruce summit sunset tiger timber tomato tunnel turtle valley velvet violin ' +
  'walnut willow window winter yarrow zebra'
).split(' ');

function words(random: Random, count: number): string[] {
  const chosen = new Set<string>();
  while (chosen.size < count) chosen.add(pick(random, WORDS));
  return [...chosen];
}

function encodingRow(random: Random): StarterRow {
  const [first, second] = words(random, 2) as [string, string];
  const [character, escaped] = pick(random, ESCAPES);
  return {
    topic: 'computing',
    source: 'RFC 3986',
    prompt: `Percent-encode the text "${first}${character}${second}" for use as a value in a URL.`,
    completion: `${first}${escaped}${second}`,
    rejected: `${first}${other(random, ESCAPES, ESCAPES.find(([own]) => own === character) ?? ESCAPES[0])[1]}${second}`,
  };
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 of ASCII text by its definition (RFC 4648). */
function base64Of(text: string): string {
  let encoded = '';
  for (let at = 0; at < text.length; at += 3) {
    const codes = [0, 1, 2].map((n) => text.charCodeAt(at + n));
    const bits = codes.reduce((all, code) => all * 256 + (Number.isNaN(code) ? 0 : code), 0);
    const left = Math.min(3, text.length - at);
    for (let n = 0; n < 4; n += 1) encoded += n <= left ? LETTERS[(bits >> (18 - 6 * n)) & 63] : '=';
  }
  return encoded;
}

function base64Row(random: Random): StarterRow {
  const [word, wrong] = words(random, 2) as [string, string];
  const digits = whole(random, 1, 99);
  return {
    topic: 'computing',
    source: 'RFC 4648',
    prompt: `Encode the ASCII text "${word}${digits}" in Base64.`,
    completion: `"${word}${digits}" in Base64 is ${base64Of(`${word}${digits}`)}`,
    rejected: `"${word}${digits}" in Base64 is ${base64Of(`${wrong}${digits}`)}`,
  };
}

function sortRow(random: Random): StarterRow {
  const given = words(random, whole(random, 4, 6));
  const sorted = given.toSorted();
  return {
    topic: 'text',
    source: 'computed',
    prompt: `Put these words into alphabetical order: ${given.join(', ')}.`,
    completion: `${sorted.join(', ')}.`,
    rejected: `${[...sorted.slice(1), sorted[0]].join(', ')}.`,
  };
}

function reverseRow(random: Random): StarterRow {
  const [word] = words(random, 1) as [string];
  const reversed = [...word].reverse().join('');
  return {
    topic: 'text',
    source: 'computed',
    prompt: `Spell the word "${word}" backwards.`,
    completion: `"${word}" backwards is "${reversed}".`,
    rejected: `"${word}" backwards is "${word.charAt(0)}${reversed.slice(0, -1)}".`,
  };
}

function jsonRow(random: Random): StarterRow {
  const [name, place] = words(random, 2) as [string, string];
  const amount = whole(random, 2, 900);
  const write = (value: unknown): string => JSON.stringify(value);
  return {
    topic: 'text',
    source: 'computed',
    prompt: `Turn this CSV line into one JSON object with the keys item, place and amount, where amount is a number: ${name},${place},${amount}`,
    completion: write({ item: name, place, amount }),
    rejected: write({ item: place, place: name, amount: String(amount) }),
  };
}

export function computingRows(random: Random): StarterRow[] {
  return [
    ...statusRows(random),
    ...characterRows(random),
    ...distinct(12, () => encodingRow(random)),
    ...distinct(12, () => base64Row(random)),
    ...distinct(12, () => sortRow(random)),
    ...distinct(12, () => reverseRow(random)),
    ...distinct(12, () => jsonRow(random)),
  ];
}
