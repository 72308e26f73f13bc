import { adaptedRunId, type DatasetRecord, hasResult } from '#shared/datasets/decide/record.ts';
import { WAITS } from '#shared/datasets/decide/trainable.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import type { TrainingColumnMapping } from '../schema/training.ts';
import { conversationsOf, findColumns, readMapping } from './columns.ts';
import type { ExampleColumns } from './record.ts';
import type { TrainingSource } from './resolve.ts';

/**
 * The adaptation that a comparison compares with its originals.
 * @throws {ServiceError} `dataset_not_ready`, saying what to do first
 */
export function requireAdapted(dataset: DatasetRecord): string {
  const runId = adaptedRunId(dataset);
  if (hasResult(dataset) && runId !== null) return runId;
  throw new ServiceError(
    'dataset_not_ready',
    hasResult(dataset)
      ? 'The rows of the dataset are not adapted: adapt it, then compare the adaptation with its originals.'
      : WAITS[dataset.state],
  );
}

/**
 * The columns of both sides: `mapped` by the adaptation, unless the request names others. The adapted side has no reasoning traces and no preference pairs, which the originals lack.
 * @throws {ServiceError} `dataset_untrainable` if the originals have no prompts or no answers, what `readMapping` throws
 */
export function columnsOfSides(
  source: TrainingSource,
  mapped: ConfiguredColumnMapping | null,
  requested: TrainingColumnMapping | undefined,
): { readonly original: ExampleColumns; readonly adapted: ExampleColumns } {
  const found = findColumns(source);
  const completion = found?.completion ?? found?.chosen ?? null;
  if (found === null || completion === null) {
    throw new ServiceError('dataset_untrainable', 'The adaptation has no prompts and answers to train on.');
  }
  const single = {
    completion,
    reasoning_trace: null,
    chosen: null,
    rejected: null,
    ...(found.tools === undefined ? {} : { tools: found.tools }),
    ...(found.history === undefined ? {} : { history: found.history }),
    ...(found.system === undefined ? {} : { system: found.system }),
  };
  const original = requested === undefined ? originalRoles(source, mapped) : readMapping(requested, source);
  requireFilled(source, [original.prompt, original.completion]);
  const context = found.context.filter((name) => name !== original.prompt && name !== original.completion);
  const sides = {
    original: { ...single, context, prompt: original.prompt, completion: original.completion },
    adapted: { ...found, ...single, context },
  };
  return {
    original: { ...sides.original, conversations: conversationsOf(source, sides.original) },
    adapted: { ...sides.adapted, conversations: conversationsOf(source, sides.adapted) },
  };
}

/** Requires cells with content in each of the columns, as far as the profile of the file says. */
function requireFilled({ dataset, shape }: TrainingSource, names: readonly (string | null)[]): void {
  for (const name of names) {
    const source = shape.columns.find((column) => column.name === name)?.source;
    const profile = dataset.columns?.find((column) => column.name === source)?.profile;
    if (profile?.is_empty === true) {
      throw new ServiceError(
        'dataset_untrainable',
        `All cells of the column ${JSON.stringify(name)} are empty, so the originals have nothing to train on. If other columns of the dataset hold their prompts and answers, name them in column_mapping.`,
      );
    }
  }
}

function originalRoles(
  { shape }: TrainingSource,
  mapped: ConfiguredColumnMapping | null,
): Pick<ExampleColumns, 'prompt' | 'completion'> {
  const { prompt, completion } = mapped ?? {};
  if (shape.turns?.isWhole === true) return { prompt: shape.turns.name, completion: null };
  // A column of the file that is called like one of the adaptation has another name in the download.
  const nameOf = (file: string | undefined): string | null =>
    shape.columns.find(({ source, result }) => source === file && result === undefined)?.name ?? null;
  const [asked, answer] = [nameOf(prompt), nameOf(completion)];
  if (asked !== null && answer !== null) return { prompt: asked, completion: answer };
  throw new ServiceError(
    'dataset_untrainable',
    `The originals have no ${answer === null ? 'answers' : 'prompts'}: the adaptation wrote them, so there is nothing to compare it with. If a column of the dataset holds them, name prompt and completion in column_mapping.`,
  );
}
