import { forEachAtOnce } from '#shared/platform/for-each-at-once.ts';
import { own } from '#shared/platform/own.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { objectMoves, prefixesOf, type RecordKind, recordFates, type TeamIds } from './decide/belongings.ts';
import { foreignKeyFinder, prefixOf } from './decide/foreign-key.ts';
import { archiveFiles, type Manifest, ObjectEntry, parseChecksum, parseManifest } from './decide/manifest.ts';
import { openingBalance } from './decide/opening-balance.ts';
import type { ArchiveReader, ImportPorts, StoredItem } from './decide/ports.ts';

export interface ImportOptions {
  /** Name of the team; that of the archive if absent. */
  readonly name?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Called with the objects that are there so far, of `objects` in all. */
  readonly onProgress?: (done: number, objects: number) => void;
}

export interface ImportedTeam {
  readonly manifest: Manifest;
  readonly name: string;
  /** False if an earlier import of the same archive made the team. */
  readonly isNew: boolean;
  /** What has another name here, or was here before, in sentences. */
  readonly notes: readonly string[];
}

/** Lines that are worked on together. */
const GROUP = 16;

/** The kinds of which an archive may hold items. */
const archivedKinds = (Object.keys(recordFates) as RecordKind[]).filter(
  (kind) => 'moves' in recordFates[kind] || 'settings' in recordFates[kind],
);

/** The other kinds, in the order in which they are written: a dataset comes after all that it refers to. */
const movedKinds = (Object.keys(recordFates) as RecordKind[])
  .filter((kind) => 'moves' in recordFates[kind] && kind !== 'team')
  .sort((a, b) => Number(a === 'dataset') - Number(b === 'dataset'));

/**
 * Makes a team from an archive. All files are verified before anything is written. The item of the team comes last, in
 * one transaction with its balance, so that nobody can have a key of a team that is not complete. An import that was
 * interrupted is completed by repeating it: what is there already stays.
 * @throws Error that names the first file that is missing or was changed; for a newer format; if the team or its name is
 *   taken, or an item or object of the archive exists with other content
 */
export async function importTeam(
  { records, objects }: ImportPorts,
  folder: ArchiveReader,
  { name: given, now, onProgress = () => {} }: ImportOptions,
): Promise<ImportedTeam> {
  const archive = await verifyFiles(folder);
  const { manifest, ids } = await verifyContent(records, archive);
  const { export_id: exportId, team } = manifest;
  const name = given ?? team.name;

  if (!(await begin({ records, objects }, archive, manifest, { name, ids })))
    return { manifest, name, isNew: false, notes: [] };
  const notes = await writeSettings(records, archive);

  let done = 0;
  await eachObject(archive, ids, async (entry) => writeObject(objects, archive, entry), {
    after: (count) => {
      done += count;
      onProgress(done, manifest.objects.count);
    },
  });

  for (const kind of movedKinds) await eachRecord(archive, kind, (item) => records.write(item));
  const [teamItem] = await itemsOf(archive, 'team');
  if (teamItem === undefined) throw notComplete(archiveFiles.records('team'));
  const opening = openingBalance(manifest, timestamp(now));
  await records.commit({ exportId, name, team: teamItem, ...opening });
  return { manifest, name, isNew: true, notes };
}

/**
 * Reserves the name of the team; returns false if this export has been imported. Nothing is written if the installation has
 * the team, other datasets or trainings of these ids, or objects below them.
 */
async function begin(
  { records, objects }: ImportPorts,
  archive: ArchiveReader,
  { export_id: exportId, team: { team_id: teamId } }: Manifest,
  { name, ids }: { readonly name: string; readonly ids: TeamIds },
): Promise<boolean> {
  const existing = await records.find(teamId);
  if (existing?.importedFrom === exportId) return false;
  if (existing !== null) {
    throw new Error(`This installation has the team ${teamId}. Import into one that does not have it.`);
  }
  if (!(await records.hasBegun({ teamId, name }, exportId))) await requireNoObjects(objects, ids, teamId);
  for (const kind of ['dataset', 'training', 'voucher'] as const) {
    await eachRecord(archive, kind, async (item) => {
      if ((await records.compare(item)) === 'other') throw taken(kind, item, teamId);
    });
  }
  if (await records.begin({ teamId, name }, exportId)) return true;
  throw new Error(`This installation has a team "${name}". Import under another name: --name NAME`);
}

/**
 * An id is a way to the objects below it: if there are any before the import has begun, others made them, and the team
 * would read them.
 * @throws Error that names the first one
 */
async function requireNoObjects(
  objects: ImportPorts['objects'],
  ids: TeamIds,
  teamId: string,
): Promise<void> {
  await forEachAtOnce([...prefixesOf(ids)], async (prefix) => {
    for await (const key of objects.list(prefix)) {
      throw new Error(
        `This installation has objects under an id of the archive already: ${key}. Repeat an interrupted import under ` +
          `the name that it began with, or import team ${teamId} into an installation that does not have them.`,
      );
    }
  });
}

function taken(kind: string, item: StoredItem, teamId: string): Error {
  const id = item.code ?? item.experiment_id ?? item.dataset_id;
  return new Error(
    `This installation has another ${kind} ${id}. Import team ${teamId} into one that does not have it.`,
  );
}

/**
 * Compares every file with its checksum. Returns a reader of these files: it opens no other.
 * @throws Error that names the file
 */
async function verifyFiles(folder: ArchiveReader): Promise<ArchiveReader> {
  const listed = new Set<string>();
  for await (const line of folder.lines(archiveFiles.checksums)) {
    const { sha256, path } = parseChecksum(line);
    const found = await folder.sha256(path);
    if (found === null) throw notComplete(path);
    if (found !== sha256) throw new Error(`The file ${path} was changed: its SHA-256 is another one.`);
    listed.add(path);
  }
  if (listed.size === 0) throw notComplete(archiveFiles.checksums);

  const requireListed = (path: string): string => {
    if (!listed.has(path)) throw notListed(path);
    return path;
  };
  return {
    sha256: (path) => folder.sha256(requireListed(path)),
    read: (path) => folder.read(requireListed(path)),
    locate: (path) => folder.locate(requireListed(path)),
    async *lines(path) {
      if (listed.has(path)) yield* folder.lines(path);
      else if ((await folder.sha256(path)) !== null) throw notListed(path);
    },
  };
}

/**
 * Compares all lines with the manifest.
 * @throws Error that names the file
 */
async function verifyContent(
  records: Pick<ImportPorts['records'], 'faultOf'>,
  archive: ArchiveReader,
): Promise<{ manifest: Manifest; ids: TeamIds }> {
  const manifest = parseManifest(await archive.read(archiveFiles.manifest));
  for (const kind of Object.keys(manifest.records)) {
    if (!archivedKinds.some((each) => each === kind)) {
      throw refused(`${archiveFiles.manifest} names items of a kind that no archive holds: ${kind}`);
    }
  }

  const ids = await idsOf(archive, manifest);
  const foreignKey = foreignKeyFinder(ids);
  for (const kind of archivedKinds) {
    const path = archiveFiles.records(kind);
    const lines = manifest.records[kind] ?? 0;
    let count = 0;
    await eachRecord(archive, kind, async (item) => {
      count += 1;
      const key = foreignKey(item);
      const fault =
        records.faultOf({ kind, item }, ids) ??
        (key === null ? null : `it names an object of others: ${key}`);
      if (fault === null) return;
      throw refused(
        `The file ${path} has an item that does not belong to the team, ${item.pk} ${item.sk}: ${fault}`,
      );
    });
    if (count !== lines) {
      throw refused(`The file ${path} has ${count} lines, but ${lines} by the manifest`);
    }
    if (kind === 'team' && count !== 1) throw refused(`The file ${path} has ${count} teams, and not one`);
  }
  let count = 0;
  await eachObject(archive, ids, async ({ path }) => void archive.locate(path), {
    after: (n) => (count += n),
  });
  if (count !== manifest.objects.count) throw notComplete(archiveFiles.objects);
  return { manifest, ids };
}

/** Of an archive that no export has written. */
function refused(fault: string): Error {
  return new Error(
    `${fault}. The archive is not as it was exported: do not import it. Export the team again.`,
  );
}

function notListed(path: string): Error {
  return refused(`${archiveFiles.checksums} does not list the file ${path}`);
}

function notComplete(path: string): Error {
  return new Error(
    `The archive is not complete: ${path} is missing. Export the team again, or copy it whole.`,
  );
}

/** The ids of the archive's datasets, runs and trainings, by its records. */
async function idsOf(archive: ArchiveReader, { team }: Manifest): Promise<TeamIds> {
  const collect = async (kind: 'dataset' | 'run' | 'training', id: string): Promise<Set<string>> => {
    const found = new Set<string>();
    await eachRecord(archive, kind, async (item) => {
      if (item.team_id !== team.team_id) {
        throw refused(`The file ${archiveFiles.records(kind)} has an item of another team`);
      }
      found.add(String(own(item, id)));
    });
    return found;
  };
  return {
    team: team.team_id,
    datasets: await collect('dataset', 'dataset_id'),
    runs: await collect('run', 'run_id'),
    trainings: await collect('training', 'experiment_id'),
  };
}

/** Writes organization, users, plan and vouchers; returns what differs from the archive, in sentences. */
async function writeSettings(records: ImportPorts['records'], archive: ArchiveReader): Promise<string[]> {
  const notes: string[] = [];
  for (const kind of ['organization', 'user'] as const) {
    for (const item of await itemsOf(archive, kind)) {
      const name = await records.ensureNamed(kind, item);
      if (name !== item.name) notes.push(`The ${kind} "${item.name}" is called "${name}" here.`);
    }
  }
  for (const item of await itemsOf(archive, 'plan')) {
    if (!(await records.ensurePlan(item)) && (await records.compare(item)) === 'other') {
      notes.push(`The plan "${item.name}" has other limits here; they hold for the team.`);
    }
  }
  await eachRecord(archive, 'voucher', (item) => records.write(item));
  return notes;
}

/** @throws Error if the object exists with another size */
async function writeObject(
  objects: ImportPorts['objects'],
  archive: ArchiveReader,
  { key, path, bytes, content_type: contentType }: ObjectEntry,
): Promise<void> {
  const found = await objects.head(key);
  if (found === null) return objects.writeFile(key, archive.locate(path), contentType);
  if (found.bytes !== bytes) {
    throw new Error(`This installation has another object ${key}. Import into one that is empty.`);
  }
}

/** Calls `work` for each object of the archive, several at once. */
async function eachObject(
  archive: ArchiveReader,
  ids: TeamIds,
  work: (entry: ObjectEntry) => Promise<void>,
  { after }: { readonly after: (count: number) => void },
): Promise<void> {
  const prefixes = new Set(prefixesOf(ids));
  await inGroups(archive.lines(archiveFiles.objects), async (lines) => {
    const entries = lines.map((line) => ObjectEntry.parse(JSON.parse(line)));
    for (const { key } of entries) {
      if (!prefixes.has(prefixOf(key)) || !objectMoves(key)) {
        throw refused(`${archiveFiles.objects} has an object that does not belong to the team: ${key}`);
      }
    }
    await forEachAtOnce(entries, work);
    after(entries.length);
  });
}

/** Calls `work` for each item of a kind, several at once; for none if the archive has no such file. */
async function eachRecord(
  archive: ArchiveReader,
  kind: string,
  work: (item: StoredItem) => Promise<void>,
): Promise<void> {
  await inGroups(archive.lines(archiveFiles.records(kind)), async (lines) => {
    await forEachAtOnce(lines, (line) => work(JSON.parse(line) as StoredItem));
  });
}

/** The items of a kind of which a team has few. */
async function itemsOf(archive: ArchiveReader, kind: RecordKind): Promise<StoredItem[]> {
  const items: StoredItem[] = [];
  for await (const line of archive.lines(archiveFiles.records(kind))) items.push(JSON.parse(line));
  return items;
}

async function inGroups(
  lines: AsyncIterable<string>,
  work: (group: readonly string[]) => Promise<void>,
): Promise<void> {
  let group: string[] = [];
  for await (const line of lines) {
    group.push(line);
    if (group.length === GROUP) {
      await work(group);
      group = [];
    }
  }
  if (group.length > 0) await work(group);
}
