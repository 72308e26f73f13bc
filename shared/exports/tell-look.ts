import { findRunDoubts } from '#shared/adaptation/read-doubts.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Claims } from '#shared/platform/storage/claims.ts';
import { findJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { adaptationOf, type RunRecord } from '#shared/runs/decide/record.ts';
import { lookMapping } from './decide/form-columns.ts';
import { describeLook, isDue, RowDoubts } from './decide/row-doubts.ts';
import { startBuilding } from './export-file.ts';
import { type RowsOf, versionOf } from './index-rows.ts';
import type { LookedAt } from './schema/looked-at.ts';

/** The claim of the process that looks at rows: one at a time for each team, whatever it asks for. */
export const claimOfLook = (teamId: string): string => `look at rows of ${teamId}`;

export interface LookPorts {
  readonly objects: Pick<ObjectStore, 'read'>;
  readonly claims: Claims;
  /** Starts to look at rows and returns at once. */
  readonly startLook: (of: RowsOf) => Promise<void>;
}

/** The rows that a request reads, and what is known of them. */
export interface RowsToTell {
  readonly dataset: DatasetRecord;
  /** The run whose rows they are; null for the upload. */
  readonly run: RunRecord | null;
  readonly rows: number;
  /** Of rows that no run has adapted. */
  readonly doubts: RowDoubts | null;
  /** Whether they are to be looked at if they were not. */
  readonly starts: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Says who has looked at rows, and has those looked at that no run has adapted, where that is wanted. Nobody looks at rows whose
 * questions and answers are not known.
 */
export async function tellLook(
  { objects, claims, startLook }: LookPorts,
  { dataset, run, rows, doubts, starts, now }: RowsToTell,
): Promise<LookedAt> {
  const adaptation = adaptationOf(run);
  if (adaptation !== null) return tellRunLook(objects, adaptation.run_id, rows);
  if (lookMapping(dataset) === null) return describeLook('none', null, rows);
  const claim = claimOfLook(dataset.team_id);
  if (!isDue(doubts, now)) {
    const found = doubts?.found ?? null;
    return describeLook(found === null ? 'failed' : 'done', found, rows);
  }
  if (!starts) return describeLook((await claims.isTaken(claim)) ? 'looking' : 'none', null, rows);
  const { dataset_id, team_id } = dataset;
  const of = { dataset_id, team_id, ...(run === null ? {} : { run_id: run.run_id }) };
  await startBuilding(claims, claim, () => startLook(of));
  return describeLook('looking', null, rows);
}

/** What was looked at before a run, whose program has checked each of its rows besides. */
async function tellRunLook(
  objects: Pick<ObjectStore, 'read'>,
  runId: string,
  rows: number,
): Promise<LookedAt> {
  const found = await findRunDoubts(objects, runId);
  if (found === null) return describeLook('none', null, rows);
  const { row_count: checked = rows } = found;
  return { ...describeLook('done', found, rows), program: checked };
}

/** What is known of the rows of a version that no run has adapted; null if they were not looked at. */
export const readRowDoubts = (
  objects: Pick<ObjectStore, 'read'>,
  datasetId: string,
  run: RunRecord | null,
): Promise<RowDoubts | null> =>
  findJson(objects, objectKeys.rowDoubts(datasetId, versionOf(run?.run_id)), RowDoubts);
