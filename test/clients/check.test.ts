import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { repositoryRoot } from '#local/paths.ts';
import { codeBlocks, readPage } from '#test/helpers/pages.ts';
import { type RunOptions, runTunesmith } from '#test/helpers/run-tunesmith.ts';
import { bundleChecker } from '../../clients/typescript/bundle-checker.mjs';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'check-'));
});
afterEach(() => rm(folder, { recursive: true }));

interface Row {
  readonly q: string;
  readonly a: string;
}

const labelled = (n: number): Row => ({
  q: `Is this review positive or negative? I ${n % 2 === 0 ? 'loved' : 'hated'} film ${n}.`,
  a: n % 2 === 0 ? 'positive' : 'negative',
});
const calculated = (n: number): Row => ({
  q: `A box holds ${n + 12} pens. How many pens do 7 boxes hold?`,
  a: `Each box holds ${n + 12} pens, so 7 boxes hold 7 * ${n + 12} = ${7 * (n + 12)} pens.`,
});

/** Rows that `make` makes, with other answers at some places. */
const rowsOf = (count: number, make: (n: number) => Row, answers: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: count }, (_, n): Row => ({ ...make(n), ...(n in answers ? { a: answers[n] } : {}) }));

const separated = (rows: readonly Row[], delimiter: string): string =>
  [`q${delimiter}a`, ...rows.map(({ q, a }) => `"${q}"${delimiter}"${a}"`)].join('\n');
const jsonLines = (rows: readonly object[]): string => rows.map((row) => JSON.stringify(row)).join('\n');

async function save(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

/** Without an address of a service, without a key, and beside a service that has no routes. */
const run = (argv: readonly string[], options: Partial<RunOptions> = {}) =>
  runTunesmith(['check', ...argv], {}, { stateFolder: join(folder, 'state'), ...options });

const COLUMNS = ['--prompt', 'q', '--completion', 'a'] as const;
const TICKETS = ['--prompt', 'ticket', '--completion', 'team'] as const;

async function report(argv: readonly string[]) {
  const { out, code, error } = await run([...argv, '--json']);
  expect(code, error).toBe(0);
  return JSON.parse(out);
}

describe('tunesmith check', () => {
  const rows = [...rowsOf(60, labelled)];
  test.each([
    ['rows.csv', separated(rows, ',')],
    ['rows.tsv', separated(rows, '\t')],
    ['rows.jsonl', jsonLines(rows)],
    ['rows.ndjson', jsonLines(rows)],
    ['rows.json', JSON.stringify(rows)],
  ])('tunesmith check leaves the right rows of %s as they are', async (name, text) => {
    expect(await report([await save(name, text), ...COLUMNS])).toEqual({
      ...{ rows: 60, kept: 60, changed: 0, doubted: 0, empty: 0, skipped: 0 },
      ...{ empty_rows: [], skipped_rows: [], checks: [], touched: [], warnings: [] },
    });
  });

  test('tunesmith check shows a label that is not written as the others, and what it becomes', async () => {
    const path = await save('rows.csv', separated(rowsOf(60, labelled, { 8: 'Positive.' }), ','));

    const { code, out } = await run([path, ...COLUMNS]);

    expect(code).toBe(0);
    expect(out.split('\n')[0]).toBe(
      '60 rows: 59 stay as they are, 1 changes without a model, 0 have a visible defect.',
    );
    expect(out).toContain('is not written as the other rows write it        1       0\n');
    expect(out).toContain(
      [
        'rows.csv, row 8 changes: the answer is not written as the other rows write it: positive',
        '  prompt      Is this review positive or negative? I loved film 8.',
        '  completion  Positive.',
        '  becomes     positive',
      ].join('\n'),
    );
  });

  test('tunesmith check finds a defect in a false equation, says why, and says what it does not know', async () => {
    const path = await save(
      'rows.jsonl',
      jsonLines(rowsOf(60, calculated, { 8: 'Each box holds 20 pens, so that is 7 * 20 = 150 pens.' })),
    );

    const { out } = await run([path, ...COLUMNS]);

    expect(out.split('\n')[0]).toBe(
      '60 rows: 59 stay as they are, 0 change without a model, 1 has a visible defect, and a model is asked about it.',
    );
    expect(out).toContain('The answer …        Changed  Defect\ncalculates wrongly        0       1\n');
    expect(out).toContain('row 8 has a defect: the answer calculates wrongly: 7 * 20 is not 150\n');
    expect(out).toContain('nothing of what a model would answer');
    expect(await report([path, ...COLUMNS])).toMatchObject({
      ...{ rows: 60, kept: 59, changed: 0, doubted: 1 },
      checks: [{ check: 'calculates wrongly', defect: 'doubtful', changed: 0, doubted: 1 }],
      touched: [
        { file: 'rows.jsonl', row: 8, outcome: 'doubted', defect: 'doubtful', becomes: null, fallback: null },
      ],
    });
  });

  test('counts and lists rows without a completion or a prompt on their own', async () => {
    const rows = [...rowsOf(20, calculated, { 3: '' }), { q: '', a: 'An answer to nothing.' }];
    const path = await save('rows.jsonl', jsonLines(rows));

    const { out } = await run([path, ...COLUMNS]);

    expect(out.split('\n')[0]).toBe(
      '21 rows: 19 stay as they are, 0 change without a model, 0 have a visible defect, 1 is empty, and a model writes it, 1 has no prompt or no conversation, and stays as it is.',
    );
    expect(out).toContain('\nEmpty rows: 3\n\nRows without a prompt or a conversation: 20\n');
    expect(await report([path, ...COLUMNS])).toMatchObject({
      empty_rows: [{ file: 'rows.jsonl', row: 3 }],
      skipped_rows: [{ file: 'rows.jsonl', row: 20 }],
    });
  });

  test('tunesmith check shows the numbers of 20 empty rows with their files', async () => {
    const none = (n: number): Row => ({ ...calculated(n), a: '' });
    const first = await save('a.jsonl', jsonLines([...rowsOf(6, calculated), ...rowsOf(2, none)]));
    const second = await save('b.jsonl', jsonLines([...rowsOf(6, calculated), ...rowsOf(30, none)]));

    const { out } = await run([first, second, ...COLUMNS]);

    const shown = Array.from({ length: 18 }, (_, n) => n + 6).join(', ');
    expect(out).toContain(`\nEmpty rows: a.jsonl 6, 7; b.jsonl ${shown}, and 12 more\n`);
  });

  test('tunesmith check shows what rules alone make of a row of which a model is asked', async () => {
    const path = join(repositoryRoot, 'examples/data/careless-answers.csv');
    const columns = ['--prompt', 'question', '--completion', 'answer'];

    const { out } = await run([path, ...columns]);

    expect(out.split('\n')[0]).toBe(
      '12 rows: 1 stays as it is, 0 change without a model, 11 have a visible defect, and a model is asked about them.',
    );
    expect(out).toContain(
      [
        'row 1 has a defect: the answer is careless and says next to nothing',
        '  prompt      what does http 404 mean',
        '  completion  its an error that says the page is not there',
        "  without a model's answer: It's an error that says the page is not there.",
      ].join('\n'),
    );
    expect((await report([path, ...columns])).touched[1]).toMatchObject({
      becomes: null,
      fallback: "It's an error that says the page is not there.",
    });
  });

  test('tunesmith check says that fewer than six answers show no form of their column', async () => {
    const first = await save('a.csv', separated(rowsOf(6, calculated), ','));
    const second = await save('b.csv', separated(rowsOf(6, calculated, { 2: '' }), ','));
    const message =
      '"b.csv" has fewer than 6 rows with an answer. So few show no form of their column, so that a demand of a prompt is not held against them.';

    expect((await run([first, second, ...COLUMNS])).out).toContain(`Note: ${message}\n`);
    expect((await report([first, second, ...COLUMNS])).warnings).toEqual([{ code: 'answers_few', message }]);
  });

  test('tunesmith check names files of the same name by their paths', async () => {
    await mkdir(join(folder, 'other'));
    const first = await save('a.csv', separated(rowsOf(30, calculated), ','));
    const second = await save(
      'other/a.csv',
      separated(rowsOf(30, calculated, { 2: 'It is 7 * 14 = 99.' }), ','),
    );

    expect((await report([first, second, ...COLUMNS])).touched).toMatchObject([{ file: second, row: 2 }]);
  });

  test('tunesmith check tells with --help what it reads, how it ends, and an example', async () => {
    const { code, out } = await run(['--help']);

    expect(code).toBe(0);
    expect(out).toContain('Usage: tunesmith check <file...> [options]');
    for (const part of ['.ndjson', '--json', '130 interrupted', 'tunesmith check rows.csv --prompt question'])
      expect(out).toContain(part);
  });

  test('tunesmith check reads the last reply of a conversation', async () => {
    const rows = rowsOf(20, calculated, { 4: 'That is 7 * 16 = 113 pens.' }).map(({ q, a }) => ({
      talk: [
        { role: 'user', content: q },
        { role: 'assistant', content: a },
      ],
    }));
    const path = await save('rows.jsonl', jsonLines(rows));

    expect(await report([path, '--chat', 'talk'])).toMatchObject({
      ...{ rows: 20, doubted: 1 },
      touched: [{ row: 4, prompt: calculated(4).q, completion: 'That is 7 * 16 = 113 pens.' }],
    });
  });

  test('tunesmith check holds an answer against its columns of context', async () => {
    const translated = Array.from({ length: 20 }, (_, n) => ({
      q: 'Translate the text to German.',
      text: `The house has ${n + 20} rooms and a garden behind it.`,
      a: `Das Haus hat ${n === 5 ? 99 : n + 20} Zimmer und einen Garten dahinter.`,
    }));
    const path = await save('rows.jsonl', jsonLines(translated));

    expect((await report([path, ...COLUMNS])).doubted).toBe(0);
    expect(await report([path, ...COLUMNS, '--context', 'text'])).toMatchObject({
      doubted: 1,
      touched: [{ row: 5, why: 'has 99 where the text has 25' }],
    });
  });

  test('tunesmith check counts the rows of each of several files from 0', async () => {
    const first = await save('a.csv', separated(rowsOf(30, calculated), ','));
    const second = await save('b.csv', separated(rowsOf(30, calculated, { 2: 'It is 7 * 14 = 99.' }), ','));

    expect(await report([first, second, ...COLUMNS])).toMatchObject({
      rows: 60,
      touched: [{ file: 'b.csv', row: 2 }],
    });
  });

  test('tunesmith check learns the labels of each chunk of rows, as the service does', async () => {
    const capital = (n: number): Row => ({ ...labelled(n), a: n % 2 === 0 ? 'Positive' : 'Negative' });
    const rows = [...rowsOf(1000, labelled), ...rowsOf(1000, capital, { 4: 'POSITIVE' })];
    const path = await save('rows.csv', separated(rows, ','));

    expect(await report([path, ...COLUMNS])).toMatchObject({
      changed: 1,
      touched: [{ row: 1004, completion: 'POSITIVE', becomes: 'Positive' }],
    });
  });

  test('tunesmith check shows 20 touched rows with some of every check, or all of them', async () => {
    const result = (n: number): number => 7 * (n + 12) + (n % 2);
    const halfWrong = (n: number): Row => ({ ...calculated(n), a: `It is 7 * ${n + 12} = ${result(n)}.` });
    const rows = [
      ...rowsOf(120, halfWrong),
      { q: 'Why is the sky blue?', a: 'Light is scattered\uFFFD by air.' },
    ];
    const path = await save('rows.jsonl', jsonLines(rows));

    const some = await report([path, ...COLUMNS]);
    expect(some.touched).toHaveLength(20);
    expect(some.touched.at(-1)).toMatchObject({ row: 120, defect: 'degenerate' });
    expect((await run([path, ...COLUMNS])).out).toMatch(/\n41 more rows: --all shows all of them\.\n$/);
    expect((await report([path, ...COLUMNS, '--all'])).touched).toHaveLength(61);
  });

  test('tunesmith check quotes no characters that steer a terminal', async () => {
    const answer = 'It is 7 * 20 = 150.\u001b[2J\u202e\nBye.';
    const path = await save('rows.jsonl', jsonLines(rowsOf(20, calculated, { 8: answer })));

    const { out } = await run([path, ...COLUMNS]);

    expect(out).toContain('  completion  It is 7 * 20 = 150. [2J Bye.\n');
  });

  test('tunesmith check prints what its documentation shows', async () => {
    const blocks = codeBlocks(readPage('docs/clients.md'), 'text').filter((block) =>
      block.includes('without a model'),
    );
    const path = join(repositoryRoot, 'examples/data/ticket-teams.csv');

    expect([(await run([path, ...TICKETS])).out]).toEqual(blocks.map((block) => `${block.trimEnd()}\n`));
  });

  test('tunesmith check prints the fields that its documentation names, and no others', async () => {
    const path = await save('rows.csv', separated(rowsOf(5, labelled, { 1: '' }), ','));
    const page = readPage('docs/clients.md');
    const [, section = ''] = page.split('`--json` prints one document with these fields:');
    const [fields = ''] = section.split('The exit code is 0');
    const named = new Set([...fields.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name));

    const found = await report([join(repositoryRoot, 'examples/data/ticket-teams.csv'), ...TICKETS]);
    const { warnings } = await report([path, ...COLUMNS]);

    const lists = [found.empty_rows, found.checks, found.touched, warnings].map(([first]) => first);
    expect(named).toEqual(new Set([found, ...lists].flatMap((value) => Object.keys(value))));
  });

  test('tunesmith check calls no service, and needs no key', async () => {
    const path = await save('rows.csv', separated(rowsOf(20, labelled), ','));

    const { code, service } = await run([path, ...COLUMNS], { env: {} });

    expect({ code, calls: service.calls() }).toEqual({ code: 0, calls: [] });
  });

  test('tunesmith check prints one JSON document on standard output and nothing else there', async () => {
    const path = await save('rows.csv', separated(rowsOf(20, labelled), ','));

    const { out, error } = await run([path, ...COLUMNS, '--json']);

    expect(out).toBe(`${JSON.stringify(JSON.parse(out), null, 2)}\n`);
    expect(error).toBe(`Checking ${path}\n`);
  });

  test('tunesmith check that is interrupted ends with 130', async () => {
    const stop = new AbortController();
    stop.abort();

    expect(await run([await save('rows.csv', 'q,a\nwhy,because\n'), ...COLUMNS], { stop })).toMatchObject({
      code: 130,
      error: expect.stringContaining('Interrupted before all rows were checked.'),
    });
  });
});

test('tunesmith check refuses a wrong column, and lists the columns of the file', async () => {
  const path = await save('rows.csv', separated(rowsOf(20, labelled), ','));

  const { code, error, out } = await run([path, '--prompt', 'q', '--completion', 'answer', '--json']);

  expect(code).toBe(2);
  expect(error).toContain('Error: --completion: there is no column "answer". The columns are "q", "a".');
  expect(JSON.parse(out)).toMatchObject({ error: { code: 'column_unknown' } });
});

test.each([
  [['--prompt', 'q'], 'Say which columns hold what'],
  [
    ['--prompt', 'q', '--completion', 'a', '--chat', 'q'],
    '--prompt: cannot be combined with --chat; omit --prompt, --completion or omit --chat\n',
  ],
  [
    ['--prompt', 'q', '--completion', 'q'],
    '--completion: is the column of --prompt; name another one or omit it\n',
  ],
  [['--chat', 'q'], '--chat: row 0 of "q" is not a JSON array of turns'],
])('tunesmith check refuses the columns %j', async (columns, message) => {
  const path = await save('rows.csv', separated(rowsOf(20, labelled), ','));

  expect(await run([path, ...columns])).toMatchObject({ code: 2, error: expect.stringContaining(message) });
});

test.each([
  [
    'rows.parquet',
    'PAR1',
    'check reads .csv, .tsv, .json and .jsonl, also compressed as .gz: convert it, or use `npx tunesmith adapt`',
  ],
  ['rows.xlsx', 'PK', 'check reads .csv, .tsv, .json and .jsonl, also compressed as .gz: convert it'],
  ['rows', '', 'check reads .csv'],
  ['rows.csv', '', '"rows.csv": The file is empty. Give a file with a header and at least one row.'],
  ['rows.csv', 'q,a\n', 'The file has a header of 2 columns and no rows. Give a file with at least one row.'],
  ['rows.csv', 'q,a\nwhy,"because', 'Close the quote, or check the whole file.'],
  ['rows.csv', 'PAR1', 'The file has the name of a csv file, but its first bytes are those of'],
  ['rows.jsonl', '{"q":"why","a":"because"}\n{"q":', '"rows.jsonl": '],
  ['rows.json', '[{"q":"why","a":"because"}', 'It may have been cut off: get the whole file.'],
  ['rows.json', '{"q":"why"}', 'name it .jsonl; if one key holds the rows, save that array alone.'],
  ['rows.json', '[{"q":why}]', 'Correct it and check it again.'],
])('tunesmith check refuses %s with %j', async (name, text, message) => {
  expect(await run([await save(name, text), ...COLUMNS])).toMatchObject({
    code: 1,
    error: expect.stringContaining(message),
  });
});

test('tunesmith check refuses files with other columns, and files that are not there', async () => {
  const first = await save('a.csv', 'q,a\nwhy,because\n');
  const second = await save('b.csv', 'q,b\nwhy,because\n');

  expect(await run([first, second, ...COLUMNS])).toMatchObject({
    code: 1,
    error: expect.stringMatching(
      /"a\.csv" and "b\.csv" do not have the same columns.*Name files with the same columns, or check each by itself\.\n$/,
    ),
  });
  const none = join(folder, 'none.csv');
  expect(await run([none, ...COLUMNS])).toMatchObject({
    code: 1,
    error: `\nError: There is no file ${none}.\n`,
  });
});

test('tunesmith check refuses a folder', async () => {
  expect(await run([folder, ...COLUMNS])).toMatchObject({
    code: 1,
    error: `\nError: ${folder} is a folder: name a file.\n`,
  });
});

test.each([
  [['question'], 1, 'There is no file `question`; quote column names that have spaces.'],
  [['-'], 2, 'Standard input is not read: name a file.'],
  [['https://example.org/rows.csv'], 2, 'Download it first: check reads files.'],
  [[], 2, 'Name at least one file.'],
  [['--context', 'text', 'rows.csv'], 2, 'name the files before --context, or put -- between them.'],
])('tunesmith check refuses the files %j', async (files, code, message) => {
  expect(await run([...COLUMNS, ...files])).toMatchObject({
    code,
    error: expect.stringContaining(message),
  });
});

test('tunesmith check without columns names those of the file, and the options that may be meant', async () => {
  const rows = rowsOf(20, labelled);
  const path = await save('rows.csv', separated(rows, ','));
  const columns = async (text: string) => (await run([await save('other.csv', text)])).error;

  expect(await run([path])).toMatchObject({
    code: 2,
    error: expect.stringContaining(
      'Say which columns hold what: --prompt COLUMN --completion COLUMN, or --chat COLUMN. The columns are "q", "a".',
    ),
  });
  expect(await columns('"bob\'s question",answer\n1,2\n')).toContain(
    `for example --prompt 'bob'\\''s question' --completion answer.`,
  );
  expect(await columns('x,y,z\n1,2,3\n')).toContain('hold what: --prompt COLUMN --completion COLUMN, or');
});

test('tunesmith check takes the columns of a form that it knows, and says so', async () => {
  const alpaca = rowsOf(20, labelled).map(({ q, a }) => ({ instruction: q, output: a }));

  const { rows, warnings } = await report([await save('rows.jsonl', jsonLines(alpaca))]);

  expect(rows).toBe(20);
  expect(warnings).toEqual([
    {
      code: 'form_detected',
      message:
        'The rows have the form of alpaca, and are checked with --prompt instruction --completion output.',
    },
  ]);
});

test('tunesmith check refuses a file that is named twice', async () => {
  const path = await save('rows.csv', separated(rowsOf(20, labelled), ','));
  const again = join(folder, '.', '..', basename(folder), 'rows.csv');

  expect(await run([path, again, ...COLUMNS])).toMatchObject({
    code: 2,
    error: expect.stringContaining('is named twice: name each file once.'),
  });
});

test('tunesmith check refuses a wrong column, and leaves what it quotes as it is', async () => {
  const path = await save('rows.csv', separated(rowsOf(20, labelled), ','));

  expect(await run([path, '--prompt', 'upload', '--completion', 'a'])).toMatchObject({
    code: 2,
    error: expect.stringContaining('--prompt: there is no column "upload".'),
  });
});

describe('the bundle of the checks', () => {
  let bundle: string;
  let built: Awaited<ReturnType<typeof bundleChecker>>;
  beforeAll(async () => {
    bundle = await mkdtemp(join(tmpdir(), 'checker-'));
    built = await bundleChecker(bundle);
  });
  afterAll(() => rm(bundle, { recursive: true }));

  test('the bundle of the checks holds all packages that it uses with their licences, and nothing that reaches a network', async () => {
    const text = await readFile(join(bundle, 'check-files.js'), 'utf8');
    const licences = await readFile(join(bundle, 'THIRD-PARTY-LICENSES.txt'), 'utf8');

    expect(built.imports).toEqual([
      'node:buffer',
      'node:crypto',
      'node:fs',
      'node:timers/promises',
      'node:util',
      'node:zlib',
    ]);
    expect(text).not.toMatch(/\bfetch\(|WebSocket/);
    expect(built.packages).toEqual(expect.arrayContaining(['@lezer/python', 'cldr-core', 'eld', 'zod']));
    for (const name of built.packages) expect(licences).toContain(`\n${name} `);
    expect(built.bytes).toBeLessThan(2_500_000);
  });

  test('the bundle of the checks checks 20,000 rows within a minute and 96 MB of heap', async () => {
    const path = await save('rows.csv', separated(rowsOf(20_000, calculated), ','));
    const script = `
      const { checkFiles } = await import(${JSON.stringify(pathToFileURL(join(bundle, 'check-files.js')).href)});
      const report = await checkFiles({
        files: [{ path: ${JSON.stringify(path)}, name: 'rows.csv', format: 'csv' }],
        mapping: { prompt: 'q', completion: 'a' },
        rowsMax: 20,
        signal: new AbortController().signal,
        onProgress: () => {},
      });
      console.log(JSON.stringify([report.rows, report.kept]));`;

    const { stdout } = await promisify(execFile)(
      process.execPath,
      // The language detector takes 56 MB, whatever the rows are.
      ['--max-old-space-size=96', '--input-type=module', '--eval', script],
      { timeout: 60_000 },
    );

    expect(JSON.parse(stdout)).toEqual([20_000, 20_000]);
  });
});
