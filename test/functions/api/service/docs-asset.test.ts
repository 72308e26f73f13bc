import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { handler } from '#functions/api/service/docs-asset.ts';
import { docsAssets } from '#shared/service/decide/page.ts';
import { call } from '#test/helpers/call.ts';

test.each(['../create.ts', 'index.mjs', 'swagger-ui.css.map', 'toString', '__proto__'])(
  'anything but a file of the page is a 404: %s',
  async (asset) => {
    const { status, problem } = await call(handler, { params: { asset: encodeURIComponent(asset) } });

    expect([status, problem.code]).toEqual([404, 'route_not_found']);
  },
);

test('every file of the page is one that its package has', async () => {
  for (const asset of docsAssets.keys()) {
    const folder = asset === 'llms.txt' ? 'docs' : 'node_modules/swagger-ui-dist';
    const file = new URL(`../../../../${folder}/${asset}`, import.meta.url);

    expect((await readFile(file)).length).toBeGreaterThan(1000);
  }
});
