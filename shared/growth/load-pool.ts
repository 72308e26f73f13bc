import { own } from '#shared/platform/own.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { PoolLoad, type PoolRow, SHARD_ROWS } from './decide/pool/pool.ts';
import type { EmbeddedShard } from './embed-shard.ts';

export interface LoadPoolPorts {
  readonly objects: Pick<ObjectStore, 'write'>;
  /** Lets the installation embed a shard whose rows are stored. */
  readonly embedShard: (shard: { readonly load_id: string; readonly n: number }) => Promise<EmbeddedShard>;
}

/** The columns of a file that the pool uses. */
export interface PoolColumns {
  readonly prompt: string;
  readonly completion: string;
  readonly rejected: string;
  readonly source: string;
}

export interface LoadedPool {
  readonly rows: number;
  readonly shards: number;
  /** Rows without a prompt or a completion, and the number of the first of them, from 1. */
  readonly left_out: number;
  readonly first_left_out: number | null;
}

/** Shards that are embedded concurrently, and so are in memory. */
const SHARDS_AT_ONCE = 4;

/**
 * Loads rows into the curated pool: first as text, then embedded by the installation, shard by shard. They join the
 * pool when all are embedded. A repeated load with the same id resumes an interrupted one and adds nothing twice. Holds
 * a few shards.
 * @throws Error if no row is usable
 */
export async function loadPool(
  ports: LoadPoolPorts,
  rows: AsyncIterable<Readonly<Record<string, unknown>>>,
  options: {
    /** Deterministic for the same rows. */
    readonly loadId: string;
    readonly name: string;
    readonly columns: PoolColumns;
    readonly now: number;
    readonly onProgress?: (rows: number) => void;
  },
): Promise<LoadedPool> {
  const { loadId, columns } = options;
  const shards: (PoolLoad['shards'][number] & { readonly embedded: EmbeddedShard })[] = [];
  const working = new Set<Promise<void>>();
  let count = 0;
  let done = 0;
  const store = async (n: number, shard: readonly PoolRow[]): Promise<void> => {
    const text = shard.map((row) => `${JSON.stringify(row)}\n`).join('');
    await ports.objects.write(objectKeys.poolRows(loadId, n), text, 'application/jsonl');
    const embedded = await ports.embedShard({ load_id: loadId, n });
    shards[n] = { n, row_count: shard.length, has_pairs: shard[0]?.rejected !== undefined, embedded };
    done += shard.length;
    options.onProgress?.(done);
  };
  const begin = async (shard: readonly PoolRow[]): Promise<void> => {
    const work = store(count, shard).then(() => {
      working.delete(work);
    });
    count += 1;
    working.add(work);
    // A failure is thrown where it is awaited.
    work.catch(() => {});
    if (working.size >= SHARDS_AT_ONCE) await Promise.race(working);
  };

  // Pairs have separate shards, so that a search for pairs reads no others.
  const open = { pairs: [] as PoolRow[], singles: [] as PoolRow[] };
  let [place, taken, leftOut] = [0, 0, 0];
  let firstLeftOut: number | null = null;
  for await (const cells of rows) {
    place += 1;
    const row = readRow(cells, columns);
    if (row === null) {
      leftOut += 1;
      firstLeftOut ??= place;
      continue;
    }
    taken += 1;
    const kind = row.rejected === undefined ? 'singles' : 'pairs';
    open[kind].push(row);
    if (open[kind].length === SHARD_ROWS) await begin(open[kind].splice(0));
  }
  if (taken === 0) {
    throw new Error(
      `No row of the file has text in the columns ${JSON.stringify(columns.prompt)} and ${JSON.stringify(columns.completion)}. Name its columns with --prompt and --completion.`,
    );
  }
  for (const left of [open.pairs, open.singles]) if (left.length > 0) await begin(left);
  await Promise.all(working);

  const [first] = shards.map(({ embedded }) => embedded) as [EmbeddedShard];
  if (
    shards.some(
      ({ embedded: { model, dimensions } }) => model !== first.model || dimensions !== first.dimensions,
    )
  ) {
    throw new Error('The embedding model of the installation changed meanwhile. Load the file again.');
  }
  const load = PoolLoad.parse({
    version: 1,
    load_id: loadId,
    name: options.name,
    loaded_at: timestamp(options.now),
    embedding: { model: first.model, dimensions: first.dimensions },
    shards,
  });
  await ports.objects.write(objectKeys.poolLoad(loadId), JSON.stringify(load), 'application/json');
  return { rows: taken, shards: shards.length, left_out: leftOut, first_left_out: firstLeftOut };
}

function readRow(cells: Readonly<Record<string, unknown>>, columns: PoolColumns): PoolRow | null {
  const [prompt, completion] = [textOf(own(cells, columns.prompt)), textOf(own(cells, columns.completion))];
  if (prompt === null || completion === null) return null;
  const [rejected, source] = [textOf(own(cells, columns.rejected)), textOf(own(cells, columns.source))];
  return {
    prompt,
    completion,
    ...(rejected === null ? {} : { rejected }),
    ...(source === null ? {} : { source }),
  };
}

/** The text of a cell; null if it is empty. */
const textOf = (cell: unknown): string | null =>
  typeof cell === 'string' && cell.trim() !== '' ? cell : null;
