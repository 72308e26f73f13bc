import { expect, test } from 'vitest';
import { handler } from '#functions/api/service/console-asset.ts';
import { call } from '#test/helpers/call.ts';

/** A disk with every file: a name that is refused is refused for what it is. */
const everything = { readConsoleFile: async (name: string) => `content of ${name}` };

test.each([
  ['index-BX2v9yGq.js', 'text/javascript; charset=utf-8'],
  ['index-BX2v9yGq.css', 'text/css; charset=utf-8'],
  ['icon-Dg_XPHfl.svg', 'image/svg+xml; charset=utf-8'],
])('%s is kept by browsers for a year, as %s', async (asset, contentType) => {
  const { status, headers, text } = await call(handler, { params: { asset } }, everything);

  expect([status, headers['content-type'], text]).toEqual([200, contentType, `content of ${asset}`]);
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
});

test.each([
  '../index.mjs',
  'index.mjs',
  'index.html',
  'a.js.map',
  'a/b.js',
  '..js',
  '.js',
  '__proto__',
  'a.toString',
])('a name that no file of the console can have is a 404: %s', async (asset) => {
  const { status, problem } = await call(
    handler,
    { params: { asset: encodeURIComponent(asset) } },
    everything,
  );

  expect([status, problem.code]).toEqual([404, 'route_not_found']);
});

test('a file of an earlier version is a 404', async () => {
  const { status } = await call(
    handler,
    { params: { asset: 'index-gone.js' } },
    { readConsoleFile: async () => null },
  );

  expect(status).toBe(404);
});
