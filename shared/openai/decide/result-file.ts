import type { TrainingRecord } from '#shared/training/decide/record.ts';
import type { TrainingMetrics } from '#shared/training/schema/training-metrics.ts';
import type { FileObject } from '../schema/files.ts';
import { fileIdOf, unixSeconds } from './ids.ts';

/** Whether a job leaves a file of its metrics. */
export const hasResults = ({ status }: Pick<TrainingRecord, 'status'>): boolean => status === 'succeeded';

/** The id of that file, whose digits are those of the job. */
export const resultFileId = ({ experiment_id }: Pick<TrainingRecord, 'experiment_id'>): string =>
  fileIdOf(experiment_id);

/** Columns of OpenAI's result files. Accuracies of tokens are not measured: their cells are empty. */
const COLUMNS = ['step', 'train_loss', 'train_accuracy', 'valid_loss', 'valid_mean_token_accuracy'];

/** The losses by step of the iteration whose model the job left, as CSV. Steps of a later stage go on from the one before. */
export function resultCsv({ iterations, best_iteration: best }: TrainingMetrics): string {
  const iteration = iterations.find(({ iteration: n }) => n === best) ?? iterations.at(-1);
  let before = 0;
  const lines = (iteration?.stages ?? []).flatMap(({ steps, training_loss, held_out_loss }) => {
    const trained = new Map(training_loss.map(({ step, loss }) => [step, loss]));
    const valid = new Map(held_out_loss.map(({ step, loss }) => [step, loss]));
    const first = before;
    before += steps;
    return [...new Set([...trained.keys(), ...valid.keys()])]
      .sort((a, b) => a - b)
      .map((step) => [first + step, trained.get(step) ?? '', '', valid.get(step) ?? '', ''].join(','));
  });
  return `${[COLUMNS.join(','), ...lines].join('\n')}\n`;
}

/** The file of a job's metrics, as a file of OpenAI's API. */
export const toResultFile = (training: TrainingRecord, csv: string): FileObject => ({
  id: resultFileId(training),
  object: 'file',
  bytes: Buffer.byteLength(csv),
  created_at: unixSeconds(training.completed_at ?? training.created_at),
  filename: RESULT_FILE,
  purpose: 'fine-tune-results',
  status: 'processed',
  status_details: null,
});

export const RESULT_FILE = 'step_metrics.csv';
