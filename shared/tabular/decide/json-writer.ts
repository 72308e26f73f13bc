import { BlockWriter } from './block-writer.ts';
import { LineCursor } from './line-cursor.ts';

/** Writes canonical lines as one JSON array, one object a line. */
export async function* writeJson(rows: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const lines = new LineCursor(rows);
  const output = new BlockWriter();
  output.writeByte(0x5b);
  let first = true;
  try {
    while (lines.step() || (await lines.fill())) {
      if (!first) output.writeByte(0x2c);
      first = false;
      output.writeByte(0x0a);
      output.write(lines.bytes, lines.start, lines.end);
      if (output.full) yield output.take();
    }
    output.write(Buffer.from(first ? ']\n' : '\n]\n'));
    yield output.take();
  } finally {
    await lines.close();
  }
}
