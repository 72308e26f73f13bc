import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { type PoolLoad, readLoads, rowCountOf } from '#shared/growth/decide/pool/pool.ts';
import { loadPool, type PoolColumns } from '#shared/growth/load-pool.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { loadIdOf, readPoolFile, STARTER_POOL } from '../pool-file.ts';
import type { AdminContext } from './context.ts';

/** Options of `pool load` besides its columns. */
interface LoadOptions {
  readonly name?: string;
  readonly ifEmpty?: boolean;
}

/** The commands `pool …`. */
export function addPoolCommands(program: Command, { ports, print, printTable }: AdminContext): void {
  const pool = program.command('pool').description('The curated pool for augmenting datasets');
  pool
    .command('load')
    .argument('[file]', 'a JSONL, Parquet, JSON or CSV file', fileURLToPath(STARTER_POOL))
    .description('embed and add the rows of a file; without a file, those of the project')
    .option('--name <name>', 'what the load is called (default: the name of the file)')
    .option('--prompt <column>', 'column of the questions', 'prompt')
    .option('--completion <column>', 'column of the answers', 'completion')
    .option('--rejected <column>', 'column of worse answers, which make preference pairs', 'rejected')
    .option('--source <column>', 'column that says where a row comes from', 'source')
    .option('--if-empty', 'only into a pool that holds no rows')
    .action(async (file: string, { name, ifEmpty, ...columns }: PoolColumns & LoadOptions) => {
      if (ifEmpty === true && (await readLoads(ports().pool().objects)).length > 0) {
        print('The pool holds rows already.');
        return;
      }
      const loaded = await loadPool(ports().pool(), readPoolFile(file), {
        loadId: await loadIdOf(file, columns),
        name: name ?? basename(file),
        columns,
        now: ports().now(),
        onProgress: (rows) => print(`${rows} rows embedded`),
      });
      if (loaded.first_left_out !== null) {
        print(
          `${loaded.left_out} rows have no text in ${columns.prompt} or ${columns.completion} and were left out; the first is row ${loaded.first_left_out}.`,
        );
      }
      print(`${loaded.rows} rows are in the pool.`);
    });
  pool.command('list').action(async () => {
    const loads = await readLoads(ports().pool().objects);
    printTable([
      ['LOAD', 'NAME', 'ROWS', 'PAIRS', 'EMBEDDED BY', 'LOADED'],
      ...loads.map((each: PoolLoad) => [
        each.load_id,
        each.name,
        rowCountOf(each.shards),
        rowCountOf(each.shards.filter(({ has_pairs }) => has_pairs)),
        each.embedding.model,
        each.loaded_at,
      ]),
    ]);
  });
  pool
    .command('remove <load>')
    .description('remove a load from the pool; datasets keep its rows')
    .action(async (loadId: string) => {
      const { objects } = ports().pool();
      const loads = await readLoads(objects);
      if (!loads.some((each) => each.load_id === loadId)) {
        throw new Error(`There is no load ${loadId}. List them: pool list`);
      }
      // Deleting its first object removes the load from the pool; a run that is searching it fails, and can be started
      // again.
      await objects.remove([objectKeys.poolLoad(loadId)]);
      const keys: string[] = [];
      for await (const key of objects.list(objectKeys.poolShards(loadId))) keys.push(key);
      await objects.remove(keys);
    });
}
