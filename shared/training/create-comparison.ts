import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { requireText } from '#shared/datasets/decide/trainable.ts';
import { currentVersion } from '#shared/datasets/decide/versions.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import type { FreeUseLimiter } from '#shared/platform/access/repository.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { recordOf } from './create-training.ts';
import { type ComparisonRecord, shownComparison, toComparisonLaunch } from './decide/comparison.ts';
import { columnsOfSides, requireAdapted } from './decide/comparison-sides.ts';
import { modelOf, resolveTraining } from './decide/resolve.ts';
import { type LaunchTrainingPorts, launchTraining } from './launch-training.ts';
import { COMPARED_ROWS_MIN, countExamples, requireExamples } from './require-examples.ts';
import type { ComparisonLaunch, CreateComparisonRequest } from './schema/comparison.ts';
import type { Trainer } from './schema/training.ts';
import { readTrainingSource, type TrainingSourcePorts } from './training-source.ts';

export interface CreateComparisonPorts extends TrainingSourcePorts, LaunchTrainingPorts {
  readonly datasets: Pick<DatasetRepository, 'require'>;
  readonly trainers: readonly Trainer[];
  readonly freeUses: FreeUseLimiter;
}

export interface CreateComparisonInput {
  readonly caller: Caller;
  readonly request: CreateComparisonRequest;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Starts a comparison of a dataset's adaptation with its originals, or says what it would train. A repeated key returns
 * the comparison that it started, until that has ended.
 * @throws {ServiceError} every code of the contract
 */
export async function createComparison(
  ports: CreateComparisonPorts,
  input: CreateComparisonInput,
): Promise<ComparisonLaunch> {
  const { caller, request, now } = input;
  const dataset = await ports.datasets.require(caller, request.dataset_id);
  const decided = await decide(ports, input, dataset);
  if (request.estimate === true) {
    if (decided instanceof ServiceError) throw decided;
    return toComparisonLaunch(decided('estimate'), true);
  }
  const launched = await launchTraining(ports, {
    caller,
    dataset,
    key: request.idempotency_key,
    // Keys are shared with trainings, whose requests may have the same fields.
    request: { comparison: request },
    decided:
      decided instanceof ServiceError
        ? decided
        : {
            credits: 0,
            rows: decided('').source_rows,
            record: decided,
            admit: () => ports.freeUses.admit(caller, 'comparisons_per_hour', now),
          },
    now,
  });
  return toComparisonLaunch(shownComparison(launched), false);
}

/** Resolves or rejects the request; an error does not block a repeated request. */
async function decide(
  ports: CreateComparisonPorts,
  input: CreateComparisonInput,
  dataset: DatasetRecord,
): Promise<((runId: string) => ComparisonRecord) | ServiceError> {
  try {
    return await resolve(ports, input, dataset);
  } catch (error) {
    if (error instanceof ServiceError && error.code !== 'service_unavailable') return error;
    throw error;
  }
}

async function resolve(
  ports: CreateComparisonPorts,
  { caller, request, now }: CreateComparisonInput,
  dataset: DatasetRecord,
): Promise<(runId: string) => ComparisonRecord> {
  const sourceRunId = requireAdapted(dataset);
  const adaptation = await ports.runs.find(dataset.dataset_id, sourceRunId);
  requireText(dataset);
  const whole = await readTrainingSource(ports, dataset);
  // Rows in other languages have no originals.
  const source = { ...whole, rows: whole.rows - (adaptation?.counts?.expanded ?? 0) };
  const { seeds = 1, column_mapping: mapping, estimate: _, ...asked } = request;
  const { original, adapted } = columnsOfSides(
    source,
    dataset.result?.configured_column_mapping ?? dataset.configured_column_mapping,
    mapping,
  );
  const counted = await countExamples(ports.objects, source, [original, adapted]);
  const resolved = {
    ...resolveTraining({ ...withoutPairs(source), usable: counted.usable }, asked, ports.trainers),
    columns: original,
    max_iterations: 2 * seeds,
    target_win_rate: 1,
  };
  requireExamples(counted, {
    model: resolved.model,
    least: modelOf(resolved).rows_min,
    added: 0,
    compared: COMPARED_ROWS_MIN,
  });
  const training = { ...asked, ...(mapping === undefined ? {} : { column_mapping: mapping }) };
  return (runId) => ({
    ...recordOf(
      { caller, request: training, now },
      dataset,
      {
        resolved,
        version: currentVersion(dataset),
        sourceRunId,
        sourceRows: source.rows,
        discountPercent: 0,
        voucher: null,
        validation: null,
      },
      runId,
    ),
    comparison: { seeds, adapted },
  });
}

/** The adaptation as it is compared: originals have neither preference pairs nor reasoning traces. */
function withoutPairs(source: Parameters<typeof resolveTraining>[0]): Parameters<typeof resolveTraining>[0] {
  const { prompt, completion } = source.shape.roles;
  const lacking = ['reasoning_trace', 'chosen', 'rejected'];
  return {
    ...source,
    shape: {
      ...source.shape,
      columns: source.shape.columns.filter(
        ({ name, result }) => result === undefined || !lacking.includes(name),
      ),
      roles: {
        ...(prompt === undefined ? {} : { prompt }),
        ...(completion === undefined ? {} : { completion }),
      },
    },
  };
}
