import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeCsv } from '#shared/tabular/decide/csv-writer.ts';
import { adaptedColumns, type ExportColumn, sourceColumns } from '#shared/tabular/decide/export-columns.ts';
import { joinRows, type RowsToJoin } from '#shared/tabular/decide/join-rows.ts';
import { writeJson } from '#shared/tabular/decide/json-writer.ts';
import { LineCursor } from '#shared/tabular/decide/line-cursor.ts';
import { awkwardText, cellsOf, collect, cutOffsets, readFile, stream } from './harness.ts';

const text = (name: string) => ({ name, type: 'VARCHAR' });

/** The same bytes in other pieces. */
function cut(body: string, offsets: readonly number[]): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(body);
  const at = [...new Set(offsets.filter((offset) => offset < bytes.length)), bytes.length].sort(
    (a, b) => a - b,
  );
  return stream(...at.map((end, index) => bytes.subarray(at[index - 1] ?? 0, end)));
}

describe('csv', () => {
  const table = fc.integer({ min: 1, max: 4 }).chain((width) =>
    fc.record({
      header: fc.uniqueArray(
        awkwardText.filter((name) => name !== ''),
        { minLength: width, maxLength: width },
      ),
      // Rows without content at the end would be left out.
      rows: fc
        .array(fc.array(awkwardText, { minLength: width, maxLength: width }), { maxLength: 15 })
        .map((rows) => [...rows, Array.from({ length: width }, () => 'end')]),
    }),
  );

  it('csv written from any table of strings reads back cell for cell, however its bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(table, cutOffsets, cutOffsets, async ({ header, rows }, blockCuts, fileCuts) => {
        const lines = rows
          .map(
            (row) => `{${row.map((cell, at) => `${JSON.stringify(header[at])}:${JSON.stringify(cell)}`)}}\n`,
          )
          .join('');
        const columns = header.map(text);

        const csv = await collect(writeCsv(columns, cut(lines, blockCuts)));
        const reading = readFile('csv', csv, fileCuts);

        expect(reading.columns).toEqual(columns);
        expect(cellsOf(reading)).toEqual(rows.map((row) => row.map((cell) => JSON.stringify(cell))));
        // A name may look like a comment or a sentence.
        expect(reading.warnings.filter(({ code }) => code !== 'header_doubtful')).toEqual([]);
      }),
      {
        numRuns: 300,
        // Cut at tabs instead of commas this would be a header of three columns and nothing else.
        examples: [[{ header: ['007', '\t'], rows: [['', '\t;']] }, [], []]],
      },
    );
  });

  it.each([
    ['plain text', '"a b"', 'a b'],
    ['leading zeros', '"007"', '007'],
    ['a formula', '"=1+1"', '=1+1'],
    ['a comma', '"a,b"', '"a,b"'],
    ['a semicolon, which a reader may take for the delimiter', '"a;b"', '"a;b"'],
    ['a quote', '"a\\"b"', '"a""b"'],
    ['a line break', '"a\\nb"', '"a\nb"'],
    ['a line break as a number', '"a\\u000Ab\\u00e9"', '"a\nbé"'],
    ['a backslash and a slash', '"a\\\\n\\/"', 'a\\n/'],
    ['a surrogate pair', '"\\ud83d\\ude00"', '😀'],
    ['a lone surrogate', '"x\\ud83d"', 'x\ufffd'],
    ['a long integer', '12345678901234567890', '12345678901234567890'],
    ['a number', '1.0', '1.0'],
    ['a boolean', 'false', 'false'],
    ['an object', '{"a":"x\\"y"}', '"{""a"":""x\\""y""}"'],
    ['an array', '[1]', '[1]'],
  ])('csv holds %s as it should', async (_, raw, cell) => {
    const csv = await collect(writeCsv([text('a'), text('b')], stream(Buffer.from(`{"b":${raw}}\n`))));

    expect(csv).toBe(`a,b\n,${cell}\n`);
  });

  it.each(['""', 'null'])('csv holds a row of empty cells as a row: %s', async (raw) => {
    const csv = await collect(writeCsv([text('a'), text('b')], stream(Buffer.from(`{"b":${raw}}\n`))));

    expect(csv).toBe('a,b\n"",\n');
  });

  it('csv holds a row of a single empty cell as a row', async () => {
    const csv = await collect(writeCsv([text('a')], stream(Buffer.from('{"a":""}\n{}\n{"a":"x"}\n'))));

    expect(csv).toBe('a\n""\n""\nx\n');
  });
});

it('json is one array of the same objects', async () => {
  const rows = ['{"a":12345678901234567890,"b":[1.0]}', '{}', '{"b":"x\\n"}'];

  const json = await collect(writeJson(cut(`${rows.join('\n')}\n`, [3, 9, 40])));

  expect(json).toBe(`[\n${rows.join(',\n')}\n]\n`);
  expect(readFile('json', json).lines).toEqual(rows);
});

it('json of no rows is an empty array', async () => {
  expect(await collect(writeJson(stream<Buffer>()))).toBe('[]\n');
});

describe('joining', () => {
  const source = ['{"q":"one","n":1.0}', '{"q":"two"}', '{"n":3,"q":null}', '{"q":"four","n":4}'];
  const columns: ExportColumn[] = [
    { ...text('q'), source: 'q' },
    { ...text('enhanced'), result: 'enhanced', source: 'q' },
    { name: 'n', type: 'JSON', source: 'n' },
    { ...text('note'), result: 'note' },
  ];
  const join = async (options: Partial<RowsToJoin>) => {
    const joined = await collect(
      joinRows({
        columns,
        source: cut(`${source.join('\n')}\n`, [5, 30]),
        withoutResult: 'keep',
        ...options,
      }),
    );
    return joined.split('\n').slice(0, -1);
  };

  it('joining puts the columns in their order, leaves missing source cells missing, fills added ones with null, and keeps cells as they stand', async () => {
    expect(await join({})).toEqual([
      '{"q":"one","enhanced":"one","n":1.0,"note":null}',
      '{"q":"two","enhanced":"two","note":null}',
      '{"q":null,"enhanced":null,"n":3,"note":null}',
      '{"q":"four","enhanced":"four","n":4,"note":null}',
    ]);
  });

  it('joining takes cells of a row from its result where it has them, and leaves out dropped rows', async () => {
    const results = [
      '{"row":0,"outcome":"changed","cells":{"note":"\\u00e9","enhanced":"One."},"calls":1}',
      '{"outcome":"dropped","row":1,"reason":{"code":"duplicate"}}',
      '{"row":2,"outcome":"failed"}',
      '{"row":3,"outcome":"kept","cells":{"enhanced":null}}',
    ];

    expect(await join({ results: cut(results.join('\n'), [10, 90, 91, 150]) })).toEqual([
      '{"q":"one","enhanced":"One.","n":1.0,"note":"\\u00e9"}',
      '{"q":null,"enhanced":null,"n":3,"note":null}',
      '{"q":"four","enhanced":null,"n":4,"note":null}',
    ]);
  });

  it('joining keeps or leaves out the rows that a run has not reached, and those that failed', async () => {
    const lines = [
      '{"row":1,"outcome":"changed","cells":{"enhanced":"Two."}}',
      '{"row":2,"outcome":"failed"}',
    ];
    const results = () => stream(Buffer.from(`${lines.join('\n')}\n`));

    expect(await join({ results: results(), withoutResult: 'omit' })).toEqual([
      '{"q":"two","enhanced":"Two.","note":null}',
    ]);
    expect(await join({ results: results(), withoutResult: 'keep' })).toEqual([
      '{"q":"one","enhanced":"one","n":1.0,"note":null}',
      '{"q":"two","enhanced":"Two.","note":null}',
      '{"q":null,"enhanced":null,"n":3,"note":null}',
      '{"q":"four","enhanced":"four","n":4,"note":null}',
    ]);
  });

  it.each([
    ['out of order', [1, 0], 'result rows are not in order: 0 follows 1'],
    ['twice', [1, 1], 'result rows are not in order: 1 follows 1'],
    ['that does not exist', [3, 4], 'a result names row 4, which the source does not have'],
    ['far beyond the last', [90], 'a result names row 90, which the source does not have'],
  ])('joining fails on a result row %s', async (_, rows, message) => {
    const results = rows.map((row) => `{"row":${row},"outcome":"kept"}\n`).join('');

    await expect(join({ results: stream(Buffer.from(results)) })).rejects.toThrow(message);
  });

  it('joining the first rows of a source leaves out what results say of the others', async () => {
    const results = stream(Buffer.from([0, 1, 3].map((row) => `{"row":${row},"outcome":"kept"}\n`).join('')));
    const first = stream(Buffer.from(`${source.slice(0, 2).join('\n')}\n`));

    expect(await join({ source: first, results, rowsMax: 2 })).toHaveLength(2);
  });

  it('joining closes its sources when its reader stops', async () => {
    let closed = false;
    const endless = async function* () {
      try {
        for (;;) yield Buffer.from(`${'{"q":"x"}\n'.repeat(200_000)}`);
      } finally {
        closed = true;
      }
    };

    for await (const _ of joinRows({ columns, source: endless(), withoutResult: 'keep' })) break;

    expect(closed).toBe(true);
  });
});

describe('the columns of an adapted download', () => {
  const columns = ['id', 'answer', 'question', 'topic'].map(text);
  const names = (exported: ExportColumn[]) => exported.map(({ name }) => name);
  const plain = { reasoningTrace: false, preferencePairs: false };

  it('the columns of an adapted download are the mapped ones, the enhanced ones, the others, and the safety issues', () => {
    expect(names(adaptedColumns({ prompt: 'question', completion: 'answer' }, columns, plain))).toEqual([
      'question',
      'answer',
      'enhanced_prompt',
      'enhanced_completion',
      'id',
      'topic',
      'prompt_safety_issues',
      'response_safety_issues',
    ]);
  });

  it('the columns of an adapted download have the reasoning trace and the preference pair after the enhanced ones when asked for', () => {
    const added = { reasoningTrace: true, preferencePairs: true };

    expect(names(adaptedColumns({ prompt: 'question' }, columns, added))).toEqual([
      'question',
      'enhanced_prompt',
      'enhanced_completion',
      'reasoning_trace',
      'chosen',
      'rejected',
      'id',
      'answer',
      'topic',
      'prompt_safety_issues',
      'response_safety_issues',
    ]);
  });

  it('the columns of an adapted download begin with the conversation of a chat, and fall back on no column for what is made of it', () => {
    const exported = adaptedColumns({ chat: 'topic' }, columns, plain);

    expect(names(exported).slice(0, 4)).toEqual(['topic', 'enhanced_prompt', 'enhanced_completion', 'id']);
    expect(exported[1]).toEqual({ ...text('enhanced_prompt'), result: 'enhanced_prompt' });
  });

  it('the columns of an adapted download have each column once, whatever it is mapped as', () => {
    const mapping = {
      prompt: 'question',
      completion: 'answer',
      context: ['question', 'topic'],
      image: 'topic',
    };
    const exported = adaptedColumns(mapping, columns, { ...plain, originalImage: () => 'null' });

    expect(names(exported)).toEqual([...new Set(names(exported))]);
    expect(names(exported).filter((name) => name === 'topic')).toHaveLength(1);
  });

  it('the columns of an adapted download have original_image where the mapped image is context, and else not', () => {
    const originalImage = () => 'null';
    const mapping = { prompt: 'question', image: 'topic' };
    const withImages = (context: string[]) =>
      adaptedColumns({ ...mapping, context }, columns, { ...plain, originalImage });

    expect(withImages(['topic']).at(-3)).toEqual({
      ...text('original_image'),
      source: 'topic',
      convert: originalImage,
    });
    expect(names(withImages(['id']))).not.toContain('original_image');
    expect(names(adaptedColumns({ prompt: 'question' }, columns, { ...plain, originalImage }))).not.toContain(
      'original_image',
    );
  });

  it('show the original where a row has no enhanced text, if there is one', () => {
    const [, prompt, completion] = adaptedColumns({ prompt: 'question' }, columns, plain);

    expect(prompt).toEqual({ ...text('enhanced_prompt'), result: 'enhanced_prompt', source: 'question' });
    expect(completion).toEqual({ ...text('enhanced_completion'), result: 'enhanced_completion' });
  });

  it('the columns of an adapted download keep a source column that has the name of an added one under another name', () => {
    const readapted = ['enhanced_prompt', 'original_enhanced_prompt', 'chosen'].map(text);

    const exported = adaptedColumns({ prompt: 'enhanced_prompt' }, readapted, plain);

    expect(exported[0]).toEqual({ ...text('original_enhanced_prompt_2'), source: 'enhanced_prompt' });
    expect(exported[1]).toEqual({
      ...text('enhanced_prompt'),
      result: 'enhanced_prompt',
      source: 'enhanced_prompt',
    });
    expect(names(exported).slice(3, 5)).toEqual(['original_enhanced_prompt', 'chosen']);
  });

  it.each([
    ['of an upload under another name, which explains other answers', [], ['original_reasoning_trace']],
    ['of an upload that is context', ['reasoning_trace'], ['reasoning_trace']],
  ])('the columns of an adapted download without reasoning have that %s', (_, context, found) => {
    const uploaded = ['question', 'reasoning_trace'].map(text);
    const exported = adaptedColumns({ prompt: 'question', context }, uploaded, plain);

    expect(names(exported).filter((name) => name.includes('reasoning'))).toEqual(found);
  });

  it('the columns of an adapted download keep the types of source columns', () => {
    const [id] = sourceColumns([{ name: 'id', type: 'BIGINT' }]);

    expect(id).toEqual({ name: 'id', type: 'BIGINT', source: 'id' });
  });
});

it('lines are the same however a stream is cut, with and without a last break', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.stringMatching(/^[a-zé]{1,6}$/), { maxLength: 8 }),
      fc.boolean(),
      cutOffsets,
      async (lines, endsWithBreak, cuts) => {
        const cursor = new LineCursor(
          cut(
            lines.join('\n') + (endsWithBreak ? '\n' : ''),
            cuts.map((at) => at % 40),
          ),
        );
        const read: string[] = [];
        while (cursor.step() || (await cursor.fill())) {
          read.push(cursor.bytes.toString('utf8', cursor.start, cursor.end));
        }

        expect(read).toEqual(lines);
      },
    ),
    { numRuns: 300 },
  );
});
