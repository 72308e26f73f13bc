import { createHash } from 'node:crypto';
import { Balance } from '#shared/access/decide/ledger/record.ts';
import { MeterShard } from '#shared/access/decide/meter.ts';
import { Team } from '#shared/platform/access/records.ts';
import { canonicalJson } from '#shared/platform/canonical-json.ts';
import { forEachAtOnce } from '#shared/platform/for-each-at-once.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ListedObject } from '#shared/platform/storage/object-store.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { activeWork } from './decide/active-work.ts';
import { archivePathOf } from './decide/archive-path.ts';
import {
  leftOutKinds,
  objectMoves,
  prefixesOf,
  type RecordFate,
  type RecordKind,
  recordFates,
  type TeamIds,
} from './decide/belongings.ts';
import { archiveFiles, FORMAT_VERSION, type Manifest, type ObjectEntry } from './decide/manifest.ts';
import { accountStatement } from './decide/opening-balance.ts';
import type { ArchiveWriter, Belonging, ExportPorts, StoredItem } from './decide/ports.ts';

export interface ExportOptions {
  readonly exportId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Called with the objects written so far. */
  readonly onProgress?: (objects: number) => void;
}

export interface ExportedTeam {
  readonly manifest: Manifest;
  /** Of the list of checksums, so of the archive. */
  readonly sha256: string;
}

/** Objects that are listed before they are written. */
const GROUP = 256;
const OCTETS = 'application/octet-stream';
const ACTIVE_SHOWN_MAX = 10;

/** What a pass over all items of a team finds. */
interface Survey {
  /** Differs if any item does. */
  readonly fingerprint: string;
  readonly ids: TeamIds;
  readonly unfinished: readonly string[];
  readonly active: readonly string[];
  readonly shards: readonly MeterShard[];
  readonly balance: Balance;
  readonly team: Team;
  readonly keys: number;
}

/**
 * Writes all that belongs to a team into an archive. Objects are written as they are stored, one chunk in memory at a
 * time. The items are read before and after the objects, so that the archive is of one moment.
 * @throws Error for a team with active work, and for one that changes meanwhile; the archive then stays incomplete
 */
export async function exportTeam(
  { records, objects }: ExportPorts,
  archive: ArchiveWriter,
  teamId: string,
  { exportId, now, onProgress = () => {} }: ExportOptions,
): Promise<ExportedTeam> {
  const before = await survey(records.read(teamId), teamId);
  if (before.active.length > 0) throw stillActive(before.active);

  const stored = await writeObjects(objects, archive, before.ids, onProgress);

  const lines: Record<'records' | 'statements', Record<string, number>> = { records: {}, statements: {} };
  const after = await survey(records.read(teamId), teamId, async ({ kind, item }) => {
    const place = placeOf(kind);
    if (place === null) return;
    await archive.addLine(archiveFiles[place](kind), item);
    lines[place][kind] = (lines[place][kind] ?? 0) + 1;
  });
  if (after.fingerprint !== before.fingerprint) {
    throw new Error(
      'The team changed while it was exported. Revoke its keys or wait until nobody uses them, then export into a new folder.',
    );
  }

  const { team, keys, unfinished, balance, shards } = before;
  const uploads = await countOf(objects.list(objectKeys.uploadsOf(teamId)));
  const counts = new Map([
    ['item:teamKey', keys],
    ['object:upload', uploads],
  ]);
  const manifest: Manifest = {
    format: 'tunesmith-team',
    format_version: FORMAT_VERSION,
    export_id: exportId,
    exported_at: timestamp(now),
    team: { team_id: teamId, name: team.name, organization_id: team.organization_id },
    ...lines,
    objects: stored,
    credits: accountStatement(balance, shards),
    left_out: [
      {
        kind: 'dataset:awaiting_upload',
        reason: 'their files were never uploaded, and their addresses for that are of this installation',
        count: unfinished.length,
        ids: [...unfinished],
      },
      ...leftOutKinds().map((each) => ({ ...each, count: counts.get(each.kind) ?? null })),
    ],
  };
  await archive.write(archiveFiles.manifest, `${JSON.stringify(manifest, null, 2)}\n`);
  return { manifest, sha256: await archive.seal() };
}

/** Reads all items of a team once, and hands each to `take`, those of datasets without a file apart. */
async function survey(
  items: AsyncIterable<Belonging>,
  teamId: string,
  take: (belonging: Belonging) => Promise<void> = async () => {},
): Promise<Survey> {
  const hash = createHash('sha256');
  const datasets = new Set<string>();
  const runs = new Set<string>();
  const trainings = new Set<string>();
  const unfinished = new Map<string, string>();
  const active: string[] = [];
  const shards: MeterShard[] = [];
  let balance: Balance | undefined;
  let team: Team | undefined;
  let keys = 0;
  for await (const belonging of items) {
    const { kind, item } = belonging;
    hash.update(`${kind} ${canonicalJson(item)}\n`);
    const work = activeWork(belonging);
    if (work !== null) active.push(work);
    if (isUnfinished(kind, item)) unfinished.set(String(item.pk), String(item.dataset_id));
    if (unfinished.has(String(item.pk))) continue;
    if (kind === 'dataset') datasets.add(String(item.dataset_id));
    else if (kind === 'run') runs.add(String(item.run_id));
    else if (kind === 'training') trainings.add(String(item.experiment_id));
    else if (kind === 'meterShard') shards.push(MeterShard.parse(item));
    else if (kind === 'balance') balance = Balance.parse(item);
    else if (kind === 'team') team = Team.parse(item);
    else if (kind === 'teamKey') keys += 1;
    await take(belonging);
  }
  if (team === undefined || balance === undefined) throw new Error(`Team ${teamId} has no balance.`);
  const ids = { team: teamId, datasets, runs, trainings };
  return {
    fingerprint: hash.digest('hex'),
    ids,
    unfinished: [...unfinished.values()],
    active,
    shards,
    balance,
    team,
    keys,
  };
}

function stillActive(active: readonly string[]): Error {
  const shown = active.slice(0, ACTIVE_SHOWN_MAX);
  const more = active.length > shown.length ? [`and ${active.length - shown.length} more`] : [];
  return new Error(
    `The team has active work. Wait until it has ended, or cancel it (run cancel):\n${[...shown, ...more].join('\n')}`,
  );
}

/** A dataset whose file was never uploaded: it has an address to upload to, and nothing else. */
function isUnfinished(kind: RecordKind, { state }: StoredItem): boolean {
  return kind === 'dataset' && state === 'awaiting_upload';
}

function placeOf(kind: RecordKind): 'records' | 'statements' | null {
  const fate: RecordFate = recordFates[kind];
  if ('moves' in fate || 'settings' in fate) return 'records';
  return 'statement' in fate ? 'statements' : null;
}

/** Writes the objects of a team in the order of their prefixes and keys. */
async function writeObjects(
  objects: ExportPorts['objects'],
  archive: ArchiveWriter,
  ids: TeamIds,
  onProgress: (objects: number) => void,
): Promise<Manifest['objects']> {
  let count = 0;
  let bytes = 0;
  const write = async (group: readonly ListedObject[]): Promise<void> => {
    const written = await forEachAtOnce(group, ({ key }) => writeObject(objects, archive, key));
    for (const entry of written) {
      await archive.addLine(archiveFiles.objects, entry);
      count += 1;
      bytes += entry.bytes;
    }
    onProgress(count);
  };
  for (const prefix of prefixesOf(ids)) {
    let group: ListedObject[] = [];
    for await (const listed of objects.listSizes(prefix)) {
      if (!objectMoves(listed.key)) continue;
      group.push(listed);
      if (group.length === GROUP) await write(group.splice(0));
    }
    if (group.length > 0) await write(group);
    group = [];
  }
  return { count, bytes };
}

async function writeObject(
  objects: ExportPorts['objects'],
  archive: ArchiveWriter,
  key: string,
): Promise<ObjectEntry> {
  const info = await objects.head(key);
  if (info === null) throw new Error(`The object ${key} was removed during the export. Export again.`);
  const path = archivePathOf(key);
  const bytes = await archive.copy(path, await objects.stream(key));
  if (bytes !== info.bytes) throw new Error(`The object ${key} has ${info.bytes} bytes, but ${bytes} came.`);
  return { key, path, bytes, content_type: info.contentType ?? OCTETS };
}

async function countOf(keys: AsyncIterable<string>): Promise<number> {
  let count = 0;
  for await (const _ of keys) count += 1;
  return count;
}
