import { randomUUID } from 'node:crypto';
import { handler as createBatch } from '#functions/api/batches/create.ts';
import { administration } from '#shared/access/wire.ts';
import type { BatchAddress, BatchLine } from '#shared/openai/decide/batches.ts';
import { fileIdOf, ownId } from '#shared/openai/decide/ids.ts';
import type { Batch } from '#shared/openai/schema/batches.ts';
import { batches } from '#shared/openai/wire.ts';
import { type WorkBatchPorts, workBatch } from '#shared/openai/work-batch.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { linesOf } from './active-run.ts';
import { seedRows } from './combining.ts';
import { answering, clockOf, seedKey } from './evaluating.ts';
import type { World } from './world.ts';

export const CHAT = '/v1/chat/completions' as const;

/** A line of the input file of a batch. */
export const request = (n: number, changes: object = {}) => ({
  custom_id: `r${n}`,
  method: 'POST',
  url: CHAT,
  body: { model: 'qwen3-4b', messages: [{ role: 'user', content: `q${n}` }] },
  ...changes,
});

export const requests = (count: number) => Array.from({ length: count }, (_, n) => request(n));

/** The file of some requests, as it is read: a raw dataset. */
export async function seedRequests(world: World, as: Caller, lines: readonly object[]): Promise<string> {
  const names = ['custom_id', 'method', 'url', 'body'];
  const { dataset_id } = await seedRows(
    world,
    as,
    Object.fromEntries(names.map((name) => [name, name === 'body' ? 'JSON' : 'VARCHAR'])),
    lines.map((line) => JSON.stringify(line)),
    { configured_column_mapping: null },
  );
  return fileIdOf(dataset_id);
}

export async function seedBatch(
  world: World,
  as: Caller,
  lines: readonly object[] = requests(3),
  endpoint: string = CHAT,
): Promise<Batch> {
  const body = { input_file_id: await seedRequests(world, as, lines), endpoint, completion_window: '24h' };
  return (await world.call(createBatch, { as, body })).body;
}

/** The ports of the worker, whose models answer `Yes.` */
export const portsOf = (world: World, changes: Partial<WorkBatchPorts> = {}): WorkBatchPorts => ({
  ...world.store,
  objects: world.objects,
  batches: world.use(batches('write')),
  respond: answering(() => 'Yes.'),
  goOn: async () => undefined,
  clock: clockOf(async () => undefined),
  random: () => 0,
  newId: randomUUID,
  access: world.use(administration),
  onFailure: () => undefined,
  ...changes,
});

/** Works on the last batch that was started, as its function does. */
export async function workLastBatch(
  world: World,
  changes: Partial<WorkBatchPorts> = {},
  deadline = Date.now() + 900_000,
): Promise<{ status: string }> {
  const started = world.invoked.findLast(({ functionId }) => functionId === 'consumers/work-batch');
  if (started === undefined) throw new Error('No batch was started.');
  const address = started.payload as BatchAddress;
  const batch = await world.use(batches('read')).find(address.team_id, address.batch_id);
  if (batch !== null) await seedKey(world, batch.caller);
  return workBatch(portsOf(world, changes), address, deadline);
}

/** The lines of a file that a batch has left. */
export const linesOfFile = (world: World, as: Caller, fileId: string | null): BatchLine[] =>
  fileId === null
    ? []
    : linesOf(world.objects.text(objectKeys.batchFile(as.team_id, ownId('file-', fileId) ?? ''))).map(
        (line) => JSON.parse(line),
      );
