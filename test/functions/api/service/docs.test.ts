import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { handler } from '#functions/api/service/docs.ts';
import { docsAssets } from '#shared/service/decide/page.ts';
import { call } from '#test/helpers/call.ts';

test('the page of the documentation answers anyone a page that needs nothing from another host', async () => {
  const { headers, text } = await call(handler, {});

  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(text).not.toMatch(/(src|href)="?(https?:)?\/\//);
  for (const asset of docsAssets.keys()) expect(text).toContain(`/docs/${asset}`);
});

test('the page of the documentation has a policy that lets the browser run its own scripts and ask its own origin alone', async () => {
  const { headers, text } = await call(handler, {});
  const policy = new Map(
    (headers['content-security-policy'] ?? '').split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources];
    }),
  );
  const inline = [...text.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = '']) => script);
  const hashes = inline.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);

  expect(inline).toHaveLength(2);
  expect(policy.get('script-src')).toEqual(["'self'", ...hashes]);
  expect(policy.get('default-src')).toEqual(["'none'"]);
  expect(policy.get('connect-src')).toEqual(["'self'"]);
  expect([...policy.values()].flat().join(' ')).not.toMatch(/https?:|\*|unsafe-eval/);
});

test('the page of the documentation shows the code samples of the document, beside what Swagger UI shows', async () => {
  const { text } = await call(handler, {});

  expect(text).toContain("'x-codeSamples'");
});
