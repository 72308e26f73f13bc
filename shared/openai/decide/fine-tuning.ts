import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { own } from '#shared/platform/own.ts';
import { hasModel } from '#shared/training/decide/artifact.ts';
import { PREFERENCE_COLUMNS } from '#shared/training/decide/columns.ts';
import { digitsOf, fineTunedModelOf } from '#shared/training/decide/model-name.ts';
import { learningRateFor } from '#shared/training/decide/recommend-hyperparams.ts';
import { type FineTuning, shownTraining, type TrainingRecord } from '#shared/training/decide/record.ts';
import { ALWAYS_FITS, AUGMENTATION_COUNTS, requireModel } from '#shared/training/decide/resolve.ts';
import { OTHER_COLUMNS } from '#shared/training/decide/sides.ts';
import { type CreateTrainingRequest, LEARNING_RATE, type Trainer } from '#shared/training/schema/training.ts';
import type { IterationMetrics, TrainingMetrics } from '#shared/training/schema/training-metrics.ts';
import {
  type CreateFineTuningJobRequest,
  type FineTuningJob,
  type FineTuningJobCheckpoint,
  type FineTuningJobEvent,
  metadataKeyOf,
  type UsedHyperparameters,
} from '../schema/fine-tuning.ts';
import { datasetIdOf, fileIdOf, openaiId, ownId, unixSeconds } from './ids.ts';
import { hasResults, resultFileId } from './result-file.ts';
import { translateError, translateMessage, type Wording } from './translate-error.ts';

/** The training of a job's id. @throws {ServiceError} `training_not_found` */
export async function requireJob(
  trainings: { find(teamId: string, experimentId: string): Promise<TrainingRecord | null> },
  teamId: string,
  jobId: string,
): Promise<TrainingRecord> {
  const id = ownId('ftjob-', jobId);
  return shownTraining(id === null ? null : await trainings.find(teamId, id));
}

/**
 * The metadata that a list of jobs is limited to.
 * @param query fields other than those of the page
 */
export function wantedMetadata(
  query: Readonly<Record<string, unknown>>,
): readonly (readonly [string, unknown])[] {
  return Object.entries(query).flatMap(([name, value]) => {
    const key = metadataKeyOf(name);
    return key === null ? [] : [[key, value] as const];
  });
}

/** Whether a job has all of that metadata. */
export const hasMetadata = (
  { fine_tuning: asked }: TrainingRecord,
  wanted: readonly (readonly [string, unknown])[],
): boolean => wanted.every(([name, value]) => own(asked?.metadata, name) === value);

/** The hyperparameters that a request names, in either form; of one that both have, that of the method. */
function askedHyperparameters({
  method,
  hyperparameters,
}: CreateFineTuningJobRequest): FineTuning['hyperparameters'] {
  const { hyperparameters: own } = (method?.type === 'dpo' ? method.dpo : method?.supervised) ?? {};
  const given: readonly (readonly [string, number | 'auto' | undefined])[] = Object.entries({
    ...hyperparameters,
    ...own,
  });
  return Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/**
 * The learning rate that a factor asks for.
 * @throws {ServiceError} `invalid_request` for one that no training has, with the factors that there are
 */
function rateOf(recommended: number, factor: number): number {
  const rate = recommended * factor;
  const { min, max } = LEARNING_RATE;
  if (rate >= min && rate <= max) return rate;
  const [minimum, maximum] = [
    Math.ceil((min / recommended) * 1e6) / 1e6,
    Math.floor((max / recommended) * 100) / 100,
  ];
  throw invalidField(
    'hyperparams.learning_rate',
    `times the recommended rate of ${recommended} is ${rate}, and rates are ${min} to ${max}: send ${minimum} to ${maximum}, or "auto"`,
    { minimum, maximum },
  );
}

/**
 * What a job asks of a training: the request, and what only the record of the training has.
 * The columns are those that any training of the dataset has.
 * @throws {ServiceError} `model_unsupported`, `invalid_request`
 */
export function trainingOf(
  request: CreateFineTuningJobRequest,
  trainers: readonly Trainer[],
): { readonly request: CreateTrainingRequest; readonly fineTuning: FineTuning } {
  const isDpo = request.method?.type === 'dpo';
  const asked = askedHyperparameters(request);
  const numbers = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== 'auto'));
  const { learning_rate_multiplier: factor, beta, ...hyperparams } = numbers as Record<string, number>;
  const recommended = learningRateFor(requireModel(request.model, trainers), isDpo ? 'dpo' : 'sft');
  const rate = factor === undefined ? undefined : rateOf(recommended, factor);
  const isFixed = ['n_epochs', 'batch_size', 'learning_rate_multiplier'].every((name) =>
    Object.hasOwn(numbers, name),
  );
  return {
    request: {
      dataset_id: datasetIdOf(request.training_file, 'training_file'),
      model: request.model,
      training_method: isDpo ? 'alignment' : 'instruction',
      hyperparams: {
        ...hyperparams,
        ...(beta === undefined ? {} : { dpo_beta: beta }),
        ...(rate === undefined ? {} : { learning_rate: rate }),
      },
      ...(isFixed ? { max_iterations: 1 } : {}),
    },
    fineTuning: {
      suffix: request.suffix ?? null,
      metadata: request.metadata ?? null,
      hyperparameters: asked,
    },
  };
}

/** Paths of a training's errors in the words of the job that asked for it. */
const PATHS: readonly (readonly [string, string])[] = [
  ['hyperparams.learning_rate', 'hyperparameters.learning_rate_multiplier'],
  ['hyperparams.dpo_beta', 'method.dpo.hyperparameters.beta'],
  ['hyperparams.', 'hyperparameters.'],
  ['dataset_id', 'training_file'],
  ['validation_dataset_id', 'validation_file'],
];

const IN_WORDS_OF_JOB: Wording = {
  renamed(path) {
    const [from, to] = PATHS.find(([prefix]) => path.startsWith(prefix)) ?? ['', ''];
    if (from === '') return path;
    return from.endsWith('.') ? `${to}${path.slice(from.length)}` : to;
  },
  words: [
    [AUGMENTATION_COUNTS, ''],
    [OTHER_COLUMNS, ''],
    [ALWAYS_FITS, '"auto"'],
  ],
};

/** An error of a training as one of the job: its details name fields of the job's request. */
export function errorOfJob(error: unknown): unknown {
  if (error instanceof ServiceError && error.code === 'column_mapping_required') {
    return invalidField(
      'training_file',
      'does not say which of its columns hold what: each line needs messages, or prompt and completion; ' +
        `for the method dpo ${PREFERENCE_COLUMNS}`,
    );
  }
  return translateError(IN_WORDS_OF_JOB, error);
}

/** The refusal of what no trainer does. */
export function cannotPause(does: 'pause' | 'resume'): ServiceError {
  return invalidField(
    'fine_tuning_job_id',
    does === 'pause'
      ? 'names a job that cannot be paused: the trainers of this service do not pause. Let it run, or cancel it'
      : 'names a job that is not paused: the trainers of this service do not pause. Start another job',
  );
}

const STATUS = {
  pending: 'queued',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
} as const satisfies Record<TrainingRecord['status'], FineTuningJob['status']>;

/** A training as a job of OpenAI's API. */
export function toJob(training: TrainingRecord): FineTuningJob {
  const { fine_tuning: asked, overrides, training_method, status } = training;
  const { n_epochs: epochs = 'auto', batch_size: batch = 'auto' } =
    training.recommended.at(-1)?.hyperparams ?? {};
  const hyperparameters: UsedHyperparameters = {
    n_epochs: epochs,
    batch_size: overrides.batch_size === undefined || batch === 'max' ? 'auto' : batch,
    learning_rate_multiplier: asked?.hyperparameters.learning_rate_multiplier ?? 'auto',
  };
  const dpo = { ...hyperparameters, beta: overrides.dpo_beta ?? ('auto' as const) };
  return {
    id: openaiId('ftjob-', training.experiment_id),
    object: 'fine_tuning.job',
    created_at: unixSeconds(training.created_at),
    finished_at: training.completed_at === null ? null : unixSeconds(training.completed_at),
    model: training.model,
    fine_tuned_model: hasModel(training) ? fineTunedModelOf(training) : null,
    organization_id: training.organization_id,
    status: STATUS[status],
    hyperparameters,
    method:
      training_method === 'alignment'
        ? { type: 'dpo', dpo: { hyperparameters: dpo } }
        : { type: 'supervised', supervised: { hyperparameters } },
    training_file: fileIdOf(training.dataset_id),
    validation_file:
      training.validation_dataset_id === undefined ? null : fileIdOf(training.validation_dataset_id),
    result_files: hasResults(training) ? [resultFileId(training)] : [],
    trained_tokens: null,
    seed: training.seed,
    estimated_finish: null,
    integrations: [],
    metadata: asked?.metadata ?? null,
    error:
      status === 'failed'
        ? {
            code: 'training_failed',
            message: translateMessage(IN_WORDS_OF_JOB, training.error ?? 'The training failed.'),
            param: null,
          }
        : null,
    win_rate: training.best?.win_rate ?? null,
  };
}

/** Seconds since 1970 at which a training had trained for so long. */
const after = ({ created_at }: TrainingRecord, seconds: number): number =>
  unixSeconds(created_at) + Math.floor(seconds);

const secondsOf = ({ stages }: IterationMetrics): number =>
  stages.reduce((sum, { seconds }) => sum + seconds, 0);

/** The iterations with the seconds of training before each. */
function timed({ iterations }: TrainingMetrics): readonly (readonly [IterationMetrics, number])[] {
  let before = 0;
  return iterations.map((iteration) => {
    const at = before;
    before += secondsOf(iteration);
    return [iteration, at] as const;
  });
}

/** What happened to a training, newest first. */
export function toEvents(training: TrainingRecord, metrics: TrainingMetrics): FineTuningJobEvent[] {
  const digits = digitsOf(training.experiment_id);
  const message = (
    id: string,
    created_at: number,
    text: string,
    level: FineTuningJobEvent['level'] = 'info',
  ): FineTuningJobEvent => ({
    id: `ftevent-${digits}-${id}`,
    object: 'fine_tuning.job.event',
    created_at,
    level,
    message: text,
    type: 'message',
    data: null,
  });
  const events = [
    message(
      'created',
      after(training, 0),
      `Created fine-tuning job: ${openaiId('ftjob-', training.experiment_id)}`,
    ),
  ];
  for (const [iteration, before] of timed(metrics)) {
    events.push(...stepEvents(training, iteration, before));
    const { iteration: n, status, win_rate: rate, reason } = iteration;
    if (status === 'running') continue;
    const measured =
      rate === null
        ? (reason ?? 'no win rate')
        : `win rate ${rate.value} (95 %: ${rate.interval95.join(' to ')}) against the base model, on ${rate.rows} held-out rows`;
    events.push(
      message(
        `${n}-${status}`,
        after(training, before + secondsOf(iteration)),
        `Iteration ${n} ${status}: ${measured}`,
        status === 'completed' ? 'info' : 'warn',
      ),
    );
  }
  if (training.completed_at !== null) {
    const text = {
      succeeded: 'The job has successfully completed',
      cancelled: 'The job was cancelled',
      failed: `The job failed: ${translateMessage(IN_WORDS_OF_JOB, training.error ?? '')}`,
    }[training.status as 'succeeded' | 'cancelled' | 'failed'];
    const level = training.status === 'failed' ? 'error' : 'info';
    events.push(message('ended', unixSeconds(training.completed_at), text, level));
  }
  return events.reverse();
}

/** The points of the curves of an iteration, in their order. */
function stepEvents(
  training: TrainingRecord,
  { iteration, stages }: IterationMetrics,
  before: number,
): FineTuningJobEvent[] {
  let begun = before;
  return stages.flatMap(({ method, steps, steps_planned, seconds, training_loss, held_out_loss }) => {
    const from = begun;
    begun += seconds;
    const losses = new Map(held_out_loss.map(({ step, loss }) => [step, loss]));
    return training_loss.map(({ step, loss }): FineTuningJobEvent => {
      const valid = losses.get(step);
      return {
        id: `ftevent-${digitsOf(training.experiment_id)}-${iteration}-${method}-${step}`,
        object: 'fine_tuning.job.event',
        created_at: after(training, from + (seconds * step) / Math.max(1, steps)),
        level: 'info',
        message:
          `Iteration ${iteration}, step ${step}/${steps_planned ?? '?'}: training loss=${loss}` +
          (valid === undefined ? '' : `, validation loss=${valid}`),
        type: 'metrics',
        data: {
          step,
          total_steps: steps_planned,
          train_loss: loss,
          ...(valid === undefined ? {} : { valid_loss: valid }),
        },
      };
    });
  });
}

/** What the iterations left, newest first. */
export function toCheckpoints(training: TrainingRecord, metrics: TrainingMetrics): FineTuningJobCheckpoint[] {
  const name = fineTunedModelOf(training);
  const checkpoints = timed(metrics).flatMap(([iteration, before]): FineTuningJobCheckpoint[] => {
    const last = iteration.stages.at(-1);
    if (iteration.status !== 'completed' || last === undefined) return [];
    const { win_rate: rate, iteration: n } = iteration;
    const step = iteration.stages.reduce((sum, { steps }) => sum + steps, 0);
    const trained = last.training_loss.at(-1)?.loss;
    const valid = last.held_out_loss.at(-1)?.loss;
    return [
      {
        id: `ftckpt_${digitsOf(training.experiment_id)}_${n}`,
        object: 'fine_tuning.job.checkpoint',
        created_at: after(training, before + secondsOf(iteration)),
        fine_tuned_model_checkpoint: n === metrics.best_iteration ? name : `${name}:ckpt-iteration-${n}`,
        fine_tuning_job_id: openaiId('ftjob-', training.experiment_id),
        step_number: step,
        metrics: {
          step,
          ...(trained === undefined ? {} : { train_loss: trained }),
          ...(valid === undefined ? {} : { valid_loss: valid, full_valid_loss: valid }),
          ...(rate === null ? {} : { win_rate: rate.value, interval: rate.interval95 }),
        },
      },
    ];
  });
  return checkpoints.reverse();
}
