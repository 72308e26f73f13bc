import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { functionName } from '#infra/names.ts';
import type { EmbeddedShard } from '#shared/growth/embed-shard.ts';
import type { PoolColumns } from '#shared/growth/load-pool.ts';
import { callFunction } from '#shared/platform/adapters/call-function.ts';
import type { TabularFormat } from '#shared/platform/schema/file-format.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { ingestFile } from '#shared/tabular/adapters/ingest-file.ts';

/** The pool that is part of the project. */
export const STARTER_POOL = new URL('../examples/data/starter-pool.jsonl', import.meta.url);

const FORMATS = ['jsonl', 'parquet', 'json', 'csv'] as const satisfies readonly TabularFormat[];

/** @throws Error if the file name has none of the formats' extensions */
function formatOf(path: string): TabularFormat {
  const ending = extname(path).slice(1).toLowerCase();
  const format = FORMATS.find((each) => each === ending);
  if (format === undefined)
    throw new Error(`The pool is loaded from ${FORMATS.join(', ')} files, not from ${path}.`);
  return format;
}

/** Reads the rows of a file of any size. They are stored in a temporary folder, with one chunk in memory at a time. */
export async function* readPoolFile(path: string): AsyncGenerator<Record<string, unknown>> {
  const folder = await mkdtemp(join(tmpdir(), 'pool-'));
  const chunkPath = (n: number): string => join(folder, `${n}.jsonl`);
  try {
    const { chunks } = await ingestFile({
      format: formatOf(path),
      source: path,
      name: basename(path),
      maxBytes: Number.MAX_SAFE_INTEGER,
      writeChunk: (n, body) => writeFile(chunkPath(n), body),
      chunkKey: chunkPath,
    });
    for (const { key } of chunks) {
      for (const line of (await readFile(key, 'utf8')).split('\n')) if (line !== '') yield JSON.parse(line);
      await rm(key);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * The id of a load: the same file with the same columns is the same load.
 * @throws Error if the file has none of the formats
 */
export async function loadIdOf(path: string, columns: PoolColumns): Promise<string> {
  formatOf(path);
  const hash = createHash('sha256').update(JSON.stringify(columns));
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest('hex').slice(0, 16);
}

/** The pool of a stage: its objects, and the deployed function that embeds rows. */
export function poolOf(stage: string, objects: ObjectStore) {
  const embed = functionName(stage, 'tasks/pool/embed-shard');
  return {
    objects,
    embedShard: async (shard: { readonly load_id: string; readonly n: number }) =>
      (await callFunction(embed, shard)) as EmbeddedShard,
  };
}
