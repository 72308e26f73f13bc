import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DELIMITERS } from '#shared/tabular/decide/csv-delimiters.ts';
import { CsvReader } from '#shared/tabular/decide/csv-reader.ts';
import { CHUNK_BYTES_MAX, CHUNK_ROWS_MAX, ROW_BYTES_MAX } from '#shared/tabular/decide/limits.ts';
import { TextBlocks } from '#shared/tabular/decide/text-blocks.ts';
import { awkwardText, cutOffsets, readFile, toCsv } from './harness.ts';

const table = fc.integer({ min: 1, max: 5 }).chain((width) =>
  fc.record({
    header: fc.uniqueArray(
      awkwardText.filter((name) => name !== ''),
      { minLength: width, maxLength: width },
    ),
    // Rows without content at the end would be left out.
    rows: fc
      .array(fc.array(awkwardText, { minLength: width, maxLength: width }), { maxLength: 20 })
      .map((rows) => [...rows, Array.from({ length: width }, () => 'end')]),
  }),
);

it('any table of strings comes back cell for cell, whatever the line break and wherever the bytes are cut', () => {
  fc.assert(
    fc.property(
      table,
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.boolean(),
      cutOffsets,
      ({ header, rows }, newline, endsWithBreak, cuts) => {
        // Every cell is quoted, so that any delimiter in the content is beyond doubt.
        const quoted = [header, ...rows]
          .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
          .join(newline);

        const reading = readFile('csv', endsWithBreak ? quoted + newline : quoted, cuts);

        expect(reading.columns).toEqual(header.map((name) => ({ name, type: 'VARCHAR' })));
        expect(reading.lines).toEqual(
          rows.map(
            (row) => `{${row.map((cell, at) => `${JSON.stringify(header[at])}:${JSON.stringify(cell)}`)}}`,
          ),
        );
        expect(reading.warnings).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
});

it('any table of strings comes back with each delimiter that can be told', () => {
  const word = fc.stringMatching(/^[a-z0-9 "\n]{1,8}$/);
  const words = fc
    .array(fc.tuple(word, word, word), { minLength: 1, maxLength: 8 })
    .map((rows) => [...rows, ['end', 'end', 'end'] as const]);
  fc.assert(
    fc.property(words, fc.constantFrom(...DELIMITERS), cutOffsets, (rows, delimiter, cuts) => {
      const csv = toCsv([['a', 'b', 'c'], ...rows], delimiter);

      const reading = readFile('csv', csv, cuts);

      expect(reading.lines).toEqual(rows.map(([a, b, c]) => JSON.stringify({ a, b, c })));
    }),
    { numRuns: 200 },
  );
});

describe('what a file may look like', () => {
  const lines = (bytes: Buffer | string, cuts?: number[]) => readFile('csv', bytes, cuts).lines;

  it('what a file may look like strips a UTF-8 byte order mark from the first column', () => {
    expect(lines('\ufeffprompt,n\nhi,1\n')).toEqual(['{"prompt":"hi","n":"1"}']);
  });

  it.each(['utf-16le', 'utf-16be'])(
    'what a file may look like reads %s with and without its mark, and says so',
    (encoding) => {
      for (const mark of ['\ufeff', '']) {
        const bytes = Buffer.from(`${mark}prompt;n\n"é 😀";1\n`, 'utf16le');
        if (encoding === 'utf-16be') bytes.swap16();

        const reading = readFile('csv', bytes, [1, 3, 7, 20, 21]);

        expect(reading.lines).toEqual(['{"prompt":"é 😀","n":"1"}']);
        expect(reading.warnings.map(({ code }) => code)).toEqual(['encoding_converted']);
      }
    },
  );

  it('what a file may look like keeps leading zeros, spaces and literal quotes of unquoted cells', () => {
    expect(lines('a,b\n007,  x "y" \n')).toEqual([JSON.stringify({ a: '007', b: '  x "y" ' })]);
  });

  it('what a file may look like keeps the keys of a table whose columns are named like numbers in order', () => {
    expect(lines('2,1\nx,y\n')).toEqual(['{"2":"x","1":"y"}']);
  });

  it('what a file may look like keeps a delimiter at the end of a row as an empty cell', () => {
    expect(lines('a,b\n1,\n2,')).toEqual(['{"a":"1","b":""}', '{"a":"2","b":""}']);
  });

  it('what a file may look like passes over blank lines and counts them', () => {
    const reading = readFile('csv', '\n\r\na,b\n\n1,2\r\n\r\n\n3,4\n\n');

    expect(reading.lines).toEqual(['{"a":"1","b":"2"}', '{"a":"3","b":"4"}']);
    expect(reading.warnings).toEqual([{ code: 'blank_lines', message: '6 blank lines were skipped.' }]);
  });

  it('what a file may look like fills a short row with empty cells, counts it and names the first', () => {
    const reading = readFile('csv', 'a,b,c\n"1\n1",2,3\n4,5\n6\n');

    expect(reading.lines.slice(1)).toEqual(['{"a":"4","b":"5","c":""}', '{"a":"6","b":"","c":""}']);
    expect(reading.warnings).toEqual([
      {
        code: 'rows_short',
        message:
          '2 rows have fewer cells than the header (the first is at line 4, 2 of 3); the missing cells are empty.',
      },
    ]);
  });

  it('what a file may look like leaves out surplus cells that are empty, and counts their rows', () => {
    const reading = readFile('csv', 'a,b\n1,2,,\n3,4\n');

    expect(reading.lines).toEqual(['{"a":"1","b":"2"}', '{"a":"3","b":"4"}']);
    expect(reading.warnings.map(({ code }) => code)).toEqual(['rows_surplus_empty']);
  });

  it('what a file may look like names empty and repeated columns apart, and says which', () => {
    const reading = readFile('csv', 'a,,a,a_2,\n1,2,3,4,5\n');

    expect(reading.columns.map(({ name }) => name)).toEqual(['a', 'column_2', 'a_3', 'a_2', 'column_5']);
    expect(reading.warnings).toEqual([
      {
        code: 'columns_renamed',
        message:
          'Columns were renamed, because their names are empty or repeated: column 2 (no name) is "column_2", column 3 "a" is "a_3", column 5 (no name) is "column_5".',
      },
    ]);
  });

  it('what a file may look like reads a header longer than the sample', () => {
    const name = 'n'.repeat(200_000);

    const reading = readFile('csv', `${name},b\n1,2\n`, [50_000, 70_000, 140_000]);

    expect(reading.columns.map((column) => column.name.length)).toEqual([200_000, 1]);
  });
});

it('chunks close at 1,000 rows and number their rows', () => {
  const { chunks } = readFile('csv', `a\n${'x\n'.repeat(2500)}`);

  expect(chunks.map(({ firstRow, rowCount }) => [firstRow, rowCount])).toEqual([
    [0, CHUNK_ROWS_MAX],
    [1000, CHUNK_ROWS_MAX],
    [2000, 500],
  ]);
});

it('chunks close before they outgrow 4 MiB; a larger row stands alone', () => {
  const row = (kibibytes: number) => `${'x'.repeat(kibibytes * 1024)}\n`;
  const sizes = [1500, 1500, 1500, 5000, 10, 4000, 200];

  const { chunks } = readFile('csv', `a\n${sizes.map(row).join('')}`);

  expect(chunks.map(({ rowCount }) => rowCount)).toEqual([2, 1, 1, 2, 1]);
  for (const { body, rowCount } of chunks) {
    expect(rowCount === 1 || body.length <= CHUNK_BYTES_MAX).toBe(true);
  }
});

it('chunks count what escaping adds', () => {
  const { chunks } = readFile('csv', `a\n${`${'\u0001'.repeat(1024 * 1024)}\n`.repeat(2)}`);

  expect(chunks.map(({ rowCount, body }) => [rowCount, body.length])).toEqual([
    [1, 6 * 1024 * 1024 + 9],
    [1, 6 * 1024 * 1024 + 9],
  ]);
});

describe('what cannot be read', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  it.each<[string, Buffer | string, string, string]>([
    [
      'an empty file',
      '',
      'file_empty',
      'The file is empty. Upload a file with a header and at least one row.',
    ],
    [
      'blank lines alone',
      '\n\r\n\n',
      'file_empty',
      'The file is empty. Upload a file with a header and at least one row.',
    ],
    [
      'a byte order mark alone',
      '\ufeff',
      'file_empty',
      'The file is empty. Upload a file with a header and at least one row.',
    ],
    [
      'a header alone',
      'a,b\n',
      'file_empty',
      'The file has a header of 2 columns and no rows. Upload a file with at least one row.',
    ],
    [
      'a row with data beyond the header',
      'a,b\n1,2\n"3\n3",4,5,6\n',
      'file_unreadable',
      'The row that starts at line 3 has 4 cells, but the header has 2. Quote the cells that contain the delimiter (","), or name every column in the header.',
    ],
    [
      'text after a closing quote',
      'a,b\n1,2\n"3"x,4\n',
      'file_unreadable',
      'Line 3: text follows a closing quote. Inside a quoted cell write each quote twice ("").',
    ],
    [
      'text after the closing quote of a cell of several lines',
      'a,b\n1,2\n"3\r\n\n4"x,5\n',
      'file_unreadable',
      'Line 5 (in the row that starts at line 3): text follows a closing quote. Inside a quoted cell write each quote twice ("").',
    ],
    [
      'a quote that is never closed',
      'a,b\n1,2\n3,"4\n5,6\n',
      'file_unreadable',
      'The file ends inside a quoted cell of the row that starts at line 3. Close the quote, or upload the whole file.',
    ],
    [
      'a header whose quote is never closed',
      'a,"b\n1,2\n',
      'file_unreadable',
      'The header has a quote that is never closed. Close it and upload the file again.',
    ],
    [
      'a NUL byte',
      `a,b\n${'1,2\n'.repeat(30_000)}3,x\0y\n`,
      'file_unreadable',
      'Line 30002 holds a NUL byte, so the file is not plain text. Remove the NUL bytes, or save it as UTF-8, and upload it again.',
    ],
    [
      'a NUL byte near the beginning',
      'a,b\n"1\n1",2\n3,x\0y\n',
      'file_unreadable',
      'Line 4 holds a NUL byte, so the file is not plain text. Remove the NUL bytes, or save it as UTF-8, and upload it again.',
    ],
    [
      'UTF-8 with a broken character',
      Buffer.from('a,b\nol\xc3\xa9,ok\ncaf\xe9,2\n', 'latin1'),
      'file_unreadable',
      'The file is not valid UTF-8: byte 15 (0xE9) begins no character. It may be in an older encoding; save it as UTF-8 and upload it again.',
    ],
    [
      'a PNG',
      png,
      'file_unreadable',
      'The file was announced as csv, but its first bytes are those of a PNG image. Upload the csv file itself.',
    ],
    [
      'a gzip file',
      Buffer.from('1f8b0800000000000003', 'hex'),
      'file_unreadable',
      'The file was announced as csv, but its first bytes are those of gzip-compressed data. Upload the csv file itself.',
    ],
    [
      'an HTML page',
      '\n<!DOCTYPE html><html>',
      'file_unreadable',
      'The file was announced as csv, but its first bytes are those of an HTML page. Upload the csv file itself.',
    ],
  ])('what cannot be read refuses %s, saying what and where', (_, bytes, code, message) => {
    expect(() => readFile('csv', bytes)).toThrow(expect.objectContaining({ code, message }));
    expect(() => readFile('csv', bytes, [1, 2, 5, 9, 12, 15, 70_000])).toThrow(
      expect.objectContaining({ code, message }),
    );
  });

  it('what cannot be read finds a broken character in a later block at its offset in the file', () => {
    const bytes = Buffer.concat([
      Buffer.from('\ufeffa\n'),
      Buffer.from('中\n'.repeat(5000)),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('\n中'.repeat(5000)),
    ]);

    expect(() => readFile('csv', bytes, [4000, 8001, 20_003, 20_006])).toThrow('byte 20005 (0xC3)');
  });

  it('what cannot be read refuses a UTF-16 file that ends within a character', () => {
    const bytes = Buffer.from('\ufeffa,b\n1,2\n', 'utf16le');

    expect(() => readFile('csv', bytes.subarray(0, -1))).toThrow(
      expect.objectContaining({
        code: 'file_unreadable',
        message: expect.stringContaining('broken character'),
      }),
    );
  });

  it('what cannot be read refuses a row over 16 MiB at its line without holding more of it', () => {
    const block = Buffer.alloc(1024 * 1024, 'x');
    let pushed = 0;
    const pieces = function* () {
      yield Buffer.from('a,b\n1,2\n3,"');
      for (; pushed < 200; pushed += 1) yield block;
    };

    expect(() => readPieces(pieces())).toThrow(
      expect.objectContaining({
        code: 'file_unreadable',
        message:
          'The row that starts at line 3 is larger than 16 MiB, the limit of one row. Shorten it, or close an open quote.',
      }),
    );
    expect(pushed * block.length).toBeLessThan(ROW_BYTES_MAX + 2 * block.length);
  });

  it('what cannot be read refuses a header over 16 MiB without holding more of it', () => {
    let pushed = 0;
    const pieces = function* () {
      for (; pushed < 200; pushed += 1) yield Buffer.alloc(1024 * 1024, 'x');
    };

    expect(() => readPieces(pieces())).toThrow(
      expect.objectContaining({
        code: 'file_unreadable',
        message: 'The header is larger than 16 MiB, the limit of one row. Close an open quote.',
      }),
    );
    expect(pushed).toBeLessThan(20);
  });

  it('what cannot be read refuses a header of too many columns', () => {
    expect(() => readFile('csv', `${'a,'.repeat(10_000)}a\n1\n`)).toThrow(
      expect.objectContaining({
        code: 'file_unreadable',
        message: 'The header has too many columns: at most 10000 can be read.',
      }),
    );
  });
});

function readPieces(pieces: Iterable<Buffer>): void {
  const text = new TextBlocks('csv');
  const reader = new CsvReader();
  for (const piece of pieces) reader.push(text.push(piece));
}
