import type { ObjectStore } from '#shared/platform/storage/object-store.ts';

/** Bytes of a part: S3 takes no smaller ones, but for the last. */
const PART_BYTES = 8 * 1024 * 1024;

export type PartedObjects = Pick<
  ObjectStore,
  'write' | 'beginParts' | 'writePart' | 'finishParts' | 'abandonParts'
>;

/** Writes an object of unknown size piece by piece, with one part in memory. A small one is written at once. */
export class ObjectWriter {
  readonly #objects: PartedObjects;
  readonly #key: string;
  readonly #contentType: string;
  #pieces: Uint8Array[] = [];
  #waiting = 0;
  #uploadId: string | null = null;
  readonly #etags: string[] = [];

  constructor(objects: PartedObjects, key: string, contentType: string) {
    this.#objects = objects;
    this.#key = key;
    this.#contentType = contentType;
  }

  async write(piece: Uint8Array): Promise<void> {
    this.#pieces.push(piece);
    this.#waiting += piece.length;
    if (this.#waiting >= PART_BYTES) await this.#writePart();
  }

  /** Completes the object. */
  async end(): Promise<void> {
    if (this.#uploadId === null) {
      await this.#objects.write(this.#key, this.#take(), this.#contentType);
      return;
    }
    if (this.#waiting > 0) await this.#writePart();
    await this.#objects.finishParts(this.#key, this.#uploadId, this.#etags);
    this.#uploadId = null;
  }

  /** Gives up what was written; does nothing after `end`. */
  async abandon(): Promise<void> {
    this.#pieces = [];
    if (this.#uploadId !== null) await this.#objects.abandonParts(this.#key, this.#uploadId);
    this.#uploadId = null;
  }

  async #writePart(): Promise<void> {
    this.#uploadId ??= await this.#objects.beginParts(this.#key, this.#contentType);
    const number = this.#etags.length + 1;
    this.#etags.push(await this.#objects.writePart(this.#key, this.#uploadId, number, this.#take()));
  }

  #take(): Buffer {
    const body = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#waiting = 0;
    return body;
  }
}
