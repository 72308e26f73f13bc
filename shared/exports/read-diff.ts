import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { Claims } from '#shared/platform/storage/claims.ts';
import { findJson, linesIn } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { type RequireVersionPorts, requireVersion } from '#shared/runs/require-version.ts';
import { claimOfDiff, type DiffOf } from './build-diff.ts';
import { DiffIndex } from './decide/diff/diff-index.ts';
import { ANSWER_BYTES_MAX } from './decide/row-index/fit-page.ts';
import { startBuilding } from './export-file.ts';
import { readIndexable } from './index-rows.ts';
import { DIFF_KINDS, type Diff, type DiffKind, type DiffQuery, DiffRow } from './schema/diff.ts';

export interface ReadDiffPorts extends RequireVersionPorts {
  readonly objects: Pick<ObjectStore, 'read' | 'readRange' | 'head'>;
  readonly claims: Claims;
  /** Starts to compare two versions, and returns at once. */
  readonly startDiff: (of: DiffOf) => Promise<void>;
}

const ROWS_DEFAULT = 50;
/** Seconds for which a failed comparison is reported; after them the next request starts another. */
const FAILED_SECONDS = 60;

/**
 * Reads a page of what differs between two versions. Starts to compare them if they were not, and is `pending` until that
 * is done.
 * @throws {ServiceError} `version_not_found`, `no_data_yet`, `dataset_too_large`, `service_unavailable` after a failure
 */
export async function readDiff(
  ports: ReadDiffPorts,
  dataset: DatasetRecord,
  query: DiffQuery,
  now: number,
): Promise<Diff> {
  const { dataset_id, team_id } = dataset;
  const { from, to } = query;
  const runs = await Promise.all([from, to].map((version) => endedRun(ports, dataset, version)));
  const index = await findJson(ports.objects, objectKeys.diffIndex(dataset_id, from, to), DiffIndex);
  const pending = { dataset_id, from, to, status: 'pending', counts: null, columns: [], rows: [] } as const;
  if (index !== null) {
    try {
      const page = await readPage(ports.objects, dataset_id, query, index);
      const { counts, columns } = index;
      return { ...pending, status: 'ready', counts, columns, ...page };
    } catch (error) {
      // The bucket expires objects one by one: what is left of the comparison is of no use.
      if ((error as { name?: string }).name !== 'NoSuchKey') throw error;
    }
  }
  await requireNoFailure(ports.objects, dataset_id, query, now);
  await startBuilding(ports.claims, claimOfDiff(team_id), async () => {
    for (const run of runs) await readIndexable(ports.objects, dataset_id, run);
    await ports.startDiff({ dataset_id, team_id, from, to });
  });
  return { ...pending, columns: [], rows: [], next_after: null };
}

async function endedRun(
  ports: RequireVersionPorts,
  dataset: DatasetRecord,
  number: number,
): Promise<RunRecord | null> {
  const { run } = await requireVersion(ports, dataset, number);
  if (run?.status !== 'running') return run;
  throw new ServiceError(
    'no_data_yet',
    `The run of version ${number} is active. Poll the status until it has ended.`,
  );
}

async function requireNoFailure(
  objects: Pick<ObjectStore, 'head'>,
  datasetId: string,
  { from, to }: Pick<DiffQuery, 'from' | 'to'>,
  now: number,
): Promise<void> {
  const failure = await objects.head(objectKeys.diffFailure(datasetId, from, to));
  if (failure === null || failure.modifiedMs < now - FAILED_SECONDS * 1000) return;
  throw new ServiceError(
    'service_unavailable',
    `The versions could not be compared. Try again in ${FAILED_SECONDS} seconds; if that fails too, tell your operator.`,
    { retryAfterSeconds: FAILED_SECONDS },
  );
}

/** Reads rows from the place of `after` on, kind after kind, until the page is full. */
async function readPage(
  objects: Pick<ObjectStore, 'readRange'>,
  datasetId: string,
  { from, to, kind, after, limit = ROWS_DEFAULT }: DiffQuery,
  { counts, blocks }: DiffIndex,
): Promise<Pick<Diff, 'rows' | 'next_after'>> {
  const [startKind, last] = after === undefined ? [kind ?? DIFF_KINDS[0], -1] : placeOf(after);
  const kinds = kind === undefined ? DIFF_KINDS.slice(DIFF_KINDS.indexOf(startKind)) : [kind];
  const rows: DiffRow[] = [];
  let bytes = 0;
  let lastRead: string | null = null;
  for (const each of kinds) {
    let place = each === startKind ? last + 1 : 0;
    while (place < counts[each]) {
      const block = blocks[each].findLast(({ first }) => first <= place);
      if (block === undefined) throw new Error('a comparison lacks a block');
      const key = objectKeys.diffRows(datasetId, from, to, each);
      const lines = linesIn(await objects.readRange(key, block.start, block.end - 1));
      for (const line of lines.slice(place - block.first)) {
        bytes += Buffer.byteLength(line) + 1;
        if (rows.length === limit || (rows.length > 0 && bytes > ANSWER_BYTES_MAX)) {
          return { rows, next_after: lastRead };
        }
        rows.push(DiffRow.parse(JSON.parse(line)));
        lastRead = `${each}.${place}`;
        place += 1;
      }
    }
  }
  return { rows, next_after: null };
}

function placeOf(after: string): [DiffKind, number] {
  const [kind, place] = after.split('.');
  return [kind as DiffKind, Number(place)];
}
