import * as z from 'zod';
import type { SourceCells } from '#shared/answers/decide/read-cells.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { TrainingExample } from '../schema/training-job.ts';
import { countReplies, isText, readExample, readExamples, type Skip } from './example.ts';
import type { ExampleColumns } from './record.ts';

/**
 * The examples of a row: one, those of both sides of a comparison, the original first, or those of the replies of a
 * conversation, the last first.
 */
export const Examples = z.tuple([TrainingExample], TrainingExample);
export type Examples = z.infer<typeof Examples>;

const SIDES = ['original', 'adapted'] as const;

/**
 * The examples of a row. A comparison takes a row only if both sides can be trained on, and compared. What the adaptation has answered of
 * a conversation whose user speaks last has no answer among the originals: their last reply is one to an earlier question.
 */
export function readSides(
  sides: readonly ExampleColumns[],
  cells: SourceCells,
  row: number,
): Examples | Skip {
  const [only] = sides;
  if (sides.length === 1 && only !== undefined) {
    const read = readExamples(only, cells, row);
    return 'skip' in read ? read : [...read];
  }
  const examples: TrainingExample[] = [];
  for (const [n, columns] of sides.entries()) {
    const example = readExample(columns, cells, row);
    const lacks = 'skip' in example ? example.skip : isText(example) ? 'no prompt' : null;
    if (lacks !== null) return { skip: `${lacks} (${SIDES[n]})` };
    examples.push(example as TrainingExample);
  }
  const [original, adapted] = examples;
  // Where both are read from one conversation, the original may end before the last question.
  const isOfOne = sides[0]?.completion === null && sides[0].prompt === sides[1]?.whole;
  if (isOfOne && original?.messages.length !== adapted?.messages.length) {
    return { skip: `no completion (${SIDES[0]})` };
  }
  return examples as Examples;
}

/** The first of the examples that `readSides` reads of a row, and for how many the row counts: a row of a comparison is one. */
export function countSides(
  sides: readonly ExampleColumns[],
  cells: SourceCells,
  row: number,
): ReturnType<typeof countReplies> {
  const [only] = sides;
  if (sides.length === 1 && only !== undefined) return countReplies(only, cells, row);
  const read = readSides(sides, cells, row);
  return 'skip' in read ? read : { first: read[0], examples: 1 };
}

/** What a refusal says to those who can name columns. */
export const OTHER_COLUMNS = ', or name other columns';

/**
 * The refusal of a training of which no row can be held out: it could never have a model that is known to be better.
 * @param least different rows with a prompt that are needed: two, or one of a validation dataset
 */
export function nothingToCompare(least = 2): ServiceError {
  const needed =
    least === 1
      ? 'no row of the validation dataset has a prompt. Add rows with prompts, or name another dataset.'
      : `too few different rows of the dataset have a prompt: two are needed at least. Texts without a prompt can be trained on beside such rows, not alone. Add rows with prompts${OTHER_COLUMNS}.`;
  return new ServiceError(
    'dataset_untrainable',
    `Models are compared by their answers to prompts that they were not trained on, and ${needed}`,
  );
}

/** The refusal of a training with fewer examples than its model needs: how many there are, and why not more. */
export function tooFewExamples(
  { model, least }: { readonly model: string; readonly least: number },
  examples: number,
  skipped: ReadonlyMap<string, number>,
  /** Rows that the training asked a model to add, and how many it did. */
  addition: { readonly asked: number; readonly added: number } = { asked: 0, added: 0 },
): ServiceError {
  const { asked, added } = addition;
  const fewer =
    added < asked ? ` Of ${asked} rows to be added, a model wrote ${added} that could be used.` : '';
  const why = [...skipped].map(([reason, rows]) => `${rows} have ${reason}`).join(', ');
  return new ServiceError(
    'dataset_untrainable',
    `${model} needs at least ${least} rows, and ${examples} rows of the dataset can be used${why === '' ? '' : ` (${why})`}.${fewer} Correct or add rows${OTHER_COLUMNS}.`,
  );
}
