import { describe, expect, it } from 'vitest';
import { readTextHeader } from '#shared/tabular/decide/text-header.ts';
import { startStopwatch } from '#test/helpers/stopwatch.ts';
import { cellsOf, readFile } from './harness.ts';

/** Files as programs and people really write them: read as what they are, with a warning, or refused; never as something else. */
const namesOf = ({ columns }: ReturnType<typeof readFile>): string[] => columns.map(({ name }) => name);
const codesOf = ({ warnings }: ReturnType<typeof readFile>): string[] => warnings.map(({ code }) => code);
/** Reads a file whole and cut in the middle, which must not matter. */
const readBoth = (...[format, bytes]: Parameters<typeof readFile>) => {
  const file = Buffer.from(bytes as string);
  const reading = readFile(format, file);
  const cut = readFile(format, file, [3, Math.floor(file.length / 2), file.length - 2]);
  expect(cut.lines).toEqual(reading.lines);
  return reading;
};

describe('the dialect of a CSV file', () => {
  it.each([';', ',', '\t', '|'])(
    'the dialect is that of the line with which Excel names its delimiter: %j',
    (delimiter) => {
      const text = 'Why, oh why; or | not?'.replaceAll(delimiter, ' ');
      const file = `sep=${delimiter}\r\nq${delimiter}a\r\n${text}${delimiter}So\r\n`;
      const reading = readBoth('csv', file);

      expect(namesOf(reading)).toEqual(['q', 'a']);
      expect(reading.lines).toHaveLength(1);
      expect(readTextHeader('csv', Buffer.from(file), true)).toEqual(['q', 'a']);
    },
  );

  it('the dialect is not taken from a column whose name looks like that line', () => {
    expect(namesOf(readBoth('csv', 'sep=x,b\n1,2\n'))).toEqual(['sep=x', 'b']);
  });

  it.each([
    [';', 'q;a\nWhat?;"Yes" he said\nWho?;Nobody\n', 2],
    ['tab', 'q\ta\nWhat, and when?\tNow, I think\n"Go" means what?\tLeave, now\n', 3],
    ['|', 'q|a\nx|y\n"Go" is?|Leave\n', 3],
    [';', 'q;a, in full\nWhat?;"Yes" he said\nWho?;Nobody\n', 2],
  ])(
    'the dialect stays %s where a cell has text behind its closing quote: the row is refused by its line',
    (_, file, line) => {
      expect(readTextHeader('csv', Buffer.from(file), true)).toEqual(['q', expect.stringMatching(/^a/)]);
      expect(() => readFile('csv', file)).toThrow(`Line ${line}: text follows a closing quote.`);
    },
  );
});

describe('the line with which Excel names its delimiter', () => {
  it.each(['"sep=;"\r\nq;a\r\nWhy?;So\r\n', 'sep=; \r\nq;a\r\nWhy?;So\r\n'])(
    'the line with which Excel names its delimiter may be quoted, or end in spaces: %j',
    (file) => {
      expect(namesOf(readBoth('csv', file))).toEqual(['q', 'a']);
    },
  );

  it.each(['sep=,,\nq,a\nx,y\n', 'sep=;;\r\nq;a\r\nx;y\r\n'])(
    'the line with which Excel names its delimiter may be one that another program has padded: %j',
    (file) => {
      expect(namesOf(readBoth('csv', file))).toEqual(['q', 'a']);
    },
  );

  it('the line with which Excel names its delimiter is doubted where another one parts the rows', () => {
    expect(codesOf(readBoth('csv', 'sep=;\nq,a\nx,y\n'))).toEqual(['delimiter_doubtful']);
  });

  it('the line with which Excel names its delimiter is none where a column of that name has quoted cells', () => {
    expect(namesOf(readBoth('csv', '"sep=;"\n"a;b"\n'))).toEqual(['sep=;']);
  });
});

describe('spaces beside delimiters', () => {
  it('spaces between delimiters and quotes are left out, and told', () => {
    const reading = readBoth('csv', '"q", "a"\n"Why, oh?",  "So, so"\n"Who?", I\n"What?", \n');

    expect(cellsOf(reading)).toEqual([
      ['"Why, oh?"', '"So, so"'],
      ['"Who?"', '" I"'],
      ['"What?"', '" "'],
    ]);
    expect(namesOf(reading)).toEqual(['q', 'a']);
    expect(codesOf(reading)).toEqual(['spaces_before_quotes']);
    expect(readTextHeader('csv', Buffer.from('"q", "a"\n"x", "y"\n'), true)).toEqual(['q', 'a']);
  });

  it('spaces stay where a quoted word begins a longer cell', () => {
    const reading = readBoth('csv', 'q,a\nWhy?, "Yes" he said\n');

    expect(cellsOf(reading)).toEqual([['"Why?"', '" \\"Yes\\" he said"']]);
  });

  it.each([
    ['tab', 'id\tprompt, in full\n1\tq, r\n2\ts, t\n', ['id', 'prompt, in full']],
    ['tab', 'question, short\tanswer, long\nq, 1\ta, 2\nr, 3\ts, 4\n', ['question, short', 'answer, long']],
    [';', 'Frage;Antwort, kurz\nWas;Ja, klar\nWo;Hier, da\n', ['Frage', 'Antwort, kurz']],
  ])('spaces behind each comma tell a sentence from cells: the delimiter is %s', (_, file, names) => {
    expect(namesOf(readBoth('csv', file))).toEqual(names);
  });
});

describe('lines above a table', () => {
  it('lines above a table that hold nothing are left out, and told', () => {
    const reading = readBoth('csv', ',,\r\n,,\r\nprompt,completion,id\r\nq1,a1,1\r\n');

    expect(namesOf(reading)).toEqual(['prompt', 'completion', 'id']);
    expect(reading.lines).toHaveLength(1);
    expect(codesOf(reading)).toEqual(['rows_above_header']);
    // A header without names is one where a row of values follows it.
    expect(readBoth('csv', ',,\n1,2,3\n').lines).toHaveLength(1);
  });

  it.each([
    ['prompt,completion\n', 'Export,\nOf May,\n,\n'],
    ['prompt,completion\n', 'sep=,\nExport,\n,\n'],
  ])(
    'lines above a table that name its first column alone are refused by their line: %#',
    (header, title) => {
      const line = title.startsWith('sep') ? 2 : 1;

      expect(() => readFile('csv', `${title}${header}q,a\n`)).toThrow(
        `Line ${line} names the first of 2 columns`,
      );
      expect(() => readTextHeader('csv', Buffer.from(`${title}${header}q,a\n`), true)).toThrow(
        'names the first',
      );
    },
  );

  it.each([
    [' q | a \n---+---\n x | y\n(1 row)\n', 2],
    ['+---+---+\n| q | a |\n+---+---+\n| x | y |\n+---+---+\n', 1],
    ['| q | a |\n|:--|---|\n| x | y |\n', 2],
    ['q ,a \n--,--\nx ,y \n', 2],
    ['--,--\nx,y\n', 1],
  ])('lines above a table that are a rule of hyphens are refused: %j', (file, line) => {
    expect(() => readFile('csv', file)).toThrow(`Line ${line} is a rule of hyphens`);
  });

  it.each([
    [
      'q,a\n---,---\nx,y\n\n(1 rows affected)\n',
      ['"x"', '"y"'],
      ['rule_left_out', 'blank_lines', 'count_left_out'],
    ],
    ['id,a\r\n--,---\r\n1,y\r\n', ['"1"', '"y"'], ['rule_left_out']],
    ['q\ta\n-\t====\nx\ty\n', ['"x"', '"y"'], ['rule_left_out']],
    ['"q","a"\n---,---\nx,y\n', ['"x"', '"y"'], ['rule_left_out']],
    ['sep=;\nq;a\n---;---\nx;y\n', ['"x"', '"y"'], ['rule_left_out']],
    ['q|a\n---|---\nx|y\n', ['"x"', '"y"'], ['rule_left_out']],
  ])(
    'a rule of hyphens below the header is left out, with the count at the end, and told: %j',
    (file, cells, codes) => {
      const reading = readBoth('csv', file);

      expect(cellsOf(reading)).toEqual([cells]);
      expect(codesOf(reading)).toEqual(codes);
    },
  );

  it('hyphens are cells where they stand further down, beside others or one in each cell', () => {
    const rows = ['x,y', '--,--', '--,b', '-,-', '(1 row)'];

    expect(cellsOf(readBoth('csv', `q,a\n${rows.join('\n')}\n`))).toEqual([
      ['"x"', '"y"'],
      ['"--"', '"--"'],
      ['"--"', '"b"'],
      ['"-"', '"-"'],
      ['"(1 row)"', '""'],
    ]);
    expect(cellsOf(readBoth('csv', 'q,a\n-,-\n'))).toEqual([['"-"', '"-"']]);
    expect(cellsOf(readBoth('csv', 'q,a\n--,--\n'))).toEqual([['"--"', '"--"']]);
    expect(cellsOf(readBoth('csv', 'q,a\n--,b\n'))).toEqual([['"--"', '"b"']]);
  });

  it('lines of hyphens are text where they stand in a quoted cell, or in a file of one column', () => {
    expect(readBoth('csv', 'q,"a\n---|---"\nx,y\n').lines).toHaveLength(1);
    expect(readBoth('csv', 'text\n---\nmore\n').lines).toHaveLength(2);
  });

  it.each([
    '# exported by tool 1.2, 2024-05-01\nq,a\nx,y\n',
    'What is two plus two?,It is four.\nWho wrote it?,He did.\n',
    '1,q1,\\N\n2,q2,a2\n',
  ])('lines above a table that look like a comment or a row are told: %j', (file) => {
    expect(codesOf(readBoth('csv', file))).toEqual(['header_doubtful']);
  });

  it('lines above a table are told only where they look like none of its names', () => {
    expect(codesOf(readBoth('csv', '#,Is it right?,#id\nx,y,z\n'))).toEqual([]);
  });
});

describe('a delimiter that is not read', () => {
  it('a delimiter that is not read is refused where the line of Excel names it', () => {
    expect(() => readFile('csv', 'sep=^\r\nq^a\r\nWhat?^So\r\n')).toThrow('names the delimiter "^"');
    expect(() => readTextHeader('csv', Buffer.from('sep=^\r\nq^a\r\n'), true)).toThrow('names the delimiter');
  });

  it('a delimiter that is not read is told where it parts all rows of the one column alike', () => {
    expect(codesOf(readBoth('csv', 'q^a\nWhat?^So\nWho?^Nobody\n'))).toEqual(['delimiter_doubtful']);
    expect(codesOf(readBoth('csv', 'time: a note\nat 12:30:00\n'))).toEqual([]);
    expect(codesOf(readBoth('csv', 'text\nSay: yes\n'))).toEqual([]);
  });
});

describe('the empty end of a spreadsheet', () => {
  const rows = Array.from({ length: 12 }, (_, n) => `q${n},a${n},,\n`).join('');

  it('the empty end of a spreadsheet is left out: rows of nothing but delimiters, and columns without name and content', () => {
    const reading = readBoth('csv', `prompt,completion,,\n${rows}${',,,\n'.repeat(1237)}`);

    expect(namesOf(reading)).toEqual(['prompt', 'completion']);
    expect(reading.lines).toHaveLength(12);
    expect(codesOf(reading)).toEqual(['columns_empty', 'rows_empty']);
  });

  it('the empty end of a spreadsheet is not what lies between rows, which stays as it is', () => {
    const reading = readBoth('csv', 'a,b\n1,2\n,\n\n" ","\t"\n"",""\n \n3,4\n"",""\n,\n');

    expect(cellsOf(reading)).toEqual([
      ['"1"', '"2"'],
      ['""', '""'],
      ['" "', '"\\t"'],
      ['""', '""'],
      ['" "', '""'],
      ['"3"', '"4"'],
    ]);
    expect(codesOf(reading)).toEqual(['blank_lines', 'rows_empty', 'rows_short']);
  });

  it.each([
    ['delimiters alone', (_: number) => ','],
    ['spaces, each row with others', (n: number) => `${' '.repeat(n % 7)}, `],
  ])('a run of more empty rows than a table has is left out between rows too, and told: %s', (_, rowOf) => {
    const long = 'name '.repeat(200).trim();
    const empty = (count: number) => Array.from({ length: count }, (_, n) => `${rowOf(n)}\n`).join('');
    const reading = readBoth('csv', `a,${long}\n1,2\n${empty(120_000)}3,4\n${empty(3)}5,6\n${empty(20_000)}`);

    expect(cellsOf(reading)).toHaveLength(6);
    expect(cellsOf(reading).filter(([, last]) => last?.trim() !== '""' && last !== '" "')).toEqual([
      ['"1"', '"2"'],
      ['"3"', '"4"'],
      ['"5"', '"6"'],
    ]);
    expect(reading.warnings).toMatchObject([
      {
        code: 'rows_empty',
        message: '20000 rows at the end of the file have no content; they were left out.',
      },
      { code: 'rows_empty_between', message: expect.stringContaining('120000 rows have no content') },
    ]);
  });

  it.each([
    ['of spaces', ' , \n , \n'],
    ['of quoted cells', '"",""\n,\n'],
    ['of one cell', '   \n\t\n'],
    ['with the mark of DOS', '\u001a'],
    ['of breaks', '"\n","\r\n"\n,\n'],
  ])('the empty end of a file is left out and counted: rows %s', (_, end) => {
    const reading = readBoth('csv', `a,b\n1,2\n${end}`);

    expect(cellsOf(reading)).toEqual([['"1"', '"2"']]);
    expect(codesOf(reading)).toEqual(['rows_empty']);
  });

  it('the empty end of a file of JSON is left out and counted: objects without keys, null and blanks', () => {
    const lines = ['{"a":"1","b":null}', '{}', '{"a":null}', '{"a":"","b":" \\n"}', '{"a":NaN}', '{}'];
    const inLines = readBoth('jsonl', lines.join('\n'));
    const inArray = readBoth('json', `[${lines.join(',')}]`);

    for (const reading of [inLines, inArray]) {
      expect(reading.lines).toEqual(['{"a":"1","b":null}']);
      expect(reading.warnings).toContainEqual({
        code: 'rows_empty',
        message: '5 rows at the end of the file have no content; they were left out.',
      });
    }
    expect(readBoth('jsonl', '{"a":""}\n{}\n{"a":1}\n{"a":[]}\n').lines).toEqual([
      '{"a":""}',
      '{}',
      '{"a":1}',
      '{"a":[]}',
    ]);
    expect(readBoth('jsonl', '{"a":1}\n{"a":"","a":null}\n{"a":2,"a":3}\n').lines).toEqual([
      '{"a":1}',
      '{"a":null}',
      '{"a":3}',
    ]);
  });

  it('the empty end of a file is all of a file without content, which is refused', () => {
    expect(() => readFile('csv', 'a,b\n"",""\n , \n')).toThrow('and no rows with content');
    expect(() => readFile('jsonl', '{"a":null}\n{"a":""}\n')).toThrow(
      'None of the 2 rows in the file has content',
    );
  });

  it('the empty end of a spreadsheet is no reason to lose a column that is filled further down', () => {
    const file = `a,b,\n${'1,2,\n'.repeat(20_000)}1,2,3\n`;

    expect(() => readFile('csv', file)).toThrow('name every column in the header');
    expect(namesOf(readBoth('csv', 'a,b,\n1,2,\n1,2,3\n'))).toEqual(['a', 'b', 'column_3']);
  });
});

describe('a file in Windows-1252', () => {
  it.each([
    ['at once', ''],
    ['behind many plain rows', 'plain,plain\n'.repeat(10_000)],
  ])('a file in Windows-1252 is read, with a warning that names it: %s', (_, before) => {
    const file = Buffer.concat([
      Buffer.from(`prompt,completion\n${before}`),
      Buffer.from('Was hei\xdft \x84Stra\xdfe\x93?,Street \x96 or road\n', 'latin1'),
    ]);
    const reading = readBoth('csv', file);

    expect(reading.lines.at(-1)).toBe('{"prompt":"Was heißt „Straße“?","completion":"Street – or road"}');
    expect(reading.warnings).toMatchObject([
      { code: 'encoding_converted', message: expect.stringContaining('Windows-1252') },
    ]);
  });

  it.each([
    [
      'Cyrillic',
      Buffer.from('a,b\n\xcf\xf0\xe8\xe2\xe5\xf2 \xec\xe8\xf0 \xef\xf0\xe8\xe2\xe5\xf2,x\n', 'latin1'),
    ],
    ['Shift JIS', Buffer.from('a,b\n\x82\xb1\x82\xf1\x82\xc9\x82\xbf\x82\xcd\x90\xa2\x8a\x45,x\n', 'latin1')],
    ['UTF-8 that breaks', Buffer.from('a,b\nol\xc3\xa9,x\ncaf\xe9,y\n', 'latin1')],
  ])('Windows-1252 is not what a file in %s is taken for', (_, file) => {
    expect(() => readFile('csv', file)).toThrow('is not valid UTF-8');
  });
});

describe('a file in GB18030', () => {
  /** 请解释这些词语，谢谢：中国的首都是北京。 */
  const chinese = 'c7ebbde2cacdd5e2d0a9b4cad3efa3acd0bbd0bba3bad6d0b9fab5c4cad7b6bccac7b1b1bea9a1a3';

  it.each([
    ['at once', ''],
    ['behind many plain rows', 'plain,plain\n'.repeat(10_000)],
  ])('a file in GB18030 is read, with a warning that names it: %s', (_, before) => {
    const file = Buffer.concat([
      Buffer.from(`prompt,completion\n${before}`),
      Buffer.from(chinese, 'hex'),
      Buffer.from(',"ok"\n'),
    ]);
    const reading = readBoth('csv', file);

    expect(reading.lines.at(-1)).toBe(
      '{"prompt":"请解释这些词语，谢谢：中国的首都是北京。","completion":"ok"}',
    );
    expect(reading.warnings).toMatchObject([
      { code: 'encoding_converted', message: expect.stringContaining('GB18030') },
    ]);
  });

  it('a file in GB18030 is refused where a byte does not decode', () => {
    const file = Buffer.concat([
      Buffer.from('a,b\n'),
      Buffer.from(`${chinese}ff`, 'hex'),
      Buffer.from(',x\n'),
    ]);

    expect(() => readFile('csv', file)).toThrow('holds a broken character');
  });

  it.each([
    ['EUC-KR', 'bec8b3e7c7cfbcbcbfe4b9ddb0a9bdc0b4cfb4d9'],
    ['EUC-JP', 'a4b3a4f3a4cba4c1a4cfc0a4b3a6'],
    ['Big5', 'a7da7ab8d1c4c0b3a8b3a8b0ea7aa4a4b0ea'],
    ['Windows-1251', 'cff0e8e2e5f220ece8f020eff0e8e2e5f2'],
  ])('a file in GB18030 is not what a file in %s is taken for', (_, text) => {
    const file = Buffer.concat([Buffer.from('a,b\n'), Buffer.from(text, 'hex'), Buffer.from(',x\n')]);

    expect(() => readFile('csv', file)).toThrow('is not valid UTF-8');
  });
});

describe('JSON objects one behind another', () => {
  const pretty = (n: number) => JSON.stringify({ q: `${n}`, a: { b: [n] } }, null, 2);
  const wanted = ['{"q":"1","a":{"b":[1]}}', '{"q":"2","a":{"b":[2]}}', '{"q":"3","a":{"b":[3]}}'];

  it.each([
    ['over several lines', 'json', `${[1, 2, 3].map(pretty).join('\n')}\n`],
    ['over several lines', 'jsonl', `${[1, 2, 3].map(pretty).join('\n')}\n`],
    ['with commas between lines', 'jsonl', `${wanted.join(',\n')}\n`],
    ['with a comma behind each line', 'json', wanted.map((line) => `${line},\n`).join('')],
  ] as const)('JSON objects one behind another are rows: %s, announced as %s', (_, announced, file) => {
    const reading = readBoth(announced, file);

    expect(reading.lines).toEqual(wanted);
    expect(codesOf(reading)).toEqual(['format_detected']);
    expect(readTextHeader(announced, Buffer.from(file), true)).toEqual(['q', 'a']);
  });

  it('JSON objects one behind another are refused where the last one is cut off, or something else follows', () => {
    const file = [1, 2].map(pretty).join('\n');

    expect(() => readFile('jsonl', file.slice(0, -3))).toThrow(
      'The file ends inside an object, after 1 whole',
    );
    expect(() => readFile('jsonl', `${file}\n[1]`)).toThrow('is an array, not an object');
  });
});

describe('JSON', () => {
  const rows = ['{"prompt":"a","completion":"b"}', '{"prompt":"c","completion":"d"}'];

  it.each([
    ['lines named json', 'json', `${rows.join('\n')}\n`],
    ['an array named jsonl', 'jsonl', `[${rows.join(',\n')}]\n`],
  ] as const)('JSON is read as what it is: %s', (_, announced, file) => {
    const reading = readBoth(announced, file);

    expect(reading.lines).toEqual(rows.slice(0, reading.lines.length));
    expect(codesOf(reading)).toEqual(['format_detected']);
    expect(readTextHeader(announced, Buffer.from(file), true)).toEqual(['prompt', 'completion']);
  });

  it.each([
    ['at its beginning', `{"version": "1.0", "data": [${rows.join(', ')}]}`, ['version']],
    ['far behind it', `{"data": [${rows.join(',')}], "info": {"x": [1]}, "n": 3}\n`, ['info', 'n']],
  ])('JSON has its rows under one key, and other keys %s', (_, file, others) => {
    const reading = readBoth('json', file);

    expect(reading.lines).toEqual(rows);
    expect(reading.warnings[0]).toEqual({
      code: 'keys_left_out',
      message: `The rows are those under the key "data"; other keys were left out: ${others.map((key) => `"${key}"`).join(', ')}.`,
    });
    expect(readTextHeader('json', Buffer.from(file), true)).toEqual(['prompt', 'completion']);
  });

  it('JSON of many rows under one key is read in a stream', () => {
    const many = Array.from({ length: 5000 }, (_, n) => `{"prompt":"p${n}","completion":"c"}`);
    const reading = readBoth('json', `{"about":"x","rows":[${many.join(',')}],"end":true}`);

    expect(reading.lines).toEqual(many);
    expect(() => readFile('json', `{"train":[${many.join(',')}],"test":[{"prompt":"x"}]}`)).toThrow(
      'The file has rows under several keys: "train", "test".',
    );
  });

  it.each([
    [
      'rows under two keys',
      '{"train": [{"a": 1}], "test": [{"a": 2}]}',
      'rows under several keys: "train", "test"',
    ],
    ['no end behind its rows', '{"data": [{"a": 1}]', 'behind the array under "data"'],
    ['an object alone', '{"a": 1}\n', 'must be an array of objects'],
    ['an object on several lines', '{\n"a": 1\n}', 'must be an array of objects'],
    [
      'one conversation alone',
      '{"messages":[{"role":"user","content":"Hi"}]}',
      'must be an array of objects',
    ],
  ])('JSON with %s is refused', (_, file, message) => {
    expect(() => readFile('json', file)).toThrow(message);
  });

  it('JSON Lines of conversations are rows, whose turns are no rows', () => {
    const line = '{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello"}]}';

    expect(readBoth('json', `${line}\n${line}\n`).lines).toEqual([line, line]);
    expect(readBoth('jsonl', '{"data":[{"a":1}]}\n').lines).toEqual(['{"data":[{"a":1}]}']);
  });

  it('JSON has null where Python wrote NaN or Infinity, with a warning', () => {
    const reading = readBoth(
      'jsonl',
      '{"a":"NaN","n":NaN}\n{"a":"b","n":1.5}\n{"a":"-Infinity, NaN","n":[NaN, {"x": -Infinity}, "NaN"]}\n{"a":"c","n":Infinity}\n',
    );

    expect(reading.lines).toEqual([
      '{"a":"NaN","n":null}',
      '{"a":"b","n":1.5}',
      '{"a":"-Infinity, NaN","n":[null,{"x":null},"NaN"]}',
      '{"a":"c","n":null}',
    ]);
    expect(reading.warnings).toMatchObject([
      { code: 'numbers_not_finite', message: expect.stringMatching(/^3 values are or hold NaN or Infinity/) },
    ]);
    expect(() => readFile('jsonl', '{"a":Nan}\n')).toThrow('expected a JSON value');
  });

  it('JSON has a name for a column whose key is empty', () => {
    const reading = readBoth('jsonl', '{"":"0","a":1}\n{"":"1","a":2,"column_1":3}\n');

    expect(reading.lines).toEqual(['{"column_1":"0","a":1}', '{"column_1":"1","a":2,"column_1_2":3}']);
    expect(codesOf(reading)).toEqual(['columns_renamed']);
    expect(readTextHeader('jsonl', Buffer.from('{"":"0","a":1}\n'), true)).toEqual(['column_1', 'a']);
  });
});

describe('work on a hostile file', () => {
  it('rows of delimiters alone cost no more for a long header', () => {
    const elapsed = startStopwatch();

    expect(() => readFile('csv', `${'n'.repeat(60_000)},b\n1,2\n${',\n'.repeat(200_000)}`)).not.toThrow();
    expect(elapsed()).toBeLessThan(20_000);
  });

  it('a header of a million empty cells is refused in seconds', () => {
    const elapsed = startStopwatch();

    expect(() => readFile('csv', `${','.repeat(1_000_000)}\n1\n`)).toThrow('at most 10000 can be read');
    expect(elapsed()).toBeLessThan(20_000);
  });

  it('columns have different names, whatever the keys are', () => {
    const reading = readBoth('jsonl', '{"column_3_2":1,"x":2,"":3,"column_3":4}\n');

    expect(new Set(namesOf(reading)).size).toBe(4);
    expect(cellsOf(reading)[0]).toEqual(['1', '2', '3', '4']);
  });
});

describe('a row behind rows without content', () => {
  it('a row that is too short is filled, and counted', () => {
    const reading = readBoth('csv', 'a,b\n1,2\n,\n3\n');

    expect(reading.lines.at(-1)).toBe('{"a":"3","b":""}');
    expect(codesOf(reading)).toEqual(['rows_short']);
  });

  it('a row that is too long is refused by its line', () => {
    expect(() => readFile('csv', 'a,b\n1,2\n,\n3,4,x\n')).toThrow(
      'The row that starts at line 4 has 3 cells',
    );
  });
});

describe('files that were joined, marked twice, or named wrongly', () => {
  it('a file whose header comes again has it once, and says so', () => {
    const reading = readBoth('csv', 'q,a\nWhy?,So\nq,a\nWho?,I\n');

    expect(reading.lines).toHaveLength(2);
    expect(codesOf(reading)).toEqual(['header_repeated']);
    // A name that was cleaned is in no row.
    expect(readBoth('csv', 'q,q\nq,q\n').lines).toHaveLength(1);
  });

  it('a file whose header comes again behind a byte order mark has it once', () => {
    const reading = readBoth('csv', '\uFEFFq,a\nWhy?,So\n\uFEFFq,a\nWho?,I\n');

    expect(reading.lines).toHaveLength(2);
    expect(codesOf(reading)).toEqual(['header_repeated']);
    expect(readBoth('csv', 'q,a\nWhy?,So\nxyzq,a\n').lines).toHaveLength(2);
  });

  it('a file with tabs whose quotes are plain characters is told where they take rows for one', () => {
    const file = 'q\ta\n"Hello\ta1\nq2\ta2\nq3 end"\ta3\nq4\ta4\n';
    const reading = readBoth('csv', file);

    expect(reading.warnings).toEqual([
      { code: 'quotes_doubtful', message: expect.stringContaining('in the row that starts at line 2') },
    ]);
    // Code that is indented by tabs, and a text of lines.
    const code = 'q\ta\nWrite it\t"def f():\n\tx = 1\n\treturn x"\nSay it\t"one\ntwo"\n';
    expect(codesOf(readBoth('csv', code))).toEqual([]);
  });

  it.each(['\uFEFF', '\uFEFF\uFEFF'])(
    'a file may begin with the byte order mark more than once (%#)',
    (mark) => {
      expect(namesOf(readFile('csv', `${mark}q,a\nWhy?,So\n`))).toEqual(['q', 'a']);
    },
  );

  it.each([
    '{"q": "Why?", "a": "So"}\n{"q": "Who?", "a": "I"}\n',
    '[{"q": "Why?", "a": "So"}]',
    '[\n  {\n    "q": "Why?"\n  }\n]\n',
  ])('a file of JSON that was announced as CSV is refused, with what to do: %j', (file) => {
    expect(() => readFile('csv', file)).toThrow('The file holds JSON');
    expect(() => readTextHeader('csv', Buffer.from(file), true)).toThrow('The file holds JSON');
  });

  it('a file of lines that is a table as pandas writes one has its rows; an object with such members is a row', () => {
    const table = '{"q":{"0":"Why?","1":"Who?"},"a":{"0":"So","1":"I"}}';

    expect(cellsOf(readBoth('jsonl', table))).toEqual([
      ['"Why?"', '"So"'],
      ['"Who?"', '"I"'],
    ]);
    expect(readTextHeader('jsonl', Buffer.from(table), true)).toEqual(['q', 'a']);
    expect(readBoth('jsonl', `${table}\n${table}`).lines).toHaveLength(2);
    expect(readBoth('jsonl', '{"q":{"0":"Why?"},"a":{"0":"So"}}').lines).toHaveLength(1);
  });

  it('a pointer of Git LFS is named, and no table', () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n';
    expect(() => readFile('csv', pointer)).toThrow('a pointer of Git LFS');
  });
});
