import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod';
import { DATA_FORMAT, RELEASE } from '#shared/platform/schema/release.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';

const PREFIX = 'releases/';
/** Records of a stage that are kept. */
const KEPT = 20;

const StoredRelease = z.object({
  /** When it was deployed, as a sortable name. */
  id: z.string(),
  release: z.string(),
  data_format: z.object({ written: z.int(), reads: z.array(z.int()) }),
  /** Who deployed it: an ARN. */
  by: z.string(),
  /** `begun` until all stacks are there. */
  state: z.enum(['begun', 'deployed']),
  /** Of a rollback: the record whose templates were deployed again. */
  again: z.string().nullable(),
  /** The templates and manifests by file name; the code lies in the bucket of the CDK, by its hash. */
  files: z.record(z.string().regex(/^[\w.-]+$/), z.string()),
});
export type ReleaseRecord = z.infer<typeof StoredRelease>;

/** The release of this checkout. */
export const PRESENT: Pick<ReleaseRecord, 'release' | 'data_format'> = {
  release: RELEASE,
  data_format: { written: DATA_FORMAT.written, reads: [...DATA_FORMAT.reads] },
};

/** The releases of a stage, in its bucket. */
export interface Releases {
  /** Newest first. */
  list(): Promise<ReleaseRecord[]>;
  save(record: ReleaseRecord): Promise<void>;
}

export function releasesIn(objects: Pick<ObjectStore, 'list' | 'read' | 'write' | 'remove'>): Releases {
  const keys = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const key of objects.list(PREFIX)) found.push(key);
    return found.sort().reverse();
  };
  return {
    async list() {
      const read = await Promise.all((await keys()).map((key) => objects.read(key)));
      return read
        .filter((body) => body !== null)
        .map((body) => StoredRelease.parse(JSON.parse(gunzipSync(body).toString('utf8'))));
    },
    async save(record) {
      await objects.write(
        `${PREFIX}${record.id}.json.gz`,
        gzipSync(JSON.stringify(record)),
        'application/gzip',
      );
      const outdated = (await keys()).slice(KEPT);
      if (outdated.length > 0) await objects.remove(outdated);
    },
  };
}

/** `2026-11-29T05-50-00-000Z`: a key of S3 and the name of a file everywhere. */
export const releaseId = (now: number): string => new Date(now).toISOString().replaceAll(/[:.]/g, '-');

/**
 * The release to go back to: what was there before a deployment that did not come to its end; else the release before the
 * present one, and before that if the present one is a rollback itself.
 * @param records newest first
 * @throws {Error} if there is none
 */
export function previousOf(records: readonly ReleaseRecord[]): ReleaseRecord {
  const [current] = records;
  const deployed = records.filter(({ state }) => state === 'deployed');
  const present = current?.again ?? current?.id ?? '';
  const found =
    current?.state === 'begun'
      ? deployed[0]
      : deployed.find(({ id, again }) => again === null && id < present);
  if (found === undefined) {
    throw new Error(
      'No earlier release of this stage is kept. Check the earlier version out, and deploy it: git checkout VERSION && npm ci && npm run deploy.',
    );
  }
  return found;
}

/**
 * Whether a release may run on the data of a stage.
 * @param deployed the output `DataFormat` of its data stack; absent before releases stated it, which wrote format 1
 * @throws {Error} if it could not read what is there
 */
export function requireReadable(
  deployed: string | undefined,
  { release, data_format: { reads } }: Pick<ReleaseRecord, 'release' | 'data_format'>,
): void {
  const format = Number(deployed ?? 1);
  if (reads.includes(format)) return;
  throw new Error(
    `Release ${release} reads the data formats ${reads.join(', ')}, and the stage holds format ${format}: deploy a release that reads it, ` +
      'or restore the data of before (docs/operations/upgrade.md#data-formats).',
  );
}

/** @throws {Error} if the roles of a release could not use the key with which the data of the stage is encrypted */
export function requireKey(
  keyArn: string | undefined,
  { release, files }: Pick<ReleaseRecord, 'release' | 'files'>,
): void {
  const hasKey = (stack: string): boolean =>
    files[`${stack}.template.json`]?.includes(String(keyArn)) === true;
  if (keyArn === undefined || (hasKey('Pipelines') && hasKey('Api'))) return;
  throw new Error(
    `Release ${release} was deployed without the key ${keyArn}, with which the stage is encrypted: its functions could read nothing. ` +
      'Check its version out, and deploy it with KMS_KEY_ARN.',
  );
}

/** The templates and manifests of a CDK output folder, without the code. */
export function readAssembly(folder: string): Record<string, string> {
  const isPart = (name: string): boolean =>
    (name.endsWith('.json') && name !== 'outputs.json') || name === 'cdk.out';
  return Object.fromEntries(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && isPart(entry.name))
      .map(({ name }) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
}

/** Writes them into an empty folder, which `cdk deploy --app` takes. */
export function writeAssembly(folder: string, { files }: Pick<ReleaseRecord, 'files'>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}
