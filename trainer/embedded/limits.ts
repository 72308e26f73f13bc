import type { StageHyperparams, TrainingJob } from '#shared/training/schema/training-job.ts';
import { moduleName } from './adapter-files.ts';
import { RefusedError } from './errors.ts';
import { type Projection, projections } from './network-shape.ts';

const ofTheAdapter = [
  'training_type',
  'lora_r',
  'lora_alpha',
  'lora_trainable_modules',
] as const satisfies readonly (keyof StageHyperparams)[];

/**
 * The linear maps in `lora_trainable_modules`: `all-linear`, or names separated by commas.
 * @throws {RefusedError} listing the available ones, for one that the model does not have.
 */
export function adaptedModules(text: string): Projection[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 1 && names[0] === 'all-linear') return [...projections];
  const unknown = names.filter((name) => !projections.some((projection) => moduleName(projection) === name));
  if (unknown.length > 0 || names.length === 0) {
    throw new RefusedError(
      `lora_trainable_modules names ${unknown.join(', ') || 'nothing'}; the base model has ` +
        `${projections.map(moduleName).join(', ')}.`,
    );
  }
  return projections.filter((projection) => names.includes(moduleName(projection)));
}

/**
 * Requires that all stages of a job train one adapter.
 * @throws {RefusedError} for another job.
 */
export function requireOneAdapter({ stages }: TrainingJob): void {
  for (const [index, { hyperparams }] of stages.entries()) {
    if (hyperparams.training_type !== 'lora') {
      throw new RefusedError('The embedded trainer trains adapters alone: ask for training_type "lora".');
    }
    for (const name of ofTheAdapter) {
      if (hyperparams[name] !== stages[0]?.hyperparams[name]) {
        throw new RefusedError(
          `stages.${index}.hyperparams.${name} differs from the first stage’s: one adapter goes through all stages.`,
        );
      }
    }
  }
}
