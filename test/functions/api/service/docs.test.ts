import { expect, test } from 'vitest';
import { docsAssets } from '#shared/domain/docs/page.ts';
import { call } from '#test/helpers/call.ts';
import { handler } from '../../../../functions/api/service/docs.ts';

test('answers anyone a page that needs nothing from another host', async () => {
  const { headers, text } = await call(handler, {});

  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(text).not.toMatch(/(src|href)="?(https?:)?\/\//);
  for (const asset of docsAssets.keys()) expect(text).toContain(`/docs/${asset}`);
});
