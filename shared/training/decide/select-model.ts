import type { TuningMethod } from '../schema/training.ts';
import type { CatalogModel } from './catalog.ts';

/** Properties of a training before its model is selected. */
export interface TrainingTask {
  readonly method: TuningMethod;
  /** Rows for training, including those of an augmentation. */
  readonly rows: number;
  /** Number of tokens of a long row. */
  readonly rowTokens: number;
  /** Whether rows have reasoning traces to train on. */
  readonly reasoning: boolean;
}

/** Model sizes by number of rows: a larger model would memorise, and costs more. */
const SIZES = [
  { rowsBelow: 5000, billionsMax: 4 },
  { rowsBelow: 50_000, billionsMax: 10 },
  { rowsBelow: Number.POSITIVE_INFINITY, billionsMax: 40 },
] as const;

/**
 * The default model for a task: the largest one for which the rows are enough, by its own minimum and by `SIZES`, and
 * whose context fits a long row; ties use catalog order. If rows have reasoning traces, models that train with them
 * come first. If no model qualifies, the smallest one whose context fits a long row, else the smallest.
 *
 * @param models smallest first, and at least one
 */
export function selectModel(models: readonly CatalogModel[], task: TrainingTask): CatalogModel {
  const billionsMax = SIZES.find(({ rowsBelow }) => task.rows < rowsBelow)?.billionsMax ?? 0;
  const roomy = models.filter(({ context }) => context[task.method] >= task.rowTokens);
  const fitting = roomy.filter(({ billions, rows_min }) => billions <= billionsMax && task.rows >= rows_min);
  const reasoning = task.reasoning ? fitting.filter((model) => model.train_with_reasoning) : [];
  const able = reasoning.length > 0 ? reasoning : fitting;
  const largest = Math.max(...able.map(({ billions }) => billions));
  const [chosen] = [...able.filter(({ billions }) => billions === largest), ...roomy, ...models];
  if (chosen === undefined) throw new Error('No deployed trainer can train a model of the catalog.');
  return chosen;
}
