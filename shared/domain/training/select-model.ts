import type { TuningMethod } from '../../schema/training.ts';
import type { CatalogModel } from './catalog.ts';

/** Properties of a training before its model is selected. */
export interface TrainingTask {
  readonly method: TuningMethod;
  /** Rows that are trained on, those of an augmentation counted. */
  readonly rows: number;
  /** Tokens of a long row. */
  readonly rowTokens: number;
  /** Whether rows have reasoning traces to be trained on. */
  readonly reasoning: boolean;
}

/** Sizes that rows are enough for: a larger model would rather remember than learn, and costs more for it. */
const SIZES = [
  { rowsBelow: 5000, billionsMax: 4 },
  { rowsBelow: 50_000, billionsMax: 10 },
  { rowsBelow: Number.POSITIVE_INFINITY, billionsMax: 40 },
] as const;

/**
 * The model for a task where the caller names none: of those that the rows are enough for, by each model's own
 * minimum and by `SIZES`, and whose context holds a long row, the largest; of several such the first in the catalog.
 * Where rows have reasoning traces, that is the largest of those that train with them, if there is one.
 * Where no model is left, the smallest whose context holds a long row, else the smallest.
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
