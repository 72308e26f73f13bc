import { expect, test } from 'vitest';
import { ColumnProfiler, PROFILED_COLUMNS_MAX } from '#shared/tabular/decide/column-profiler.ts';
import { toolsColumn } from '#shared/tabular/decide/forms/tool-calls.ts';
import type { ColumnProfile } from '#shared/tabular/schema/rows-manifest.ts';
import { GIF, PNG } from '#test/helpers/images.ts';

const chat = (...contents: string[]) => contents.map((content) => ({ role: 'user', content }));

/** The profile of one column, whose rows have these cells; undefined leaves the cell out. Chunks have three rows. */
function profileOf(cells: readonly unknown[], name = 'c'): ColumnProfile | undefined {
  const profiler = new ColumnProfiler();
  for (let first = 0; first < cells.length; first += 3) {
    const rows = cells.slice(first, first + 3);
    const body = Buffer.from(
      rows.map((cell, row) => `${JSON.stringify({ n: first + row, [name]: cell })}\n`).join(''),
    );
    profiler.look([{ body, firstRow: first, rowCount: rows.length }], ['n', name]);
  }
  return profiler.profiled([{ name, type: 'VARCHAR' }])[0]?.profile;
}

const profile = (...cells: unknown[]) => profileOf(cells);

test('a column of conversations may hold them nested or as JSON text, and nothing in some rows', () => {
  const cells = [
    chat('hi'),
    JSON.stringify(chat('a', 'b')),
    '',
    null,
    undefined,
    ` ${JSON.stringify(chat('c'))}`,
  ];

  expect(profileOf(cells)).toEqual({ is_empty: false, cells: 3, not_chat: null, image_format: null });
});

test.each<[string, readonly unknown[], true | undefined]>([
  ['history', [[['q', 'a']], [], null, JSON.stringify(chat('q'))], undefined],
  ['history', [[], ['Alien', 'Blade Runner'], [], ['Heat']], true],
  ['history', ['closed', 'paid late'], true],
  ['history', [[], ''], undefined],
  ['tools', [[{ name: 'find' }], [], null], undefined],
  ['tools', [null, ['oven', 'pan'], JSON.stringify(['pan'])], true],
  ['functions', [['oven'], [{ name: 'find' }], [{ name: 'find' }]], undefined],
  ['functions', [['heart', 'lung']], true],
  ['tools', ['hammer and saw', '', 'oven'], true],
  ['tools', ['no tool here', 'nor here', [{ name: 'find' }]], undefined],
  ['tools', ['None', 'null', '[ ]', []], undefined],
  ['other', [['oven', 'pan']], undefined],
])('a column %s of %j is unlike its name: %s', (name, cells, expected) => {
  expect(profileOf(cells, name)?.unlike_name).toBe(expected);
});

test.each([null, '', 'none', '[]', [], 'web_search', 'a hammer', ['oven']])(
  'the column of tools is the one that has some, whatever the other says: %j',
  (cell) => {
    const tools = [{ name: 'find' }];
    const of = (name: string, ...cells: unknown[]) => ({
      name,
      type: 'JSON',
      profile: profileOf(cells, name),
    });
    const isFree = () => true;

    expect(toolsColumn([of('tools', cell), of('functions', tools)], isFree)).toBe('functions');
    expect(toolsColumn([of('tools', tools), of('functions', cell)], isFree)).toBe('tools');
    expect(toolsColumn([of('tools', tools), of('functions', tools)], isFree)).toBe('tools');
    expect(toolsColumn([of('tools', cell, tools), of('functions', cell)], isFree)).toBe('tools');
  },
);

test('a column of tools of which nothing is known is one, for rows that follow may have some', () => {
  const unknown = [
    { name: 'tools', type: 'JSON', profile: profileOf([[], null], 'tools') },
    { name: 'functions', type: 'JSON', profile: profileOf([null], 'functions') },
  ];

  expect(toolsColumn(unknown, () => true)).toBe('tools');
});

test('a column of conversations is none if half of its cells are none, and the first is named by its row', () => {
  expect(profile(chat('a'), null, chat('b'), 'hello', 'x')?.not_chat).toEqual({
    row: 3,
    problem: 'is not a JSON array of turns',
  });
  expect(profile(chat('a'), [{ role: 'robot', content: 'x' }])?.not_chat).toMatchObject({
    row: 1,
    problem: expect.stringMatching(/turn \(number 1\).*role other than/),
  });
});

test('a column of conversations is one although a few cells of it are none', () => {
  expect(profile(chat('a'), chat('b'), 'hello', chat('c'))?.not_chat).toBeNull();
});

test.each([
  [[], /no turns/],
  [[[]], /is no object/],
  [[{ role: 'user' }], /content/],
  [[{ content: 'x' }], /no role/],
  [7, /not a JSON array/],
  [{ role: 'user', content: 'x' }, /not a JSON array/],
  ['[{"role":"user","content":"cut', /not a JSON array/],
])('a column of conversations does not hold %j', (cell, problem) => {
  expect(profile(cell)?.not_chat?.problem).toMatch(problem);
});

test('a column of conversations that is empty in every row is empty', () => {
  expect(profile('', null, ' ')).toEqual({ is_empty: true, not_chat: null, image_format: null });
});

test.each([
  ['embedded_bytes', { bytes: PNG, path: null }],
  ['embedded_bytes', JSON.stringify({ bytes: GIF, path: 'a.gif' })],
  ['embedded_bytes', `data:image/png;base64,${PNG}`],
  ['embedded_bytes', PNG],
  ['url', 'https://example.com/a/cat.JPG?size=2'],
  ['file_reference', 'images/cat.png'],
  ['file_reference', { bytes: null, path: 'cat.webp' }],
  ['file_reference', 's3://elsewhere/cat.png'],
])('a column of images is told as %s by %j', (format, cell) => {
  expect(profile(cell, '', cell)?.image_format).toBe(format);
});

test.each([
  ['a link to a page', 'https://example.com/about'],
  ['a sentence that names a file', 'Look at this:\ncat.png'],
  ['prose', 'A cat sits on a mat and looks at you, which is nice.'],
  ['base64 of something else', Buffer.from('x'.repeat(99)).toString('base64')],
  ['an object of another kind', { name: 'cat.png' }],
  ['bytes that are no image', { bytes: Buffer.from('hello').toString('base64'), path: null }],
  ['a number', 12],
  ['a list', ['cat.png']],
])('a column of images is not told by %s', (_, cell) => {
  expect(profile(cell, cell)?.image_format).toBeNull();
});

test.each([
  ['url', 'https://cdn.example.com/images/12'],
  ['url', 'https://img.example.com/get?file=photo.jpg&sig=abc'],
  ['file_reference', { bytes: null, path: 'images/12' }],
])('a column of images is none of its own accord, and can be mapped as %s, by %j', (format, cell) => {
  expect(profile(cell, '', cell)).toMatchObject({ image_format: null, mapped_image_format: format });
  expect(profile(cell, 'n/a', 'none')).not.toHaveProperty('mapped_image_format');
});

test('a column of images stays one where a few rows hold something else, and is none where most do', () => {
  expect(profile(PNG, 'n/a', PNG)?.image_format).toBe('embedded_bytes');
  expect(profile(PNG, 'n/a', 'none')?.image_format).toBeNull();
});

test('a column of images is told by its first hundred cells that hold something, wherever they begin', () => {
  const empty = new Array<null>(400).fill(null);

  expect(
    profileOf([...empty, ...new Array<string>(100).fill(PNG), ...new Array<string>(300).fill('x')]),
  ).toEqual({
    is_empty: false,
    not_chat: { row: 400, problem: 'is not a JSON array of turns' },
    image_format: 'embedded_bytes',
  });
});

test('a column that appears late in the file is looked at too', () => {
  const profiler = new ColumnProfiler();
  const lines = Array.from({ length: 200 }, () => '{"a":"x"}\n').join('');
  profiler.look([{ body: Buffer.from(lines), firstRow: 0, rowCount: 200 }], ['a']);
  profiler.look([{ body: Buffer.from('{"b":"y.png","a":"x"}\n'), firstRow: 200, rowCount: 1 }], ['a', 'b']);

  expect(profiler.profiled([{ name: 'b', type: 'VARCHAR' }])[0]?.profile).toMatchObject({
    image_format: 'file_reference',
  });
});

test('columns beyond those that a record can hold have no profile', () => {
  const names = Array.from({ length: PROFILED_COLUMNS_MAX + 1 }, (_, n) => `c${n}`);
  const line = `${JSON.stringify(Object.fromEntries(names.map((name) => [name, 'x'])))}\n`;
  const profiler = new ColumnProfiler();
  profiler.look([{ body: Buffer.from(line), firstRow: 0, rowCount: 1 }], names);

  const columns = profiler.profiled(names.map((name) => ({ name, type: 'VARCHAR' })));
  expect(columns.filter(({ profile }) => profile !== undefined)).toHaveLength(PROFILED_COLUMNS_MAX);
  expect(columns.at(-1)).toEqual({ name: names.at(-1), type: 'VARCHAR' });
});
