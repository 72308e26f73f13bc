import { findJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { DoubtCounts } from '#shared/runs/schema/report.ts';
import type { BatchPlan } from '#shared/runs/schema/run-context.ts';
import { RunDoubts } from '#shared/witnesses/schema/run-doubts.ts';
import { type KnownRows, knownRows, UNKNOWN_ROWS } from './decide/row-doubts.ts';
import type { RunRequestObject } from './decide/run-request.ts';
import { findsDoubts } from './decide/specification.ts';

/** What the witnesses found before a run; null where they did not look. */
export const findRunDoubts = (objects: Pick<ObjectStore, 'read'>, runId: string): Promise<RunDoubts | null> =>
  findJson(objects, objectKeys.doubts(runId), RunDoubts);

/** What is known of the rows of a run. Those of a pilot are few, and nobody looks at them before. */
export async function readKnownRows(
  objects: Pick<ObjectStore, 'read'>,
  { run_id: runId, request_key: key }: Pick<BatchPlan, 'run_id' | 'request_key'>,
  { specification }: Pick<RunRequestObject, 'specification'>,
): Promise<KnownRows> {
  if (key !== undefined || !findsDoubts(specification)) return UNKNOWN_ROWS;
  return knownRows(await findRunDoubts(objects, runId), specification.verification_rows !== undefined);
}

/**
 * What a report says of doubts; undefined where nobody looked for them.
 *
 * @param selected rows of the run
 */
export async function countDoubts(
  objects: Pick<ObjectStore, 'read'>,
  runId: string,
  { specification }: Pick<RunRequestObject, 'specification'>,
  {
    selected,
    doubted,
    doubtful,
  }: { readonly selected: number; readonly doubted: number; readonly doubtful: number },
): Promise<DoubtCounts | undefined> {
  if (!findsDoubts(specification)) return undefined;
  const found = await findRunDoubts(objects, runId);
  return {
    doubted,
    doubtful,
    share_wrong:
      found === null || found.share_wrong === null ? null : Math.round(found.share_wrong * 1000) / 1000,
    looked_at: {
      execution: found?.looked_at.execution ?? 0,
      neighbours: found?.looked_at.neighbours ?? 0,
    },
    not_looked_at: found?.not_looked_at ?? selected,
    ...(specification.verification_rows === undefined
      ? {}
      : { not_asked: selected - (found?.asked?.length ?? 0) }),
  };
}
