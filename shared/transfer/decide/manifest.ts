import * as z from 'zod';

/** The format that this installation writes, and the newest that it reads. */
export const FORMAT_VERSION = 1;

/** Names of the files of an archive. Records and statements have one file for each kind. */
export const archiveFiles = {
  manifest: 'manifest.json',
  /** For `sha256sum --check`; it is written last, so an archive without it is not complete. */
  checksums: 'SHA256SUMS',
  /** One line for each object: `ObjectEntry`. */
  objects: 'objects.jsonl',
  records: (kind: string) => `records/${kind}.jsonl`,
  statements: (kind: string) => `statements/${kind}.jsonl`,
} as const;

const Count = z.int().min(0);

/** Credits of the team when it was exported. The new team begins with `opening`. */
export const AccountStatement = z.object({
  granted: Count,
  settled: Count,
  held: Count,
  available: Count,
  /** Of the blocks of answers, in millionths of a credit: not used, and used without being settled. */
  unused_microcredits: Count,
  unsettled_microcredits: Count,
  opening: Count,
});
export type AccountStatement = z.infer<typeof AccountStatement>;

/** What an archive says of itself. */
export const Manifest = z.object({
  format: z.literal('tunesmith-team'),
  format_version: z.int().min(1),
  export_id: z.uuid(),
  exported_at: z.iso.datetime(),
  team: z.object({ team_id: z.uuid(), name: z.string(), organization_id: z.uuid() }),
  /** Lines of each file, by kind. */
  records: z.record(z.string(), Count),
  statements: z.record(z.string(), Count),
  objects: z.object({ count: Count, bytes: Count }),
  credits: AccountStatement,
  /** What does not move. `count` is null where it was not counted; `ids` names datasets. */
  left_out: z.array(
    z.object({
      kind: z.string(),
      reason: z.string(),
      count: Count.nullable(),
      ids: z.array(z.string()).optional(),
    }),
  ),
});
export type Manifest = z.infer<typeof Manifest>;

/** An object of the bucket: its key there, and its file in the archive. */
export const ObjectEntry = z.object({
  key: z.string().min(1),
  path: z.string().min(1),
  bytes: Count,
  content_type: z.string(),
});
export type ObjectEntry = z.infer<typeof ObjectEntry>;

/**
 * Reads a manifest.
 * @throws Error for another kind of file, and for a format that is newer than this installation's
 */
export function parseManifest(text: string): Manifest {
  const Version = Manifest.pick({ format: true, format_version: true });
  const found = Version.safeParse(parseJson(text));
  if (!found.success) throw new Error(`${archiveFiles.manifest} is not the manifest of an exported team.`);
  const { format_version: version } = found.data;
  if (version > FORMAT_VERSION) {
    throw new Error(
      `The archive has format ${version}, and this installation reads up to ${FORMAT_VERSION}: update it, then import.`,
    );
  }
  return Manifest.parse(JSON.parse(text));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${archiveFiles.manifest} is not JSON.`, { cause });
  }
}

/**
 * Reads a line of the checksums. Paths stay inside the archive.
 * @throws Error for a line of another form
 */
export function parseChecksum(line: string): { sha256: string; path: string } {
  const [, sha256 = '', path = ''] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? [];
  if (!isArchivePath(path)) throw new Error(`${archiveFiles.checksums} has a line that is not a checksum.`);
  return { sha256, path };
}

/** Whether a path is relative and stays below its folder. */
export function isArchivePath(path: string): boolean {
  return /^[A-Za-z0-9._/-]+$/.test(path) && path.split('/').every((part) => !['', '.', '..'].includes(part));
}
