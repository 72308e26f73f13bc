import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { handler } from '#functions/api/service/openapi.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { call } from '#test/helpers/call.ts';

test('the service answers anyone the document of every endpoint', async () => {
  const file = new URL('../../../../openapi.json', import.meta.url);
  const { body } = await call(handler, {}, { readOpenApiDocument: () => readFile(file, 'utf8') });

  const { paths, openapi } = body as unknown as { openapi: string; paths: Record<string, object> };
  expect(openapi).toBe('3.1.0');
  expect(
    Object.entries(paths)
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
      .sort(),
  ).toEqual(contracts.map(({ method, path }) => `${method} ${path}`).sort());
});
