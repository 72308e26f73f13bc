import { posix } from 'node:path';
import { fileUnreadable } from '../../decide/file-error.ts';
import type { Archive } from './archive.ts';
import { readXml } from './markup.ts';

export interface Relationship {
  readonly id: string;
  /** The last segment of its type's URL, which is the same in both editions of the standard. */
  readonly type: string;
  /** Path of the part in the archive. */
  readonly target: string;
}

/** The relationships of a part, `''` for the document itself; empty if it has none. */
export async function readRelationships(archive: Archive, part: string): Promise<Relationship[]> {
  const folder = posix.dirname(part);
  const path = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  if (!archive.has(path)) return [];
  const relationships: Relationship[] = [];
  await readXml(archive.stream(path), {
    open(name, { Id, Type = '', Target, TargetMode }) {
      if (name !== 'Relationship' || Id === undefined || Target === undefined) return;
      if (TargetMode === 'External') return;
      relationships.push({
        id: Id,
        type: Type.slice(Type.lastIndexOf('/') + 1),
        target: Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target),
      });
    },
  });
  return relationships;
}

/**
 * The part with the document's content.
 * @throws {ServiceError} `file_unreadable` if the archive is not an Office document, or of another type
 */
export async function mainPart(
  archive: Archive,
  folder: 'word' | 'ppt' | 'xl',
  kind: string,
): Promise<string> {
  const [main] = (await readRelationships(archive, '')).filter(({ type }) => type === 'officeDocument');
  if (main === undefined || !main.target.startsWith(`${folder}/`)) {
    throw fileUnreadable(`It is a ZIP archive, but not a ${kind}. Upload it with its own format.`);
  }
  return main.target;
}
