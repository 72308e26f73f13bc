/** A version of an object, or the marker of its deletion. */
export interface ObjectVersion {
  readonly key: string;
  readonly versionId: string;
  /** Milliseconds since the epoch. */
  readonly modified: number;
  readonly isLatest: boolean;
  readonly isDeletion: boolean;
  readonly bytes: number;
}

/** The version of an object that was current at a moment; null if there was none. */
export function versionAt(versions: readonly ObjectVersion[], time: number): ObjectVersion | null {
  const [found] = versions
    .filter(({ modified }) => modified <= time)
    // S3 tells whole seconds, in which an object may be written and deleted.
    .sort((one, other) => other.modified - one.modified || Number(other.isLatest) - Number(one.isLatest));
  return found === undefined || found.isDeletion ? null : found;
}

/**
 * The objects that were there at a moment, each by its version.
 * @param pages versions and deletions in the order of their keys; those of a key may lie in several pages
 */
export async function* objectsAt(
  pages: AsyncIterable<readonly ObjectVersion[]>,
  time: number,
): AsyncGenerator<ObjectVersion> {
  let open: ObjectVersion[] = [];
  const close = (): ObjectVersion[] => {
    const found = versionAt(open, time);
    open = [];
    return found === null ? [] : [found];
  };
  for await (const page of pages) {
    const byKey = page.toSorted((one, other) => compareBytes(one.key, other.key));
    for (const version of byKey) {
      if (open[0] !== undefined && open[0].key !== version.key) yield* close();
      open.push(version);
    }
  }
  yield* close();
}

/** S3 sorts keys by their bytes. */
const compareBytes = (one: string, other: string): number =>
  Buffer.compare(Buffer.from(one), Buffer.from(other));
