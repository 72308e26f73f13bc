import * as z from 'zod';

/** Tells apart what another release has written. */
const FORMAT = 0x54_4d_56_01;
const PREFIX_BYTES = 8;

const Header = z.object({
  model: z.string(),
  dimensions: z.int().min(1),
  normalization: z.literal('unit length'),
  rows: z.int().min(0),
});

export interface VectorShard {
  /** The model whose vectors these are. */
  readonly model: string;
  readonly dimensions: number;
  /** One after another, 32-bit floats. */
  readonly vectors: Float32Array;
}

/** An object of vectors: a format number and a length, a header that says of what model they are, and the floats. */
export function writeVectorShard(model: string, vectors: readonly Float32Array[]): Buffer {
  const dimensions = vectors[0]?.length ?? 0;
  const header = { model, dimensions, normalization: 'unit length', rows: vectors.length };
  // Padded with spaces, which JSON permits, so that the floats begin at a multiple of four.
  const text = Buffer.from(JSON.stringify(Header.parse(header)));
  const headerBytes = Math.ceil(text.length / 4) * 4;
  const body = Buffer.alloc(PREFIX_BYTES + headerBytes + 4 * dimensions * vectors.length, ' ');
  body.writeUInt32LE(FORMAT, 0);
  body.writeUInt32LE(headerBytes, 4);
  text.copy(body, PREFIX_BYTES);
  let at = PREFIX_BYTES + headerBytes;
  for (const vector of vectors) {
    if (vector.length !== dimensions) throw new RangeError('The vectors of a shard differ in length.');
    Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).copy(body, at);
    at += vector.byteLength;
  }
  return body;
}

/** @throws where the object holds something else */
export function readVectorShard(body: Buffer): VectorShard {
  if (body.length < PREFIX_BYTES || body.readUInt32LE(0) !== FORMAT) {
    throw new Error('The object holds no vectors of the pool.');
  }
  const start = PREFIX_BYTES + body.readUInt32LE(4);
  const { model, dimensions, rows } = Header.parse(JSON.parse(body.toString('utf8', PREFIX_BYTES, start)));
  if (body.length !== start + 4 * dimensions * rows)
    throw new Error('The vectors of the pool are incomplete.');
  // A view needs an offset that is a multiple of four, which a pooled buffer may not have.
  return { model, dimensions, vectors: new Float32Array(Uint8Array.from(body.subarray(start)).buffer) };
}
