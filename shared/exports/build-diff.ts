import { RunRequestObject } from '#shared/adaptation/decide/run-request.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { Claims } from '#shared/platform/storage/claims.ts';
import { readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { adaptationOf, type RunRecord } from '#shared/runs/decide/record.ts';
import { type FoundVersion, type RequireVersionPorts, requireVersion } from '#shared/runs/require-version.ts';
import { ExpansionResult, RunResult } from '#shared/runs/schema/run-result.ts';
import type { RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { deliveredRows } from './build-export.ts';
import { compareRows, type VersionRow } from './decide/diff/compare-rows.ts';
import { compareColumns, type DiffReader, type DiffSide } from './decide/diff/diff-columns.ts';
import { DiffWriter } from './decide/diff/diff-index.ts';
import { joinOutcomes } from './decide/row-index/join-outcomes.ts';
import { buildClaimed } from './export-file.ts';
import { readIndexable } from './index-rows.ts';
import { DIFF_KINDS } from './schema/diff.ts';
import { ObjectWriter, type PartedObjects } from './write-object.ts';

export interface BuildDiffPorts extends RequireVersionPorts {
  readonly datasets: Pick<DatasetRepository, 'find'>;
  readonly objects: PartedObjects & Pick<ObjectStore, 'read' | 'list' | 'remove'>;
  readonly claims: Pick<Claims, 'renew' | 'release'>;
}

export interface DiffOf {
  readonly dataset_id: string;
  readonly team_id: string;
  readonly from: number;
  readonly to: number;
}

/** The claim of the process that compares versions: one at a time for each team, whatever it asks for. */
export const claimOfDiff = (teamId: string): string => `diff of ${teamId}`;

/** Errors that no repetition mends; whoever asks for the comparison is told them. */
const LASTING: readonly string[] = ['version_not_found', 'dataset_too_large'];

/**
 * Compares the rows of two versions, whose runs have ended, and stores what differs. Reads them side by side, a chunk of
 * each at a time. Idempotent: the same versions give the same bytes. A failure is stored too, so that it is reported;
 * versions that are gone, or go meanwhile, leave nothing.
 */
export async function buildDiff(ports: BuildDiffPorts, of: DiffOf): Promise<{ rows: number }> {
  return buildClaimed(ports.claims, claimOfDiff(of.team_id), async () => {
    try {
      return { rows: await compareUnlessGone(ports, of) };
    } catch (error) {
      if (error instanceof ServiceError && LASTING.includes(error.code)) return { rows: 0 };
      const key = objectKeys.diffFailure(of.dataset_id, of.from, of.to);
      await ports.objects.write(key, '{}', 'application/json');
      throw error;
    }
  });
}

async function compareUnlessGone(ports: BuildDiffPorts, of: DiffOf): Promise<number> {
  const versions = await findBoth(ports, of);
  if (versions === null) return 0;
  let rows = 0;
  let failure: unknown = null;
  try {
    rows = await writeDiff(ports.objects, of, versions);
  } catch (error) {
    failure = error;
  }
  // A deletion takes what is being read, and has listed the objects before.
  if ((await findBoth(ports, of)) === null) {
    await removeDiff(ports.objects, of);
    return 0;
  }
  if (failure !== null) throw failure;
  return rows;
}

/** Null if the dataset or one of the versions is gone. */
async function findBoth(
  ports: BuildDiffPorts,
  { dataset_id, team_id, from, to }: DiffOf,
): Promise<[FoundVersion, FoundVersion] | null> {
  const dataset = await ports.datasets.find(dataset_id);
  if (dataset?.team_id !== team_id) return null;
  try {
    return await Promise.all([requireVersion(ports, dataset, from), requireVersion(ports, dataset, to)]);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'version_not_found') return null;
    throw error;
  }
}

async function removeDiff(
  objects: Pick<ObjectStore, 'list' | 'remove'>,
  { dataset_id, from, to }: DiffOf,
): Promise<void> {
  const keys: string[] = [];
  for await (const key of objects.list(objectKeys.diff(dataset_id, from, to))) keys.push(key);
  if (keys.length > 0) await objects.remove(keys);
}

async function writeDiff(
  objects: BuildDiffPorts['objects'],
  { dataset_id: id, from, to }: DiffOf,
  versions: readonly [FoundVersion, FoundVersion],
): Promise<number> {
  const [before, after] = await Promise.all(versions.map(({ run }) => openSide(objects, id, run)));
  if (before === undefined || after === undefined) throw new Error('a comparison has two versions');
  const columns = compareColumns(before, after);
  const diff = new DiffWriter(columns.names);
  const writerOf = (kind: string) =>
    new ObjectWriter(objects, objectKeys.diffRows(id, from, to, kind), 'application/jsonl');
  const writers = { changed: writerOf('changed'), added: writerOf('added'), removed: writerOf('removed') };
  try {
    const rows = compareRows(rowsOf(objects, before, columns.from), rowsOf(objects, after, columns.to));
    for await (const row of rows) {
      const block = diff.add(row);
      if (block !== null) await writers[block.kind].write(block.body);
    }
    for (const { kind, body } of diff.end()) await writers[kind].write(body);
    for (const kind of DIFF_KINDS) await writers[kind].end();
    const index = diff.index();
    await objects.write(objectKeys.diffIndex(id, from, to), JSON.stringify(index), 'application/json');
    return Object.values(index.counts).reduce((sum, count) => sum + count, 0);
  } catch (error) {
    await Promise.all(Object.values(writers).map((writer) => writer.abandon()));
    throw error;
  }
}

interface OpenSide extends DiffSide {
  readonly manifest: RowsManifest;
  /** Null for rows as they came. */
  readonly run: RunRecord | null;
}

async function openSide(
  objects: Pick<ObjectStore, 'read'>,
  datasetId: string,
  delivered: RunRecord | null,
): Promise<OpenSide> {
  const manifest = await readIndexable(objects, datasetId, delivered);
  const run = adaptationOf(delivered);
  const request =
    run === null ? null : await readJson(objects, objectKeys.runRequest(run.run_id), RunRequestObject);
  return { manifest, columns: manifest.columns, run, specification: request?.specification ?? null };
}

/** The rows of the version's download, those of the source by number, then those that its run added. */
async function* rowsOf(
  objects: Pick<ObjectStore, 'read'>,
  { manifest, run, specification }: OpenSide,
  reader: DiffReader,
): AsyncGenerator<VersionRow> {
  const { source, results, withoutResult, added } = deliveredRows(objects, manifest, run);
  const parse = (value: unknown) => RunResult.safeParse(value).data ?? null;
  for await (const { row, cells, result } of joinOutcomes(source, results ?? null, reader.sources, parse)) {
    if (result?.outcome === 'dropped') continue;
    if (withoutResult === 'omit' && (result === null || result.outcome === 'failed')) continue;
    yield { row, target: null, cells: reader.read(cells, result?.cells) };
  }
  if (added === undefined) return;
  const parseAdded = (value: unknown) => ExpansionResult.safeParse(value).data ?? null;
  for await (const joined of joinOutcomes(added.source, added.results, reader.sources, parseAdded)) {
    const { cells, result } = joined;
    const target = specification?.expansion?.targets[result?.target ?? -1];
    if (result?.outcome !== 'expanded' || target === undefined) continue;
    yield { row: result.source_row, target, cells: reader.read(cells, result.cells) };
  }
}
