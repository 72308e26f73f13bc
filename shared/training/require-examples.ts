import { readCells } from '#shared/answers/decide/read-cells.ts';
import { deliveredRows } from '#shared/exports/build-export.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { joinRows } from '#shared/tabular/decide/join-rows.ts';
import { columnsOfExamples, isText } from './decide/example.ts';
import { drawOf, type Fraction } from './decide/hold-out.ts';
import type { ExampleColumns } from './decide/record.ts';
import { nothingToCompare, readSides, tooFewExamples } from './decide/sides.ts';
import type { TrainingExample } from './schema/training-job.ts';
import type { OpenedSource } from './training-source.ts';

/** Bytes of rows that a launch reads. Of a larger dataset without examples in them, only the preparation knows. */
export const READ_BYTES_MAX = 16 * 1024 * 1024;

/** Different rows with a prompt: one to train on, and one to compare models on. */
export const COMPARED_ROWS_MIN = 2;

/**
 * Requires that rows of a dataset are examples, as far as a launch reads them: it stops at as many as the model needs.
 * @param sides the columns of a training, or those of both sides of a comparison
 * @param added rows that a model will write for the training
 * @param compared different rows with a prompt that are needed for models to be compared on
 * @throws {ServiceError} `dataset_untrainable`, with the number of examples, and of other rows by reason
 */
export async function requireExamples(
  objects: Pick<ObjectStore, 'read'>,
  { manifest, run, shape }: OpenedSource,
  sides: readonly ExampleColumns[],
  {
    model,
    least,
    added,
    compared,
  }: { readonly model: string } & Readonly<Record<'least' | 'added' | 'compared', number>>,
): Promise<void> {
  const names = [...new Set(sides.flatMap(columnsOfExamples))];
  const columns = shape.columns.filter(({ name }) => names.includes(name));
  const { added: inOtherLanguages, ...rows } = deliveredRows(objects, manifest, run);
  const further = sides.length > 1 || inOtherLanguages === undefined ? {} : { added: inOtherLanguages };
  // Added rows follow rows of the dataset, so that one of these is needed in any case.
  const needed = Math.max(1, least - added);
  const skipped = new Map<string, number>();
  const different = new Set<Fraction>();
  // A comparison holds out prompts.
  const draw = sides.length > 1 ? ({ messages }: TrainingExample) => drawOf({ messages }) : drawOf;
  let [examples, bytes, row] = [0, 0, 0];
  for await (const block of joinRows({ columns, ...rows, ...further })) {
    for (const line of block.toString('utf8').split('\n')) {
      if (line === '') continue;
      const read = readSides(sides, readCells(line, names), row);
      row += 1;
      if ('skip' in read) skipped.set(read.skip, (skipped.get(read.skip) ?? 0) + 1);
      else {
        examples += 1;
        const [first] = read;
        if (different.size < compared && !isText(first)) different.add(draw(first));
      }
      if (examples >= needed && different.size >= compared) return;
    }
    bytes += block.length;
    if (bytes > READ_BYTES_MAX) return;
  }
  if (examples >= needed) throw nothingToCompare(compared);
  throw tooFewExamples({ model, least }, examples, skipped);
}
