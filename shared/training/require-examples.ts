import { readCells } from '#shared/answers/decide/read-cells.ts';
import { deliveredRows } from '#shared/exports/build-export.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { joinRows } from '#shared/tabular/decide/join-rows.ts';
import type { RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { columnsOfExamples, isText } from './decide/example.ts';
import { drawOf, type Fraction } from './decide/hold-out.ts';
import type { ExampleColumns } from './decide/record.ts';
import { countSides, nothingToCompare, tooFewExamples } from './decide/sides.ts';
import type { TrainingExample } from './schema/training-job.ts';
import type { OpenedSource } from './training-source.ts';

/** Bytes of objects that a launch reads, and those that are read ahead. What else there is in a larger dataset, only the preparation knows. */
export const READ_BYTES_MAX = 16 * 1024 * 1024;

/** Different rows with a prompt: one to train on, and one to compare models on. */
export const COMPARED_ROWS_MIN = 2;

/** What a launch has read of the rows of a dataset. */
export interface CountedExamples {
  /** The examples of the dataset: counted, or of a dataset that was read in part as many as the share of those that were read says, or all if these are none. */
  readonly usable: number;
  /** Examples that were read. */
  readonly examples: number;
  /** Different ones with a prompt, up to two of them. */
  readonly different: number;
  /** Rows that make no example, by why. */
  readonly skipped: ReadonlyMap<string, number>;
  /** Whether there is nothing that was not read. */
  readonly isWhole: boolean;
}

/** Examples that a model needs, rows that a model will add to them, and different rows with a prompt to compare models on. */
type NeededExamples = Readonly<Record<'least' | 'added' | 'compared', number>>;

/**
 * Counts the examples among the first rows of a dataset, up to `READ_BYTES_MAX`.
 * @param sides the columns of a training, or those of both sides of a comparison
 * @param enough where the reading stops, if it is only asked whether there are as many
 */
export async function countExamples(
  objects: Pick<ObjectStore, 'read'>,
  { manifest, run, shape, rows: all }: OpenedSource,
  sides: readonly ExampleColumns[],
  enough?: NeededExamples,
): Promise<CountedExamples> {
  const names = [...new Set(sides.flatMap(columnsOfExamples))];
  const columns = shape.columns.filter(({ name }) => names.includes(name));
  const chunks = chunksWithin(manifest);
  const isPart = chunks.length < manifest.chunks.length;
  const part = isPart ? { rowsMax: chunks.reduce((sum, { row_count }) => sum + row_count, 0) } : {};
  let bytes = 0;
  const counting: typeof objects = {
    read: async (key) => {
      const body = await objects.read(key);
      bytes += body?.length ?? 0;
      return body;
    },
  };
  const { added: inOtherLanguages, ...rows } = deliveredRows(counting, { chunks }, run);
  const further =
    isPart || sides.length > 1 || inOtherLanguages === undefined ? {} : { added: inOtherLanguages };
  const skipped = new Map<string, number>();
  const different = new Set<Fraction>();
  // A comparison holds out prompts.
  const draw = sides.length > 1 ? ({ messages }: TrainingExample) => drawOf({ messages }) : drawOf;
  let [examples, row] = [0, 0];
  const counted = (isWhole: boolean): CountedExamples => ({
    usable: isWhole ? examples : examples === 0 ? all : Math.round((all * examples) / row),
    examples,
    different: different.size,
    skipped,
    isWhole,
  });
  for await (const block of joinRows({ columns, ...rows, ...part, ...further })) {
    for (const line of block.toString('utf8').split('\n')) {
      if (line === '') continue;
      const read = countSides(sides, readCells(line, names), row);
      row += 1;
      if ('skip' in read) skipped.set(read.skip, (skipped.get(read.skip) ?? 0) + 1);
      else {
        examples += read.examples;
        const { first } = read;
        if (different.size < COMPARED_ROWS_MIN && !isText(first)) different.add(draw(first));
      }
      if (enough !== undefined && isEnough({ examples, different: different.size }, enough)) {
        return counted(false);
      }
    }
    if (bytes > READ_BYTES_MAX) return counted(false);
  }
  return counted(!isPart);
}

/** The first chunks of a dataset, as many as a launch reads. */
function chunksWithin({ chunks }: Pick<RowsManifest, 'chunks'>): RowsManifest['chunks'] {
  let bytes = 0;
  const end = chunks.findIndex((chunk) => {
    bytes += chunk.bytes;
    return bytes >= READ_BYTES_MAX;
  });
  return end === -1 ? chunks : chunks.slice(0, end + 1);
}

/** Added rows follow rows of the dataset, so that one of these is needed in any case. */
const isEnough = (
  { examples, different }: Pick<CountedExamples, 'examples' | 'different'>,
  { least, added, compared }: NeededExamples,
): boolean => examples >= Math.max(1, least - added) && different >= compared;

/**
 * Requires that rows of a dataset are examples, as far as a launch has read them.
 * @throws {ServiceError} `dataset_untrainable`, with the number of examples, and of other rows by reason
 */
export function requireExamples(
  counted: CountedExamples,
  { model, ...needed }: NeededExamples & { readonly model: string },
): void {
  if (!counted.isWhole || isEnough(counted, needed)) return;
  if (isEnough(counted, { ...needed, compared: 0 })) throw nothingToCompare(needed.compared);
  throw tooFewExamples({ model, least: needed.least }, counted.examples, counted.skipped);
}
