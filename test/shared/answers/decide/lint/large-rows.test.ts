import { expect, test } from 'vitest';
import { ROW_BYTES_MAX } from '#shared/tabular/decide/limits.ts';
import { ParserProcess } from '#test/helpers/parsing/parser-process.ts';

/** Of all checks together, on a processor that does other things too. */
const MILLISECONDS_MAX = 20_000;
/** The smallest function that checks rows has 512 MB, of which the program itself takes 150. */
const MEBIBYTES_MAX = 350;

/** What the largest row is made of: characters that become many, runs that a match walks along, and JSON. */
const PARTS: readonly (readonly [name: string, part: string, head: string, tail: string])[] = [
  ['a ligature that becomes 18 characters', '\ufdfa', '', ''],
  ['ligatures between spaces', '\ufdfa ', '', ''],
  ['one word', 'a', '', ''],
  ['one word of letters with marks', 'e\u0301', '', ''],
  ['combining marks', '\u0301', '', ''],
  ['ideographs', '漢', '', ''],
  ['emoji that are joined', '👨\u200d👩', '', ''],
  ['words', 'some word ', '', ''],
  ['signs of addresses', 'a@', '', ''],
  ['parts of addresses', '@a.a.', '', ''],
  ['digits', '0', '', ''],
  ['equations', '1+1=2 ', '', ''],
  ['open brackets', '[', '', ''],
  ['lists in a list', '[],', '[', '[]]'],
  ['lists with as many values as an answer may have', '["abcde"],', '[', '[]]'],
  ['numbers in a list', '1,', '[', '1]'],
  ['fences', '```\n', '', ''],
];

test.each(PARTS)(
  'the largest row of %s is checked in the memory and the time of its function',
  async (_, part, head, tail) => {
    const room = ROW_BYTES_MAX - 1024 - head.length - tail.length;
    const bytes = Buffer.from(`${head}${part.repeat(Math.floor(room / Buffer.byteLength(part)))}${tail}`);

    // A process of its own: memory that another row took would hide what this one takes.
    const checks = new ParserProcess(120_000);
    const { outcome, milliseconds, mebibytes } = await checks.parse('row_checks', bytes);
    await checks.stop();

    expect(outcome).toBe('read');
    expect(milliseconds).toBeLessThan(MILLISECONDS_MAX);
    expect(mebibytes).toBeLessThan(MEBIBYTES_MAX);
  },
  150_000,
);
