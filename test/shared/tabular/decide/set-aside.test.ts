import { describe, expect, it } from 'vitest';
import { ingestText } from '#shared/tabular/adapters/ingest-text.ts';
import { stream } from './harness.ts';

/** Reads a file of which a share of the rows may be left out, in pieces of a few bytes. */
async function read(format: 'csv' | 'json' | 'jsonl', file: Buffer | string, unreadableShareMax?: number) {
  const bytes = Buffer.from(file as string);
  const cut = Math.floor(bytes.length / 3);
  const bodies: Buffer[] = [];
  const manifest = await ingestText({
    format,
    name: `rows.${format}`,
    source: stream(bytes.subarray(0, cut), bytes.subarray(cut, 2 * cut), bytes.subarray(2 * cut)),
    maxBytes: 1024 ** 3,
    unreadableShareMax,
    chunkKey: (n) => `${n}`,
    writeChunk: async (n, body) => {
      bodies[n] = body;
    },
  });
  const lines = Buffer.concat(bodies).toString('utf8').split('\n').slice(0, -1);
  return { lines, warning: manifest.warnings.find(({ code }) => code === 'rows_set_aside')?.message ?? null };
}

const GOOD = ['{"q":"a"}', '{"q":"b"}', '{"q":"c"}', '{"q":"d"}'];
const lines = (...rows: string[]): string => rows.map((row) => `${row}\n`).join('');
/** A text of whose bytes the one in place of `#` is no UTF-8. */
const broken = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  bytes[bytes.indexOf('#')] = 0xe9;
  return bytes;
};

describe('a row that cannot be read', () => {
  it.each([
    ['no JSON', 'jsonl', lines('{"q":"a"}', '{"q":', '{"q":"b"}'), 'line 2', ['a', 'b']],
    ['no object', 'jsonl', lines('{"q":"a"}', '[1]', '{"q":"b"}'), 'line 2 (it holds an array', ['a', 'b']],
    ['cut off at the end', 'jsonl', `${lines('{"q":"a"}', '{"q":"b"}')}{"q":"c`, 'line 3', ['a', 'b']],
    [
      'no UTF-8',
      'jsonl',
      broken(lines('{"q":"é"}', '{"q":"#"}', '{"q":"b"}')),
      'line 2 (it is not valid UTF-8',
      ['é', 'b'],
    ],
    [
      'an element that is no object',
      'json',
      '[{"q":"a"}, "x, [y]", {"q":"b"}, null]',
      'element 1',
      ['a', 'b'],
    ],
    [
      'an element that is no UTF-8',
      'json',
      broken('[{"q":"é"},{"q":"#"},{"q":"b"}]'),
      'element 1',
      ['é', 'b'],
    ],
    [
      'text behind a quote',
      'csv',
      'q,r\na,1\n"b" or c,2\nd,3\n',
      'line 3 (text follows a closing quote)',
      ['a', 'd'],
    ],
    ['text behind a quote, and CRLF', 'csv', 'q,r\r\na,1\r\n"b" or c,2\r\nd,3\r\n', 'line 3', ['a', 'd']],
    [
      'too many cells',
      'csv',
      'q,r\na,1\nb,2,3\nd,3\n',
      'line 3 (it has 3 cells, and the header 2)',
      ['a', 'd'],
    ],
    ['no UTF-8', 'csv', broken('q,r\né,1\n#,2\nd,3\n'), 'line 3 (it is not valid UTF-8)', ['é', 'd']],
    [
      'a quote that is not closed',
      'csv',
      'q,r\na,1\nd,3\n"b,2\n',
      'line 4 (the file ends inside',
      ['a', 'd'],
    ],
  ] as const)(
    'a row that cannot be read is left out up to the share, with its place and reason: %s in %s',
    async (_, format, file, where, kept) => {
      const reading = await read(format, file, 0.5);

      expect(reading.lines.map((line) => JSON.parse(line).q)).toEqual(kept);
      expect(reading.warning).toContain(where);
      await expect(read(format, file, 0)).rejects.toThrow(
        'max_unreadable_share: 0.01 allows one row in a hundred.',
      );
      await expect(read(format, file)).rejects.toThrow(/^((?!max_unreadable).)*$/s);
    },
  );

  it('a row that cannot be read fails the file if there are more than the share allows, with the first', async () => {
    const file = lines(...GOOD, 'x', 'y');

    expect((await read('jsonl', file, 0.34)).warning).toMatch(
      /^2 of 6 rows could not be read and were left out: line 5/,
    );
    await expect(read('jsonl', file, 0.33)).rejects.toThrow(
      /^2 of 6 rows cannot be read, and max_unreadable_share allows a share of 0\.33\. The first: Line 5/,
    );
  });

  it('a row that cannot be read counts with all lines that an open quote takes', async () => {
    const file = `q,r\na,1\n"b,2\nc,3\nd,4\n"e" f,5\n${'g,6\n'.repeat(4)}`;

    const { lines: rows, warning } = await read('csv', file, 0.5);
    expect(rows).toHaveLength(5);
    expect(warning).toMatch(/^4 of 9 rows .* line 3 \(text follows/);
  });

  it('a row that cannot be read is one that is larger than a row may be', async () => {
    const file = `{"q":"a"}\n{"q":"${'x'.repeat(17 * 1024 * 1024)}"}\n{"q":"b"}\n`;

    const reading = await read('jsonl', file, 0.5);
    expect(reading.lines).toEqual(['{"q":"a"}', '{"q":"b"}']);
    expect(reading.warning).toContain('line 2 (is larger than 16 MiB');
    await expect(read('jsonl', file)).rejects.toThrow('Line 2 is larger than 16 MiB');
  });

  it('a row that cannot be read is named among the first five', async () => {
    const file = lines(...GOOD, ...GOOD, ...Array.from({ length: 7 }, () => 'x'));

    expect((await read('jsonl', file, 0.5)).warning).toMatch(/line 9 .*line 13 .*, and others\.$/);
  });

  it.each([
    ['an array that is no JSON behind a row', '[{"q":"a"} {"q":"b"}]'],
    ['an array that is not closed', '[{"q":"a"},{"q":"b"}'],
  ])('a row that cannot be read is none where no next row can be found: %s', async (_, file) => {
    await expect(read('json', file, 0.5)).rejects.toMatchObject({ code: 'file_unreadable' });
  });

  it('a row that cannot be read is none where the header is no UTF-8', async () => {
    await expect(read('csv', broken('é,#\na,b\n'), 0.5)).rejects.toThrow('The header is not valid UTF-8');
  });
});
