import type { TrainingForm } from '#shared/platform/schema/file-format.ts';
import { BlockWriter } from '../block-writer.ts';
import { scanLine } from '../join-rows.ts';
import { LineCursor } from '../line-cursor.ts';
import { cellText, ObjectScanner, scannedKey, scannedValue } from '../raw-object.ts';
import { type FormColumns, writeTrainingRow } from './training-row.ts';

/**
 * Writes canonical lines as lines of a form for trainers. A row that the form cannot hold is left out.
 * @param columnsOf the columns by which a row is read
 */
export async function* writeForm(
  form: TrainingForm,
  columnsOf: (cells: ReadonlyMap<string, string | null>) => FormColumns,
  rows: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  const lines = new LineCursor(rows);
  const scanner = new ObjectScanner();
  const output = new BlockWriter();
  try {
    while (lines.step() || (await lines.fill())) {
      scanLine(scanner, lines);
      const cells = new Map<string, string | null>();
      for (let index = 0; index < scanner.count; index += 1) {
        cells.set(
          scannedKey(lines.bytes, scanner, index),
          cellText(scannedValue(lines.bytes, scanner, index)),
        );
      }
      const row = writeTrainingRow(form, columnsOf(cells), cells);
      if (row === null) continue;
      output.write(Buffer.from(`${JSON.stringify(row)}\n`, 'utf8'));
      if (output.full) yield output.take();
    }
    yield output.take();
  } finally {
    await lines.close();
  }
}
