import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { BUNDLING } from '#bin/build.ts';
import { localDirectory, repositoryRoot } from '#local/paths.ts';
import type { withDocumentRows } from '#shared/tabular/adapters/documents/ingest-documents.ts';

/**
 * The reader of documents as it is deployed: a bundle, whose threads are one too. A thread that starts from the source
 * takes ten times as long.
 */
export async function bundledReader(): Promise<typeof withDocumentRows> {
  // Below the checkout, where the bundle finds the package that it lacks.
  const folder = join(localDirectory, 'test-documents');
  await mkdir(folder, { recursive: true });
  const { outputFiles } = await build({
    absWorkingDir: repositoryRoot,
    entryPoints: ['ingest-documents', 'document-worker'].map((name) => ({
      in: `shared/tabular/adapters/documents/${name}.ts`,
      out: name,
    })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    ...BUNDLING,
    write: false,
  });
  for (const { path, contents } of outputFiles) {
    // Another process that makes the same bundle meets a whole file.
    await writeFile(`${path}.${process.pid}`, contents);
    await rename(`${path}.${process.pid}`, path);
  }
  const entry = outputFiles.find(({ path }) => basename(path) === 'ingest-documents.mjs')?.path ?? '';
  return (await import(/* @vite-ignore */ pathToFileURL(entry).href)).withDocumentRows;
}
