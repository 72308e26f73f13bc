import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { DocumentLimits } from '../../decide/documents/limits.ts';
import { fileUnreadable, formatBytes, quoteName } from '../../decide/file-error.ts';
import { ByteReader, type InflateErrors, inflateMember } from '../../decide/inflate.ts';

/** The remaining budget of inflated bytes of an upload, shared with nested archives. */
export class InflateBudget {
  readonly #bytesMax: number;
  #left: number;

  constructor({ inflatedBytesMax }: Pick<DocumentLimits, 'inflatedBytesMax'>) {
    this.#bytesMax = inflatedBytesMax;
    this.#left = inflatedBytesMax;
  }

  get left(): number {
    return this.#left;
  }

  spend(bytes: number): void {
    this.#left -= bytes;
  }

  exceeded(): ServiceError {
    return new ServiceError(
      'file_too_large',
      `It inflates to more than ${formatBytes(this.#bytesMax)}, the limit for one upload. Split it and upload the parts.`,
    );
  }
}

const LOCAL_HEADER_BYTES = 30;
const SYMBOLIC_LINK = 0o120000;
const FILE_TYPE = 0o170000;

const damaged = (): ServiceError =>
  fileUnreadable('Its ZIP archive is damaged. Create it again and upload it.');

/**
 * A ZIP archive, or a document that is one. Members are inflated while they are read, and their output counts against
 * the upload's budget; no file is created from a member's name.
 */
export class Archive {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #budget: InflateBudget;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>, budget: InflateBudget) {
    this.#zip = zip;
    this.#entries = entries;
    this.#budget = budget;
  }

  /**
   * Opens the archive at `path` and reads its directory.
   * @throws {ServiceError} `file_unreadable` if it is damaged, has too many members, overlapping members, or one with
   * an unsafe name or type
   */
  static async open(
    path: string,
    budget: InflateBudget,
    { entriesMax }: Pick<DocumentLimits, 'entriesMax'>,
  ): Promise<Archive> {
    const zip = await openPromise(path, { autoClose: false }).catch((error: unknown) => {
      throw asArchiveError(error);
    });
    try {
      if (zip.entryCount > entriesMax) {
        throw fileUnreadable(
          `Its ZIP archive has ${zip.entryCount} members; at most ${entriesMax} are read. Split it and upload the parts.`,
        );
      }
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) {
        if (((entry.externalFileAttributes >>> 16) & FILE_TYPE) === SYMBOLIC_LINK) {
          throw fileUnreadable(
            `Its ZIP archive holds the link ${quoteName(entry.fileName)}. Put the files themselves into it.`,
          );
        }
        if (entries.has(entry.fileName)) {
          throw fileUnreadable(
            `Its ZIP archive holds ${quoteName(entry.fileName)} twice. Create the archive again.`,
          );
        }
        entries.set(entry.fileName, entry);
      }
      requireApart([...entries.values()]);
      return new Archive(zip, entries, budget);
    } catch (error) {
      zip.close();
      throw asArchiveError(error);
    }
  }

  /** Names of the members that are files, in directory order. */
  get names(): string[] {
    return [...this.#entries.keys()].filter((name) => !name.endsWith('/'));
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /**
   * The bytes of a member.
   * @throws {ServiceError} `file_unreadable` if it is missing, encrypted, damaged, or of another size than the archive
   * declares; `file_too_large`
   */
  async *stream(name: string): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(name);
    if (entry === undefined) {
      throw fileUnreadable(`Its part ${quoteName(name)} is missing. Save the document again and upload it.`);
    }
    if (entry.isEncrypted()) {
      throw fileUnreadable('It is encrypted. Upload it without a password.');
    }
    if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) {
      throw fileUnreadable(
        'Its compression method is not supported. Use the default method of your ZIP program.',
      );
    }
    const lies = (): ServiceError =>
      fileUnreadable(
        `Its ZIP archive states ${formatBytes(entry.uncompressedSize)} for ${quoteName(name)}, which has another size. Create it again and upload it.`,
      );
    const source = await this.#zip
      .openReadStreamPromise(entry, { decodeFileData: false })
      .catch((error: unknown) => {
        throw asArchiveError(error);
      });
    const left = this.#budget.left;
    const errors: InflateErrors = {
      damaged,
      tooLarge: () => (entry.uncompressedSize < left ? lies() : this.#budget.exceeded()),
      unnatural: () =>
        fileUnreadable(
          `${quoteName(name)} inflates to far more than real data does. Upload the file itself.`,
        ),
    };
    let bytes = 0;
    let sum = 0;
    const storedBytes = entry.compressionMethod === 0 ? entry.compressedSize : null;
    try {
      for await (const piece of inflateMember(
        new ByteReader(source),
        storedBytes,
        Math.min(entry.uncompressedSize, left),
        errors,
      )) {
        bytes += piece.length;
        this.#budget.spend(piece.length);
        sum = crc32(piece, sum);
        yield piece;
      }
    } finally {
      source.destroy();
    }
    if (bytes !== entry.uncompressedSize) throw lies();
    if (sum !== entry.crc32) throw damaged();
  }

  close(): void {
    this.#zip.close();
  }
}

/** Zip bombs use overlapping members. */
function requireApart(entries: readonly Entry[]): void {
  const sorted = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
  let end = 0;
  for (const { relativeOffsetOfLocalHeader: start, compressedSize } of sorted) {
    if (start < end) throw damaged();
    end = start + LOCAL_HEADER_BYTES + compressedSize;
  }
}

function asArchiveError(error: unknown): unknown {
  if (error instanceof ServiceError || !(error instanceof Error)) return error;
  // Disk errors are not the caller's.
  if ('syscall' in error) return error;
  const [, name] =
    /^(?:absolute path|invalid relative path|invalid characters in fileName): (.*)$/s.exec(error.message) ??
    [];
  if (name !== undefined) {
    return fileUnreadable(
      `Its ZIP archive holds a file whose path leaves the archive: ${quoteName(name)}. Create it again and upload it.`,
      error,
    );
  }
  return fileUnreadable('Its ZIP archive is damaged. Create it again and upload it.', error);
}
