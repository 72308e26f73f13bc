import { readJson, readJsonLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { BatchPlan, type RunContext } from '#shared/runs/schema/run-context.ts';
import type { RunDoubts } from '#shared/witnesses/schema/run-doubts.ts';
import { askedRows } from './decide/asked-rows.ts';
import { RunRequestObject } from './decide/run-request.ts';
import { findsDoubts } from './decide/specification.ts';
import { type LookAtRowsPorts, lookAtRows, rowsOf } from './look-at-rows.ts';

export interface FindDoubtsPorts extends LookAtRowsPorts {
  readonly objects: Pick<ObjectStore, 'read' | 'write'>;
}

/**
 * Has the witnesses that ask no model look at the rows of a run, and writes what they doubt where its workers read it. A
 * witness that fails, or runs out of time, is silent, and no text of a row makes this throw. Writes nothing for a run that
 * wants no doubts. Idempotent but for time.
 */
export async function findDoubts(
  ports: FindDoubtsPorts,
  context: RunContext,
): Promise<{ doubted: number; not_looked_at: number }> {
  const { objects } = ports;
  const { run_id: runId, dataset_id: seed } = context;
  const { specification } = await readJson(objects, objectKeys.runRequest(runId), RunRequestObject);
  if (!findsDoubts(specification)) return { doubted: 0, not_looked_at: 0 };
  const batches = await readJsonLines(objects, objectKeys.plan(runId), BatchPlan);
  const found = await lookAtRows(ports, { batches, specification, seed, detectLanguage: null });
  const doubts: RunDoubts = {
    ...found,
    asked: askedRows(found.rows, () => rowsOf(batches), specification.verification_rows, seed),
  };
  await objects.write(objectKeys.doubts(runId), JSON.stringify(doubts), 'application/json');
  return { doubted: doubts.rows.length, not_looked_at: doubts.not_looked_at };
}
