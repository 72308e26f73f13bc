import { type NetworkShape, type Projection, widthsOf } from './network-shape.ts';

/**
 * For rotary embeddings llama.cpp rotates adjacent columns of a query or key head; in Hugging Face checkpoints these
 * columns are half a head apart. GGUF files of the Llama architecture therefore have the rows of both maps in another
 * order: row 2·i + j of a head is row j · half + i of the checkpoint.
 */
export function fromGgufRows(shape: NetworkShape, projection: Projection, rows: Float32Array): Float32Array {
  return reorder(shape, projection, rows, (target, source) => ({ to: target, from: source }));
}

/** The reverse: from the order of a checkpoint to that of GGUF. Other maps are unchanged. */
export function toGgufRows(shape: NetworkShape, projection: Projection, rows: Float32Array): Float32Array {
  return reorder(shape, projection, rows, (target, source) => ({ to: source, from: target }));
}

function reorder(
  shape: NetworkShape,
  projection: Projection,
  rows: Float32Array,
  choose: (checkpointRow: number, ggufRow: number) => { to: number; from: number },
): Float32Array {
  if (projection !== 'q' && projection !== 'k') return rows;
  const { output } = widthsOf(shape, projection);
  const width = rows.length / output;
  const half = shape.headWidth / 2;
  const result = new Float32Array(rows.length);
  for (let head = 0; head < output; head += shape.headWidth) {
    for (let pair = 0; pair < half; pair += 1) {
      for (const side of [0, 1]) {
        const { to, from } = choose(head + side * half + pair, head + 2 * pair + side);
        result.set(rows.subarray(from * width, (from + 1) * width), to * width);
      }
    }
  }
  return result;
}
