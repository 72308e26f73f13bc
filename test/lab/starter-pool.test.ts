import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it, test } from 'vitest';
import { STARTER_POOL } from '#bin/pool-file.ts';

type StarterRow = Readonly<Record<'topic' | 'source' | 'prompt' | 'completion' | 'rejected', string>>;

const WRITTEN_SOURCE = 'written for this project';

const rows = readFileSync(STARTER_POOL, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as StarterRow);

const supplemental = (name: string) =>
  createRequire(import.meta.url)(`cldr-core/supplemental/${name}.json`).supplemental;

test('there are at least 300 rows, each with an answer and a wrong one', () => {
  expect(rows.length).toBeGreaterThanOrEqual(300);
  for (const row of rows) {
    expect(Object.keys(row)).toEqual(['topic', 'source', 'prompt', 'completion', 'rejected']);
    for (const cell of Object.values(row)) expect(cell.trim()).not.toBe('');
    expect(row.rejected).not.toBe(row.completion);
  }
});

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
/** Runs of three words, or all of a shorter text. */
const trigramsOf = (text: string): Set<string> => {
  const words = wordsOf(text);
  return new Set(
    Array.from({ length: Math.max(1, words.length - 2) }, (_, n) => words.slice(n, n + 3).join(' ')),
  );
};
const countsOf = (items: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
};
/** The value below which `share` of the values lie. */
const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(share * values.length)] as number;

/** What the form of an answer is told by, without its words. */
const FORMS: Readonly<Record<string, RegExp>> = {
  'one word or number': /^\S+$/,
  'a list of points': /^- .+\n- /m,
  'numbered steps': /^1\. .+\n2\. /m,
  code: /```|^SELECT |^result = /,
  JSON: /^[[{].*[\]}]$/,
  'a table': /^\|.+\|\n\| ---/,
  'a letter': /^(Dear|Hello|Hi) .*[,!]?/,
  'a calculation': /\d [=×÷] \d/,
  'one sentence': /^[A-Z][^.!?\n]*[.!?]$/,
  'a verdict with its reason': /^(Yes|No|True|False)[.,:] \S+ \S+/,
  'several sentences': /^[^\n]+[.!?] [A-Z][^\n]+[.!?] [A-Z][^\n]+$/,
};

describe('the variety of the starter pool', () => {
  const topics = new Map(rows.map(({ topic }) => [topic, rows.filter((row) => row.topic === topic)]));

  it('the variety of the starter pool is that of more topics than two dozen, none of which has more than a tenth of the rows', () => {
    expect(topics.size).toBeGreaterThan(24);
    expect(Math.max(...[...topics.values()].map(({ length }) => length))).toBeLessThan(rows.length / 10);
  });

  it('the variety of the starter pool shows in its openings: three words begin at most two rows of a topic, and one row of the pool in most cases', () => {
    const openingOf = ({ prompt }: StarterRow): string =>
      wordsOf(prompt.replace(/\d+/g, '0')).slice(0, 3).join(' ');
    for (const [topic, ofTopic] of topics) {
      const most = Math.max(...countsOf(ofTopic.map(openingOf)).values());
      expect(most, topic).toBeLessThanOrEqual(Math.max(2, 0.03 * ofTopic.length));
    }

    const openings = countsOf(rows.map(openingOf));
    expect(openings.size / rows.length).toBeGreaterThan(0.75);
    expect(Math.max(...openings.values()) / rows.length).toBeLessThan(0.05);
  });

  it('the variety of the starter pool shows in their words: no two prompts, and no two written answers, have half of their trigrams in common', () => {
    const likest = (texts: readonly string[]): { similarity: number; pair: string[] } => {
      const sets = texts.map(trigramsOf);
      let found = { similarity: 0, pair: [] as string[] };
      for (const [n, a] of sets.entries()) {
        for (const [m, b] of sets.slice(0, n).entries()) {
          const shared = [...a].filter((trigram) => b.has(trigram)).length;
          const similarity = shared / (a.size + b.size - shared);
          if (similarity > found.similarity) found = { similarity, pair: [texts[n] ?? '', texts[m] ?? ''] };
        }
      }
      return found;
    };
    const written = rows.filter(({ source }) => source === WRITTEN_SOURCE);
    const prompts = likest(rows.map(({ prompt }) => prompt));
    // Answers of one word are what many questions have.
    const answers = likest(
      written.map(({ completion }) => completion).filter((text) => wordsOf(text).length > 3),
    );

    expect(prompts.similarity, prompts.pair.join('\n')).toBeLessThanOrEqual(0.5);
    expect(answers.similarity, answers.pair.join('\n')).toBeLessThanOrEqual(0.5);
  });

  it('the variety of the starter pool shows in their lengths: prompts and answers are short, middling and long', () => {
    const prompts = rows.map(({ prompt }) => wordsOf(prompt).length);
    const answers = rows.map(({ completion }) => wordsOf(completion).length);

    expect([quantile(prompts, 0.1) <= 8, quantile(prompts, 0.9) >= 20]).toEqual([true, true]);
    expect([quantile(answers, 0.1) <= 5, quantile(answers, 0.9) >= 40]).toEqual([true, true]);
  });

  it.each(Object.entries(FORMS))(
    'the variety of the starter pool has answers in the form of %s',
    (_, form) => {
      expect(rows.filter(({ completion }) => form.test(completion)).length).toBeGreaterThanOrEqual(3);
    },
  );

  it('the variety of the starter pool comes from rows that were written by hand, two thirds at the least', () => {
    const written = rows.filter(({ source }) => source === WRITTEN_SOURCE);

    expect(written.length / rows.length).toBeGreaterThan(2 / 3);
  });
});

/** Those whose answers can be worked out. */
const computed = rows.filter(({ source }) => source !== WRITTEN_SOURCE);

const DAY = 86_400_000;
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** Milliseconds since the epoch of `7 April 1978`. */
function timeOf(text: string): number {
  const [day = '', month = '', year = ''] = text.split(' ');
  return Date.UTC(Number(year), MONTHS.indexOf(month), Number(day));
}

function dateText(time: number): string {
  const date = new Date(time);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** The Thursday of a date's week lies in the year, and the week, that the week counts as. */
function isoWeek(time: number): string {
  const thursday = time + (3 - ((new Date(time).getUTCDay() + 6) % 7)) * DAY;
  const year = new Date(thursday).getUTCFullYear();
  return `week ${Math.floor((thursday - Date.UTC(year, 0, 1)) / (7 * DAY)) + 1} of ${year}`;
}

const ROMAN_LETTERS: Record<string, number> = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 };
const romanValue = (text: string): number =>
  [...text].reduce((sum, letter, at) => {
    const worth = ROMAN_LETTERS[letter] as number;
    return sum + (worth < (ROMAN_LETTERS[text[at + 1] ?? ''] ?? 0) ? -worth : worth);
  }, 0);

const divisorsOf = (value: number): number[] =>
  Array.from({ length: value }, (_, n) => n + 1).filter((divisor) => value % divisor === 0);

/** What a kilo of the international system's units is in CLDR's tables, by the names that the rows use. */
const CLDR_UNITS: Record<string, string> = {
  inches: 'inch',
  centimetres: 'meter',
  feet: 'foot',
  metres: 'meter',
  yards: 'yard',
  miles: 'mile',
  kilometres: 'meter',
  'nautical miles': 'nautical-mile',
  pounds: 'pound',
  kilograms: 'kilogram',
  ounces: 'ounce',
  grams: 'kilogram',
  stones: 'stone',
  'US gallons': 'gallon',
  litres: 'liter',
  'imperial gallons': 'gallon-imperial',
  acres: 'acre',
  'square metres': 'square-meter',
  hectares: 'hectare',
};
const PREFIXED: Record<string, number> = { centimetres: 0.01, kilometres: 1000, grams: 0.001 };

/** The factor to the base unit, from CLDR's expressions such as `ft_to_m * 5280`. */
function factorOf(unit: string): number {
  if (unit === 'metres per second') return 1;
  if (unit === 'kilometres per hour') return 1000 / 3600;
  const { convertUnits, unitConstants } = supplemental('units') as {
    convertUnits: Record<string, { _factor?: string }>;
    unitConstants: Record<string, { _value: string }>;
  };
  const evaluate = (expression: string): number => {
    const [top = '1', ...bottom] = expression.split('/');
    const product = (part: string): number =>
      part
        .split('*')
        .map((factor) => factor.trim())
        .reduce(
          (all, factor) =>
            all * (unitConstants[factor] ? evaluate(unitConstants[factor]._value) : Number(factor)),
          1,
        );
    return bottom.reduce((value, part) => value / product(part), product(top));
  };
  return evaluate(convertUnits[CLDR_UNITS[unit] ?? '']?._factor ?? '1') * (PREFIXED[unit] ?? 1);
}

const names = {
  region: new Intl.DisplayNames('en', { type: 'region' }),
  language: new Intl.DisplayNames('en', { type: 'language' }),
};
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** The alpha-2 code of a country by its English name. */
const regionOf = (name: string): string =>
  LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).find(
    (code) => names.region.of(code) === bare(name),
  ) ?? '';
/** The only currency that is legal tender in a country today; undefined where there are several. */
function currencyOf(code: string): string | undefined {
  const held: Record<string, { _to?: string; _tender?: string }>[] =
    supplemental('currencyData').currencyData.region[code];
  const [current, ...more] = held
    .flatMap((each) => Object.entries(each))
    .filter(([, { _to, _tender }]) => _to === undefined && _tender !== 'false');
  return more.length === 0 ? current?.[0] : undefined;
}
const bare = (name: string): string => name.replace(/^the /, '');
const hex = (bytes: Iterable<number>): string =>
  [...bytes].map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ');

/** RFC 9110, 9111 and the others of the registry, typed anew. */
const PHRASES: Record<string, string> = Object.fromEntries(
  `100 Continue|101 Switching Protocols|102 Processing|103 Early Hints|200 OK|201 Created|202 Accepted|203 Non-Authoritative Information|204 No Content|205 Reset Content|206 Partial Content|207 Multi-Status|208 Already Reported|226 IM Used|300 Multiple Choices|301 Moved Permanently|302 Found|303 See Other|304 Not Modified|305 Use Proxy|307 Temporary Redirect|308 Permanent Redirect|400 Bad Request|401 Unauthorized|402 Payment Required|403 Forbidden|404 Not Found|405 Method Not Allowed|406 Not Acceptable|407 Proxy Authentication Required|408 Request Timeout|409 Conflict|410 Gone|411 Length Required|412 Precondition Failed|413 Content Too Large|414 URI Too Long|415 Unsupported Media Type|416 Range Not Satisfiable|417 Expectation Failed|421 Misdirected Request|422 Unprocessable Content|423 Locked|424 Failed Dependency|425 Too Early|426 Upgrade Required|428 Precondition Required|429 Too Many Requests|431 Request Header Fields Too Large|451 Unavailable For Legal Reasons|500 Internal Server Error|501 Not Implemented|502 Bad Gateway|503 Service Unavailable|504 Gateway Timeout|505 HTTP Version Not Supported|506 Variant Also Negotiates|507 Insufficient Storage|508 Loop Detected|510 Not Extended|511 Network Authentication Required`
    .split('|')
    .map((entry) => [entry.slice(0, 3), entry.slice(4)]),
);

type Check = (parts: string[], row: StarterRow) => boolean;
const n = Number;
const total = (values: readonly string[]): number => values.reduce((sum, value) => sum + n(value), 0);
const says = (row: StarterRow, text: string): boolean => row.completion.startsWith(text);

/** For each kind of prompt: what its answer has to be. */
const CHECKS: readonly [RegExp, Check][] = [
  [
    /(\d+) × (\d+)\?|Multiply (\d+) by (\d+)|product of (\d+) and (\d+)/,
    (given, row) => {
      const [a, b] = given.filter((part) => part !== undefined).map(BigInt) as [bigint, bigint];
      return says(row, `${a} × ${b} = ${a * b}.`);
    },
  ],
  [
    /^(?:Add (?!the fractions)|What do )([\d, and]+)/,
    ([list = ''], row) => {
      const values = list.match(/\d+/g) ?? [];
      return values.length > 2 && row.completion === `${values.join(' + ')} = ${total(values)}.`;
    },
  ],
  [
    /^Divide (\d+) by (\d+)|How often does (\d+) go into (\d+)/,
    ([a, b, c, d], row) => {
      const [dividend, divisor] = a === undefined ? [n(d), n(c)] : [n(a), n(b)];
      const rest = dividend % divisor;
      const answer = `${dividend} ÷ ${divisor} = ${(dividend - rest) / divisor}`;
      return says(row, rest === 0 ? `${answer} exactly.` : `${answer}, remainder ${rest}.`);
    },
  ],
  [
    /What is (\d+)% of (\d+)|takes (\d+)% off a price of \$(\d+)/,
    (given, row) => {
      const [percent, amount] = given.filter((part) => part !== undefined).map(n) as [number, number];
      return says(row, `${percent}% of ${amount} is ${n(((amount * percent) / 100).toFixed(2))}:`);
    },
  ],
  [
    /fractions (\d+)\/(\d+) and (\d+)\/(\d+)/,
    (given, row) => {
      const [a, b, c, d] = given.map(n) as [number, number, number, number];
      const [top, bottom = '1'] = (/ = (\d+)(?:\/(\d+))?\./.exec(row.completion) ?? []).slice(1);
      const isReduced = divisorsOf(n(bottom)).every((divisor) => divisor === 1 || n(top) % divisor !== 0);
      return isReduced && n(top) * b * d === (a * d + c * b) * n(bottom);
    },
  ],
  [
    /greatest common divisor of (\d+) and (\d+)/,
    ([a, b], row) => {
      const shared = divisorsOf(n(a)).filter((divisor) => n(b) % divisor === 0);
      return row.completion.includes(` is ${shared.at(-1)}:`);
    },
  ],
  [
    /least common multiple of (\d+) and (\d+)/,
    ([a, b], row) => {
      let multiple = n(a);
      while (multiple % n(b) !== 0) multiple += n(a);
      return row.completion.includes(` is ${multiple}, which`);
    },
  ],
  [
    /Write (\d+) as a product of primes|Is (\d+) a prime/,
    ([a, b], row) => {
      const value = n(a ?? b);
      if (divisorsOf(value).length === 2) return says(row, `${value} is a prime number`);
      const factors = (/ = ([\d × ]+),/.exec(row.completion)?.[1] ?? '').split(' × ').map(n);
      return (
        factors.reduce((product, factor) => product * factor, 1) === value &&
        factors.every((factor) => divisorsOf(factor).length === 2)
      );
    },
  ],
  [
    /Write (\d+) as a Roman numeral/,
    ([value], row) => romanValue(/is ([IVXLCDM]+) in/.exec(row.completion)?.[1] ?? '') === n(value),
  ],
  [
    /Roman numeral ([IVXLCDM]+) stand for/,
    ([roman = ''], row) => row.completion.endsWith(`stands for ${romanValue(roman)}.`),
  ],
  [
    /decimal number (\d+) to (binary|octal|hexadecimal)/,
    ([value, to], row) => {
      const base = { binary: 2, octal: 8, hexadecimal: 16 }[to ?? ''] ?? 0;
      return Number.parseInt(/ is ([0-9A-F]+)\.$/.exec(row.completion)?.[1] ?? '', base) === n(value);
    },
  ],
  [
    /(?:day of the week is|weekday of) (\d+ \w+ \d+)/,
    ([date = ''], row) =>
      row.completion ===
      `${date} is a ${new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(timeOf(date))}.`,
  ],
  [
    /(?:pass from|days between) (\d+ \w+ \d+) (?:to|and) (\d+ \w+ \d+)/,
    ([from = '', to = ''], row) =>
      row.completion.endsWith(` it is ${(timeOf(to) - timeOf(from)) / DAY} days.`),
  ],
  [
    /Which date is (\d+) days (after|before) (\d+ \w+ \d+)/,
    ([days, side, from = ''], row) =>
      row.completion.endsWith(` is ${dateText(timeOf(from) + (side === 'after' ? 1 : -1) * n(days) * DAY)}.`),
  ],
  [
    /Is (\d+) a leap year|February of the year (\d+)/,
    ([a, b], row) => {
      const year = n(a ?? b);
      const isLeap = new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;
      return says(row, isLeap ? `Yes: ${year} is a leap year` : `No: ${year} is not a leap year`);
    },
  ],
  [
    /ISO week does (\d+ \w+ \d+)/,
    ([date = ''], row) => row.completion.includes(` ${isoWeek(timeOf(date))} by`),
  ],
  [
    /number of day in its year is (\d+ \w+ (\d+))/,
    ([date = '', year], row) =>
      row.completion.includes(
        ` day ${(timeOf(date) - Date.UTC(n(year), 0, 1)) / DAY + 1} of the year ${year}`,
      ),
  ],
  [
    /(?:ISO 3166-1 alpha-2 code of|^Give the alpha-2 .* assigns to) (.+)[?.]$/,
    ([name = ''], row) => names.region.of(/ is ([A-Z]{2})\.$/.exec(row.completion)?.[1] ?? '') === bare(name),
  ],
  [
    /alpha-2 code ([A-Z]{2})\?/,
    ([code = ''], row) =>
      row.completion.endsWith(
        ` of ${row.completion.includes(' of the ') ? 'the ' : ''}${names.region.of(code)}.`,
      ),
  ],
  [
    /(?:alpha-3|numeric) .*?(?:code of|assigns to) (.+)[?.]$/,
    ([name = ''], row) => {
      const value = / is (\w{3})\.$/.exec(row.completion)?.[1] ?? '';
      const { territoryAlias } = supplemental('aliases').metadata.alias;
      // The tables of replacements know the numbers and the three letters of most countries by themselves.
      const code = territoryAlias[value]?._replacement;
      return code === undefined ? value.length === 3 : names.region.of(code) === bare(name);
    },
  ],
  [
    /(?:used in|travelling to) (.+?)(?:\?|\. By)/,
    ([country = ''], row) =>
      currencyOf(regionOf(country)) === / code ([A-Z]{3})\.$/.exec(row.completion)?.[1],
  ],
  [
    /code of the language (.+)\?|How is (.+) abbreviated in language tags/,
    ([a, b], row) => names.language.of(/"(\w+)"/.exec(row.completion)?.[1] ?? '') === (a ?? b),
  ],
  [
    /week begin in calendars of (.+)\?/,
    ([country = ''], row) => {
      const day: string = supplemental('weekData').weekData.firstDay[regionOf(country)] ?? '';
      return day === / on (\w+)\.$/.exec(row.completion)?.[1]?.slice(0, 3).toLowerCase();
    },
  ],
  [
    /Write the number (\d+) with the digits of/,
    ([value], row) => {
      const digits = [...(/ is written (.+)\.$/.exec(row.completion)?.[1] ?? '')];
      const zero = (digits[0]?.codePointAt(0) ?? 0) - n(value?.[0]);
      // The ten digits of a script follow one another in Unicode.
      return digits.map((digit) => (digit.codePointAt(0) ?? 0) - zero).join('') === value;
    },
  ],
  [
    /Convert (\d+) ([\w ]+?) to ([\w ]+),|How many ([\w ]+?) are (\d+) ([\w ]+)\? Round/,
    ([a, b, c, d, e, f], row) => {
      const [amount, from = '', to = ''] = a === undefined ? [n(e), f, d] : [n(a), b, c];
      const exact = (amount * factorOf(from)) / factorOf(to);
      const stated = n(
        /(?:are|about) (-?[\d.]+) /.exec(row.completion.slice(String(amount).length + from.length + 1))?.[1],
      );
      return Math.abs(stated - exact) <= 0.005 + 1e-9 * exact;
    },
  ],
  [
    /(?:is|of) (-?\d+) °([CF]) (?:in|to) °[CF]/,
    ([degrees, unit], row) => {
      const value = unit === 'C' ? n(degrees) * 1.8 + 32 : (n(degrees) - 32) / 1.8;
      return Math.abs(n(/ is (?:about )?(-?[\d.]+) °/.exec(row.completion)?.[1]) - value) <= 0.005 + 1e-9;
    },
  ],
  [
    /Express (\d+) seconds in/,
    ([seconds], row) => {
      const [hours, minutes, rest] = (
        /are (\d+) hours, (\d+) minutes and (\d+) seconds/.exec(row.completion) ?? []
      )
        .slice(1)
        .map(n);
      return (
        (hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (rest ?? 0) === n(seconds) &&
        (minutes ?? 60) < 60 &&
        (rest ?? 60) < 60
      );
    },
  ],
  [
    /(\d+) ([KMGT])iB/,
    ([amount, unit = ''], row) =>
      row.completion.includes(` are ${n(amount) * 2 ** (10 * ('KMGT'.indexOf(unit) + 1))} bytes`),
  ],
  [
    /status code (\d{3}) mean|with HTTP status (\d{3})/,
    ([a, b], row) => {
      const code = a ?? b ?? '';
      const kinds = ['', 'informational', 'successful', 'a redirection', 'a client error', 'a server error'];
      return row.completion === `HTTP status ${code} is "${PHRASES[code]}", which is ${kinds[n(code[0])]}.`;
    },
  ],
  [
    /reason phrase "(.+)"\?/,
    ([phrase], row) => PHRASES[/status (\d{3})\.$/.exec(row.completion)?.[1] ?? ''] === phrase,
  ],
  [
    /code point of the character (.+)\?/u,
    ([character], row) =>
      String.fromCodePoint(Number.parseInt(/U\+([0-9A-F]+)/.exec(row.completion)?.[1] ?? '', 16)) ===
      character,
  ],
  [
    /encode the character (.+) in UTF-8/u,
    ([character = ''], row) => row.completion.endsWith(` is ${hex(Buffer.from(character, 'utf8'))}.`),
  ],
  [
    /^Percent-encode the text "(.+)" for/,
    ([value = ''], row) => row.completion === encodeURIComponent(value),
  ],
  [
    /ASCII text "(.+)" in Base64/,
    ([value = ''], row) =>
      row.completion === `"${value}" in Base64 is ${Buffer.from(value, 'latin1').toString('base64')}`,
  ],
  [
    /alphabetical order: (.+)\.$/,
    ([list = ''], row) => {
      const sorted = row.completion.slice(0, -1).split(', ');
      return (
        sorted.every((word, at) => at === 0 || (sorted[at - 1] ?? '').localeCompare(word, 'en') < 0) &&
        list.split(', ').every((word) => sorted.includes(word))
      );
    },
  ],
  [
    /the word "(.+)" backwards/,
    ([word = ''], row) => {
      const answer = / is "(.+)"\.$/.exec(row.completion)?.[1] ?? '';
      return answer.length === word.length && [...word].every((letter, at) => letter === answer.at(-1 - at));
    },
  ],
  [
    /as one JSON|into one JSON object.*: (\w+),(\w+),(\d+)$/,
    ([item, place, amount], row) => {
      expect(JSON.parse(row.completion)).toStrictEqual({ item, place, amount: n(amount) });
      return true;
    },
  ],
];

test('every computed answer of the starter pool is right', () => {
  for (const row of computed) {
    const matching = CHECKS.filter(([pattern]) => pattern.test(row.prompt));
    expect(matching, row.prompt).toHaveLength(1);
    const [pattern, check] = matching[0] as [RegExp, Check];

    expect(
      check([...(pattern.exec(row.prompt) ?? [])].slice(1), row),
      `${row.prompt} ${row.completion}`,
    ).toBe(true);
  }
});

test('the answers that are to be rejected are wrong by the same computation', () => {
  // Of some of these, the computation tells only whether the answer has the right form.
  const isLookUp = /alpha-3|numeric/;
  for (const row of computed.filter(({ prompt }) => !isLookUp.test(prompt))) {
    const [pattern, check] = CHECKS.find(([each]) => each.test(row.prompt)) as [RegExp, Check];
    let isRight: boolean;
    try {
      isRight = check([...(pattern.exec(row.prompt) ?? [])].slice(1), { ...row, completion: row.rejected });
    } catch {
      isRight = false;
    }

    expect(isRight, `${row.prompt} ${row.rejected}`).toBe(false);
  }
});
