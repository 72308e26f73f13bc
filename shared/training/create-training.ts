import { refusalOfVoucher } from '#shared/access/decide/vouchers/record.ts';
import type { VoucherRepository } from '#shared/access/decide/vouchers/repository.ts';
import { RunRequestObject } from '#shared/adaptation/decide/run-request.ts';
import { asksModel } from '#shared/adaptation/decide/specification.ts';
import { findRunDoubts } from '#shared/adaptation/read-doubts.ts';
import { type DatasetRecord, deliveredRunId } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { requireTrainable } from '#shared/datasets/decide/trainable.ts';
import { currentVersion, type VersionRepository } from '#shared/datasets/decide/versions.ts';
import { requireRowsOfPlan } from '#shared/growth/growth-source.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { sha256Hex } from '#shared/platform/canonical-json.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { findJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { budgetOf } from '#shared/runs/decide/budget.ts';
import { adaptationOf } from '#shared/runs/decide/record.ts';
import { requireVersion } from '#shared/runs/require-version.ts';
import { PREFERENCE_COLUMNS } from './decide/columns.ts';
import { trainingCredits } from './decide/price.ts';
import { type FineTuning, type TrainingRecord, toTrainingRun } from './decide/record.ts';
import {
  columnsOfRequest,
  columnsOfValidation,
  effectiveRows,
  modelOf,
  type ResolvedTraining,
  requestedRows,
  resolveTraining,
} from './decide/resolve.ts';
import { type LaunchTrainingPorts, launchTraining } from './launch-training.ts';
import { COMPARED_ROWS_MIN, countExamples, requireExamples } from './require-examples.ts';
import type { CreateTrainingRequest, Trainer, TrainingMethod, TrainingRun } from './schema/training.ts';
import { readTrainingSource, type TrainingSourcePorts } from './training-source.ts';

export interface CreateTrainingPorts extends TrainingSourcePorts, LaunchTrainingPorts {
  readonly datasets: Pick<DatasetRepository, 'require'>;
  readonly versions: Pick<VersionRepository, 'find'>;
  readonly vouchers: Pick<VoucherRepository, 'find'>;
  readonly trainers: readonly Trainer[];
}

export interface CreateTrainingInput {
  readonly caller: Caller;
  readonly request: CreateTrainingRequest;
  readonly job?: FineTuningJobInput;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What a fine-tuning job of OpenAI's API says of its training. */
export interface FineTuningJobInput {
  readonly fineTuning: FineTuning;
  readonly seed: number | null;
  /** A dataset whose rows are held out, by its own columns: one of them may be adapted and the other not. */
  readonly validationDatasetId: string | null;
}

interface Decision {
  readonly resolved: ResolvedTraining;
  readonly version: number;
  readonly sourceRunId: string | null;
  readonly sourceRows: number;
  readonly rows: number;
  readonly discountPercent: number;
  /** The voucher that the training uses. */
  readonly voucher: string | null;
  readonly credits: number;
  readonly validation: Validation | null;
}

/** A dataset to hold out, by the run that delivered its rows at the launch, and the columns of its examples. */
type Validation = Required<
  Pick<TrainingRecord, 'validation_dataset_id' | 'validation_run_id' | 'validation_columns'>
>;

/**
 * Starts a training of a dataset (spec §4.20). A repeated key returns the training that it started, in its current
 * state, until it has ended; then the key is free.
 * @throws {ServiceError} every code of the contract
 */
export async function createTraining(
  ports: CreateTrainingPorts,
  input: CreateTrainingInput,
): Promise<TrainingRun> {
  return toTrainingRun(await beginTraining(ports, input));
}

/** The same, as its record. @throws {ServiceError} every code of the contract */
export async function beginTraining(
  ports: CreateTrainingPorts,
  input: CreateTrainingInput,
): Promise<TrainingRecord> {
  const { caller, request, now } = input;
  const dataset = await ports.datasets.require(caller, request.dataset_id);
  const decided = await decide(ports, input, dataset);

  return launchTraining(ports, {
    caller,
    dataset,
    key: request.idempotency_key,
    request,
    decided:
      decided instanceof ServiceError
        ? decided
        : {
            credits: decided.credits,
            rows: decided.rows,
            record: (runId) => recordOf(input, dataset, decided, runId),
            ...(decided.voucher === null ? {} : { voucher: decided.voucher }),
          },
    now,
  });
}

/** Resolves or rejects the request; an error does not block a repeated request. */
async function decide(
  ports: CreateTrainingPorts,
  { caller, request, job, now }: CreateTrainingInput,
  dataset: DatasetRecord,
): Promise<Decision | ServiceError> {
  try {
    const { version, runId, mapped } = await findSource(ports, dataset, request.dataset_version);
    requireTrainable(mapped);
    const read = await readTrainingSource(ports, mapped, runId);
    // OpenAI's API promises its callers that each reply is trained on, unless it has the weight 0.
    const replies = job === undefined ? {} : { replies: 'all' as const };
    const counted = await countExamples(ports.objects, read, [
      { ...columnsOfRequest(read, request), ...replies },
    ]);
    const source = { ...read, usable: counted.usable };
    const found = resolveTraining(source, request, ports.trainers);
    if (job !== undefined) requirePairs(request.training_method, found.training_method);
    const resolved: ResolvedTraining = { ...found, columns: { ...found.columns, ...replies } };
    const rows = effectiveRows(source, request);
    const added = requestedRows(request);
    requireExamples(counted, {
      model: resolved.model,
      least: modelOf(resolved).rows_min,
      added,
      compared: job?.validationDatasetId == null ? COMPARED_ROWS_MIN : 0,
    });
    const validation =
      job?.validationDatasetId == null
        ? null
        : await requireValidation(ports, caller, job.validationDatasetId, resolved, mapped);
    if (request.doubtful_rows === 'leave_out') await requireDoubts(ports, runId, added);
    requireRowsOfPlan(caller, added, 'augmentation_domain_rows', 'Add fewer rows');
    const offered = await discountOf(ports.vouchers, caller, request.voucher, now);
    // A training without added rows costs nothing, so that it uses no voucher.
    const discountPercent = added === 0 ? 0 : offered;
    return {
      resolved,
      version,
      sourceRunId: runId,
      sourceRows: source.rows,
      rows,
      discountPercent,
      voucher: discountPercent === 0 ? null : (request.voucher ?? null),
      credits: trainingCredits(added, discountPercent),
      validation,
    };
  } catch (error) {
    if (error instanceof ServiceError && error.code !== 'service_unavailable') return error;
    throw error;
  }
}

/**
 * Requires that a job of the method `dpo` trains on pairs, where a training of other rows would be downgraded.
 * @throws {ServiceError} `invalid_request`
 */
function requirePairs(asked: TrainingMethod | undefined, found: TrainingMethod): void {
  if (asked !== 'alignment' || found === 'alignment') return;
  throw invalidField(
    'dataset_id',
    `has no pairs of answers for the method dpo: each line needs ${PREFERENCE_COLUMNS}`,
  );
}

/**
 * Requires a dataset that the training can compare its models on, and answers by which run and which columns its rows are
 * read. One that says nothing of its columns is read by the mapping of the training's dataset.
 * @throws {ServiceError} `dataset_not_found`; `dataset_untrainable` and `invalid_request`, which name `validation_dataset_id`
 */
async function requireValidation(
  ports: CreateTrainingPorts,
  caller: Caller,
  datasetId: string,
  resolved: ResolvedTraining,
  { configured_column_mapping: mapping }: DatasetRecord,
): Promise<Validation> {
  const dataset = await ports.datasets.require(caller, datasetId);
  try {
    requireTrainable(dataset);
    const runId = deliveredRunId(dataset);
    const described = { ...dataset, configured_column_mapping: dataset.configured_column_mapping ?? mapping };
    const source = await readTrainingSource(ports, described, runId);
    const columns = columnsOfValidation(source, resolved);
    if (columns === null) throw lacksColumns(resolved.training_method);
    const enough = { least: 1, added: 0, compared: 1 };
    const counted = await countExamples(ports.objects, source, [columns], enough);
    requireExamples(counted, { model: resolved.model, ...enough });
    return { validation_dataset_id: datasetId, validation_run_id: runId, validation_columns: columns };
  } catch (error) {
    throw ofValidation(error);
  }
}

const lacksColumns = (method: TrainingMethod): ServiceError =>
  new ServiceError(
    'invalid_request',
    method === 'alignment'
      ? `It has no pairs of answers, which this training learns from: each line needs ${PREFERENCE_COLUMNS}.`
      : 'It does not say which of its columns hold what: each line needs messages, or prompt and completion.',
  );

/** An error of the rows that are held out, which says that they are not those that are trained on. */
function ofValidation(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.code === 'service_unavailable') return error;
  const path = 'validation_dataset_id';
  return new ServiceError(error.code, `${path}: ${error.message}`, {
    details: [{ path, message: error.message }],
    cause: error,
  });
}

/** @throws {ServiceError} `invalid_request` where nobody has looked at the rows that are trained on, or not at all of them */
async function requireDoubts(
  { objects }: Pick<CreateTrainingPorts, 'objects'>,
  runId: string | null,
  added: number,
): Promise<void> {
  if (added > 0) {
    throw invalidField(
      'doubtful_rows',
      'cannot leave out rows of a training with an augmentation: omit one of both',
    );
  }
  if (runId === null || !(await hasLooked(objects, runId))) {
    throw invalidField(
      'doubtful_rows',
      'can leave out rows of an adapted version only, whose rows were looked at: adapt the dataset first, with verification "flag", "correct" or "drop"',
    );
  }
}

/** Whether a witness has looked at rows of a run, or a model was to be asked about them. */
async function hasLooked(objects: CreateTrainingPorts['objects'], runId: string): Promise<boolean> {
  const [doubts, request] = await Promise.all([
    findRunDoubts(objects, runId),
    findJson(objects, objectKeys.runRequest(runId), RunRequestObject),
  ]);
  const { execution = 0, neighbours = 0 } = doubts?.looked_at ?? {};
  return execution + neighbours > 0 || (request !== null && asksModel(request.specification));
}

/** The version to train on, the run that its rows are read by, and the dataset with the column mapping of the version. */
async function findSource(
  ports: CreateTrainingPorts,
  dataset: DatasetRecord,
  asked: number | undefined,
): Promise<{ version: number; runId: string | null; mapped: DatasetRecord }> {
  if (asked === undefined) {
    return { version: currentVersion(dataset), runId: deliveredRunId(dataset), mapped: dataset };
  }
  const { run, version } = await requireVersion(ports, dataset, asked);
  if (adaptationOf(run) !== null && run?.status !== 'succeeded') {
    throw new ServiceError(
      'dataset_untrainable',
      run?.status === 'running'
        ? `The run of version ${asked} is active: wait until it has ended, or name another version.`
        : `The run of version ${asked} failed, so that it lacks rows: name another version.`,
    );
  }
  // The upload has no mapping of its own: that of the dataset says which of its columns hold what.
  const mapping = version.configured_column_mapping ?? dataset.configured_column_mapping;
  return {
    version: asked,
    runId: run?.run_id ?? null,
    mapped: { ...dataset, configured_column_mapping: mapping },
  };
}

async function discountOf(
  vouchers: Pick<VoucherRepository, 'find'>,
  { team_id }: Pick<Caller, 'team_id'>,
  code: string | undefined,
  now: number,
): Promise<number> {
  if (code === undefined) return 0;
  const voucher = await vouchers.find(code);
  const refusal = refusalOfVoucher(voucher, team_id, timestamp(now));
  if (refusal !== null) throw refusal;
  return voucher?.percent ?? 0;
}

/** The record of a training that has not begun. */
export function recordOf(
  { caller, request, job, now }: CreateTrainingInput,
  dataset: DatasetRecord,
  {
    resolved,
    version,
    sourceRunId,
    sourceRows,
    discountPercent,
    voucher,
    validation,
  }: Omit<Decision, 'rows' | 'credits'>,
  runId: string,
): TrainingRecord {
  const key = request.idempotency_key;
  return {
    ...resolved,
    experiment_id: runId,
    dataset_id: dataset.dataset_id,
    team_id: caller.team_id,
    organization_id: caller.organization_id,
    user_id: caller.user_id,
    source_run_id: sourceRunId,
    dataset_version: version,
    source_rows: sourceRows,
    ...(request.doubtful_rows === 'leave_out' ? { doubtful_rows: 'leave_out' as const } : {}),
    status: 'pending',
    column_mapping: request.column_mapping ?? null,
    augmentation_domain_rows: request.augmentation_domain_rows ?? 0,
    augmentation_general_rows: request.augmentation_general_rows ?? 0,
    augmentation_budget: budgetOf(caller.plan),
    augmented: null,
    voucher,
    discount_percent: discountPercent,
    seed: job?.seed ?? Number.parseInt(sha256Hex(runId).slice(0, 7), 16),
    ...(job === undefined ? {} : { fine_tuning: job.fineTuning }),
    ...validation,
    idempotency_key_hash: key === undefined ? null : sha256Hex(key),
    iterations_completed: 0,
    iterations_failed: 0,
    best: null,
    attempt: null,
    error: null,
    created_at: timestamp(now),
    completed_at: null,
  };
}
