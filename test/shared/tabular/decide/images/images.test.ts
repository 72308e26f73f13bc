import { describe, expect, it } from 'vitest';
import { IMAGE_BYTES_MAX, pathBelow, readImageCell } from '#shared/tabular/decide/images/image-cell.ts';
import { loadImage } from '#shared/tabular/decide/images/load-image.ts';
import { originalImage } from '#shared/tabular/decide/images/original-image.ts';
import { GIF, JPEG_HEAD, PNG, WEBP } from '#test/helpers/images.ts';

const files: Record<string, Buffer> = {
  'photos/cat.png': Buffer.from(GIF, 'base64'),
  'a.jpg': Buffer.from('x'),
};
const load = (cell: string | null) =>
  loadImage(
    cell,
    async (path) => files[path] ?? null,
    async () => null,
  );
const object = (bytes: string | null, path: string | null = null) => JSON.stringify({ bytes, path });

it.each([
  ['png', PNG],
  ['gif', GIF],
  ['jpeg', JPEG_HEAD],
  ['webp', WEBP],
])('the image of a row is of the type that its bytes say: %s', async (type, base64) => {
  const expected = `data:image/${type};base64,${base64}`;

  expect(await load(base64)).toBe(expected);
  expect(await load(object(base64, 'named.bmp'))).toBe(expected);
  // What a data URL claims is not believed.
  expect(await load(`data:image/tiff;base64,${base64}`)).toBe(expected);
});

it('the image of a row is a link where the row links to it', async () => {
  expect(await load(' https://example.com/cat?id=7 ')).toBe('https://example.com/cat?id=7');
  expect(await load(object(null, 'https://example.com/cat'))).toBe('https://example.com/cat');
});

it('the image of a row is a file of the dataset where the row names one', async () => {
  expect(await load('./photos/cat.png')).toBe(`data:image/gif;base64,${GIF}`);
  expect(await load(object(null, '/photos/cat.png'))).toBe(`data:image/gif;base64,${GIF}`);
});

it.each([null, '', '  ', 'null', '{}', object(null)])(
  'the image of a row is none where the cell is empty: %j',
  async (cell) => {
    expect(await load(cell)).toBeNull();
  },
);

it.each([
  ['image_missing', 'photos/dog.png'],
  ['image_missing', '../other/cat.png'],
  ['image_missing', 's3://bucket/photos/cat.png'],
  ['image_missing', 'C:\\photos\\cat.png'],
  ['image_invalid', 'no picture'],
  ['image_invalid', 'a.jpg'],
  ['image_invalid', object(Buffer.from('not an image at all').toString('base64'))],
  ['image_invalid', '{"bytes":[1,2,3]}'],
  ['image_invalid', '{"bytes":'],
  [
    'image_too_large',
    object(Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.alloc(IMAGE_BYTES_MAX)]).toString('base64')),
  ],
])('the image of a row fails its row with %s for %j', async (code, cell) => {
  await expect(load(cell)).rejects.toMatchObject({ name: 'AskFailure', code });
});

it('the image of a row may have just as many bytes as are sent', async () => {
  const bytes = Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.alloc(IMAGE_BYTES_MAX)]).subarray(
    0,
    IMAGE_BYTES_MAX,
  );

  expect(await load(bytes.toString('base64'))).toMatch(/^data:image\/png;base64,/);
});

describe('a path', () => {
  it.each([
    ['a/b.png', 'a/b.png'],
    ['/a//b.png', 'a/b.png'],
    ['./a/./b.png', 'a/b.png'],
    ['a\\b.png', 'a/b.png'],
    ['..', null],
    ['a/../../b.png', null],
    ['a\\..\\b.png', null],
    ['file:///etc/a.png', null],
    ['/', null],
  ])('%j stays below its folder as %j', (path, below) => {
    expect(pathBelow(path)).toBe(below);
  });
});

describe('original_image', () => {
  const link = async (path: string) => (path === 'a.png' ? 'https://bucket/a.png?signed' : null);
  const original = async (cell: string | null) => JSON.parse(await originalImage(cell, link)) as unknown;

  it('original_image gives embedded images back as bytes, without a path', async () => {
    const embedded = { bytes: PNG, path: null };

    expect(await original(object(PNG, 'secret/place.png'))).toEqual(embedded);
    expect(await original(`data:image/png;base64,${PNG}`)).toEqual(embedded);
    expect(await original(`${PNG.slice(0, 50)}\n${PNG.slice(50)}`)).toEqual(embedded);
  });

  it('original_image gives links back as they are, and files as links that work for a while', async () => {
    expect(await original('https://example.com/cat.png')).toBe('https://example.com/cat.png');
    expect(await original('a.png')).toBe('https://bucket/a.png?signed');
  });

  it.each([null, '', 'missing.png', 's3://bucket/a.png', 'n/a', '{"bytes":null,"path":null}'])(
    'original_image is null for %j',
    async (cell) => {
      expect(await original(cell)).toBeNull();
    },
  );
});

it('a cell of whatever kind is read without failing', () => {
  for (const cell of [
    '{',
    '[]',
    '{"bytes":{}}',
    'https://',
    'http://[',
    'data:image/png;base64,',
    '.png',
    '\u0000.png',
  ]) {
    expect(() => readImageCell(cell)).not.toThrow();
  }
});
