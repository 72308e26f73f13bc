import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { expect, test, vi } from 'vitest';
import * as zod from 'zod';
import { removeListings } from '#bin/build/without-unused-messages.ts';
import { API_PLUGINS, BUNDLING } from '#bin/build.ts';
import { apiFunctionIds } from '#lab/bench/imports.ts';
import { localDirectory, repositoryRoot } from '#local/paths.ts';

/** zod as the stand-ins of schemas load it: whatever is built of it fails. */
const withoutZod: Plugin = {
  name: 'without-zod',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^zod$/ }, ({ importer }) =>
      importer.endsWith('lazy-zod.ts') ? { path: 'zod', namespace: 'failing' } : undefined,
    );
    onLoad({ filter: /^zod$/, namespace: 'failing' }, () => ({
      contents: `const fail = new Proxy(() => {}, { apply() { throw new Error('A schema is built.'); }, get: () => fail });
        export { ${Object.keys(zod)
          .filter((name) => name !== 'default')
          .map((name) => `fail as ${name}`)
          .join(', ')} };`,
    }));
  },
};

/** The formats of languages that Node makes while something loads, each of which takes milliseconds. */
async function watchingFormats<T>(load: () => Promise<T>): Promise<{ loaded: T; formats: string[] }> {
  const formats: string[] = [];
  const watched = Object.entries(Object.getOwnPropertyDescriptors(Intl))
    .filter(([, { value }]) => typeof value === 'function' && 'prototype' in value)
    .map(([name, { value }]) => {
      const construct = (target: object, given: unknown[]): object => {
        formats.push(name);
        return Reflect.construct(target as new () => object, given);
      };
      return [name, new Proxy(value, { construct })];
    });
  vi.stubGlobal('Intl', { ...Object.fromEntries(watched) });
  try {
    return { loaded: await load(), formats };
  } finally {
    vi.unstubAllGlobals();
  }
}

test('an API function that is imported builds no schema and no format of a language, and has no examples of its fields', async () => {
  await mkdir(localDirectory, { recursive: true });
  const folder = await mkdtemp(join(localDirectory, 'imported-'));
  try {
    const outfile = join(folder, 'all.mjs');
    await build({
      ...BUNDLING,
      plugins: [withoutZod, ...BUNDLING.plugins],
      minify: false,
      stdin: {
        contents: apiFunctionIds
          .map((id, n) => `export { handler as handler${n} } from './functions/${id}.ts';`)
          .join('\n'),
        resolveDir: repositoryRoot,
      },
      outfile,
    });

    const { loaded, formats } = await watchingFormats(() => import(pathToFileURL(outfile).href));
    expect(formats).toEqual([]);
    expect(Object.keys(loaded)).toHaveLength(apiFunctionIds.length);
    expect(await readFile(outfile, 'utf8')).not.toMatch(/\.meta\(\{\s*(?:description|example|id):/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('an API function has its own contract alone, and nothing that writes JSON schemas', async () => {
  const { outputFiles } = await build({
    ...BUNDLING,
    plugins: API_PLUGINS,
    minify: false,
    entryPoints: [join(repositoryRoot, 'functions/api/datasets/get.ts')],
    write: false,
  });

  const bundle = outputFiles.map(({ text }) => text).join();
  expect([...bundle.matchAll(/^ {2}summary: "(.*)",$/gm)].map(([, summary]) => summary)).toEqual([
    'Get a dataset',
  ]);
  expect(bundle).not.toContain('json-schema.org');
});

test('the function of MCP has no schema of a message that it neither sends nor takes', async () => {
  const { outputFiles } = await build({
    ...BUNDLING,
    plugins: API_PLUGINS,
    minify: false,
    entryPoints: [join(repositoryRoot, 'functions/api/mcp/call.ts')],
    write: false,
  });

  const bundle = outputFiles.map(({ text }) => text).join();
  expect(bundle).toContain('JSONRPCMessageSchema');
  expect(bundle).not.toContain('CompatibilityCallToolResultSchema');
});

test('a package with other lists of schemas than before fails the build', () => {
  const list = 'for (const key of SPEC_SCHEMA_KEYS) register(key, schemas_exports[key]);\n';
  const other = 'for (const [key, schema] of Object.entries(authSchemas)) register(key, schema);\n';

  expect(removeListings(`${list}${other}a();`)).toBe('\n\na();');
  expect(() => removeListings(`${list}a();`)).toThrow('There are 1 lists of schemas instead of 2');
});

test('a package in an API function finds faults by the standard interface of schemas', async () => {
  const { outputFiles } = await build({
    ...BUNDLING,
    plugins: API_PLUGINS,
    // A module without a file has nothing to require from.
    banner: {},
    stdin: {
      contents: `import * as z from 'zod/v4';
        export const validated = z.object({ a: z.string() })['~standard'].validate({ a: 1 });
        export const written = () => z.toJSONSchema(z.string());`,
      resolveDir: join(repositoryRoot, 'node_modules'),
      sourcefile: 'package.mjs',
    },
    write: false,
  });
  const { validated, written } = await import(
    `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`
  );
  expect(validated.issues).toMatchObject([{ path: ['a'] }]);
  expect(written).toThrow('No function of the API writes JSON schemas');
});
