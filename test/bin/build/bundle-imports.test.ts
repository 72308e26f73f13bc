import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { expect, test } from 'vitest';
import * as zod from 'zod';
import { BUNDLING } from '#bin/build.ts';
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

test('an API function that is imported builds no schema, and has no examples of its fields', async () => {
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

    const functions = await import(pathToFileURL(outfile).href);
    expect(Object.keys(functions)).toHaveLength(apiFunctionIds.length);
    expect(await readFile(outfile, 'utf8')).not.toMatch(/\.meta\(\{\s*(?:description|example|id):/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
