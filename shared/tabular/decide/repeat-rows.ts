import { BlockWriter } from './block-writer.ts';
import { LineCursor } from './line-cursor.ts';

const NEWLINE = 0x0a;

/**
 * Copies selected rows of a source, repeated as often as they are listed. Yields blocks of complete lines, one in
 * memory at a time; with an empty selection the source is not read.
 * @param source bodies of canonical chunks, in order
 * @param rows indexes of rows, in ascending order, possibly repeated
 * @throws if the indexes are out of order, or name a row that the source does not have
 */
export async function* repeatRows(
  source: AsyncIterable<Uint8Array>,
  rows: AsyncIterable<number>,
): AsyncGenerator<Buffer> {
  const lines = new LineCursor(source);
  const output = new BlockWriter();
  let at = -1;
  try {
    for await (const row of rows) {
      if (row < at) throw new Error(`rows are not named in order: ${row} follows ${at}`);
      for (; at < row; at += 1) {
        if (lines.step() || (await lines.fill())) continue;
        throw new Error(`row ${row} is named, which the source does not have`);
      }
      output.write(lines.bytes, lines.start, lines.end);
      output.writeByte(NEWLINE);
      if (output.full) yield output.take();
    }
    if (output.length > 0) yield output.take();
  } finally {
    await lines.close();
  }
}
