import { madeDataset } from '#shared/datasets/decide/made-dataset.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { freeName } from '#shared/platform/free-name.ts';
import { TabularFormat } from '#shared/platform/schema/file-format.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { budgetOf } from '#shared/runs/decide/budget.ts';
import type { LaunchRun } from '#shared/runs/launch-run.ts';
import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { type AugmentRunRequest, promptsOf } from './decide/pool/augment-request.ts';
import {
  type AugmentationQuote,
  quoteAugmentation,
  requireRowsToAdd,
} from './decide/pool/augmentation-quote.ts';
import { type PoolLoad, readLoads, rowCountOf, shardsOf } from './decide/pool/pool.ts';
import { requireTexts } from './decide/source.ts';
import {
  currentStatus,
  findGrowthSource,
  type GrowthSource,
  requireRowsOfPlan,
  requireSource,
} from './growth-source.ts';
import type { AugmentationStarted, AugmentRequest } from './schema/augment.ts';

export interface LaunchAugmentationPorts {
  readonly datasets: Pick<DatasetRepository, 'require' | 'find'>;
  readonly objects: Pick<ObjectStore, 'read' | 'list'>;
  readonly launchRun: LaunchRun;
  /** Null if the installation has none. */
  readonly embeddingModelId: string | null;
  readonly newId: () => string;
}

export interface LaunchAugmentationInput {
  readonly caller: Caller;
  readonly datasetId: string;
  readonly request: AugmentRequest;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Creates a dataset from the rows of another one and new rows (spec §4.9), or returns the price. A repeated key returns
 * the first dataset in its current state, without a price.
 * @throws {ServiceError} every code of the contract
 */
export async function launchAugmentation(
  ports: LaunchAugmentationPorts,
  input: LaunchAugmentationInput,
): Promise<AugmentationStarted> {
  const { caller, datasetId, request, now } = input;
  const { idempotency_key: key, estimate = false } = request;
  const found = await findGrowthSource(ports, caller, datasetId);
  // Rows without a pair would be of no use beside pairs.
  const type =
    request.training_type ?? ('refusal' in found ? 'instruction_dataset' : found.shape.training_type);
  const loads = await readLoads(ports.objects);
  const poolRows = rowCountOf(shardsOf(loads, ports.embeddingModelId ?? '', type === 'preference_pairs'));
  const decide = (): { source: GrowthSource; quote: AugmentationQuote; request: AugmentRunRequest } => {
    const source = requireSource(found);
    const quote = quoteAugmentation(request, source.rowCount);
    requireRowsToAdd(quote, estimate);
    if (quote.similar_rows > 0) requireAnswers(source);
    const toRun = requestOf(source, quote, type, caller);
    requireComparable(toRun, source.rowCount);
    if (quote.domain_rows + quote.general_rows > 0)
      requirePool(ports.embeddingModelId, loads, poolRows, type);
    requireRowsOfPlan(caller, quote.rows, 'domain_rows', 'Name fewer rows');
    return { source, quote, request: toRun };
  };
  if (estimate) return answer(null, null, decide().quote, poolRows);

  const decided = attempt(decide);
  const newDatasetId = ports.newId();
  const first = await ports.launchRun<{ dataset_id: string; quote: AugmentationQuote }>({
    caller,
    dataset: datasetOf(caller, 'refusal' in decided ? null : decided.source, newDatasetId, now),
    isNew: true,
    pipeline: 'augment',
    request: 'refusal' in decided ? null : decided.request,
    ...(key === undefined
      ? {}
      : {
          idempotency: {
            operation: 'augment' as const,
            key,
            request: { dataset_id: datasetId, ...request },
            path: 'idempotency_key',
          },
        }),
    decide: () => {
      if ('refusal' in decided) throw decided.refusal;
      const { quote } = decided;
      return {
        credits: quote.credits,
        rows: quote.rows,
        response: () => ({ dataset_id: newDatasetId, quote }),
      };
    },
    now,
  });
  if (first.dataset_id === newDatasetId) return answer(newDatasetId, 'running', first.quote, poolRows);
  const status = await currentStatus(ports.datasets, first.dataset_id);
  return answer(first.dataset_id, status, NOTHING, poolRows);
}

/** Converts an error to a value: it applies to a new request, not to the replay of an accepted one. */
function attempt<T extends object>(decide: () => T): T | { readonly refusal: ServiceError } {
  try {
    return decide();
  } catch (error) {
    if (error instanceof ServiceError) return { refusal: error };
    throw error;
  }
}

const NOTHING = { domain_rows: 0, general_rows: 0, similar_rows: 0, credits: 0 };

function answer(
  datasetId: string | null,
  status: AugmentationStarted['status'],
  { domain_rows, general_rows, similar_rows, credits }: typeof NOTHING,
  poolRows: number,
): AugmentationStarted {
  return {
    dataset_id: datasetId,
    status,
    domain_rows,
    general_rows,
    similar_rows,
    estimated_credits_consumed: credits,
    estimate: datasetId === null,
    pool_rows: poolRows,
  };
}

/**
 * The columns with a row's question, which determine its topic.
 * @throws {ServiceError} `column_mapping_required`, `topics_unknown`
 */
function asksOf({ dataset, shape }: GrowthSource): { mapping: ConfiguredColumnMapping; asks: string[] } {
  const { mapping } = requireTexts(shape);
  // An adapted dataset has the original prompt besides the enhanced one.
  const asked = [mapping.prompt ?? mapping.chat, dataset.configured_column_mapping?.prompt];
  const present = new Set(shape.columns.map(({ name }) => name));
  const asks = [...new Set(asked.filter((name) => name !== undefined && present.has(name)))] as string[];
  const filled = asks.filter(
    (name) => !dataset.columns?.some((each) => each.name === name && each.profile?.is_empty),
  );
  if (filled.length === 0) {
    throw new ServiceError(
      'topics_unknown',
      `The topics of the dataset are unknown: ${asks.length === 0 ? 'the dataset has no prompt column' : `${asks.join(', ')} is empty`}. Upload it with a prompt in each row.`,
      { details: [{ path: 'dataset_id', message: 'has no prompts' }] },
    );
  }
  return { mapping, asks };
}

/** @throws {ServiceError} `invalid_request` if no row can have an answer that similar rows could follow */
function requireAnswers({ dataset, shape }: GrowthSource): void {
  const { completion, chosen, chat } = requireTexts(shape).mapping;
  const answers = completion ?? chosen ?? chat;
  const profile = dataset.columns?.find(({ name }) => name === answers)?.profile;
  if (answers !== undefined && profile?.is_empty !== true) return;
  throw invalidField(
    'similar_rows',
    `follow the answers of the dataset, which has none${answers === undefined ? '' : ` (${answers} is empty)`}: name domain_rows or general_rows, or adapt the dataset first`,
  );
}

/** Maximum prompts that one augmentation compares: the task's memory must also hold the candidates' texts. */
export const AUGMENTATION_PROMPTS_MAX = 8_000_000;

/** @throws {ServiceError} `invalid_request` if there are more prompts than can be compared */
export function requireComparable(request: AugmentRunRequest, sourceRows: number): void {
  const prompts = promptsOf(request, sourceRows);
  if (prompts <= AUGMENTATION_PROMPTS_MAX) return;
  throw invalidField(
    'domain_rows',
    `makes ${prompts} prompts with those of the dataset, of which ${AUGMENTATION_PROMPTS_MAX} can be compared (a row counts once more for a conversation and for an improved prompt); augment a smaller dataset`,
    { limit: AUGMENTATION_PROMPTS_MAX },
  );
}

/** @throws {ServiceError} `not_available_yet` if the pool has no searchable rows */
function requirePool(
  modelId: string | null,
  loads: readonly PoolLoad[],
  rows: number,
  type: AugmentRunRequest['training_type'],
): void {
  if (rows > 0) return;
  const message = poolProblem(modelId, loads, type);
  throw new ServiceError('not_available_yet', `domain_rows, general_rows: ${message}.`, {
    details: [{ path: 'domain_rows', message }],
  });
}

/** Why the pool has no rows that could be searched with the vectors of a model. */
function poolProblem(
  modelId: string | null,
  loads: readonly PoolLoad[],
  type: AugmentRunRequest['training_type'],
): string {
  return modelId === null
    ? 'this installation has no embedding model to search its pool with; its operator sets MODEL_ID_EMBED'
    : loads.length === 0
      ? 'the curated pool of this installation is empty; ask your operator to load rows into it'
      : loads.every(({ embedding }) => embedding.model !== modelId)
        ? 'the curated pool was embedded with another model than the one configured now; ask your operator to load it again'
        : `the curated pool holds no rows of the training_type ${type}`;
}

function requestOf(
  source: GrowthSource,
  { domain_rows, general_rows, similar_rows }: AugmentationQuote,
  type: AugmentRunRequest['training_type'],
  { plan }: Caller,
): AugmentRunRequest {
  const { mapping, asks } = asksOf(source);
  return {
    conversations: [...source.shape.conversations],
    source: { dataset_id: source.dataset.dataset_id, run_id: source.runId },
    mapping: withAnswers(source, mapping, type),
    context: [...(mapping.context ?? [])],
    asks,
    ...source.shape.before,
    training_type: type,
    domain_rows,
    general_rows,
    similar_rows,
    written_general_rows: 0,
    budget: budgetOf(plan),
  };
}

/** The mapping with columns for the answers of added rows, and for their pairs, where the source has none. */
function withAnswers(
  { shape }: GrowthSource,
  mapping: ConfiguredColumnMapping,
  type: AugmentRunRequest['training_type'],
): ConfiguredColumnMapping {
  const { completion, chosen, rejected, chat } = mapping;
  const names = new Set(shape.columns.map(({ name }) => name));
  if (type === 'preference_pairs') {
    return {
      ...mapping,
      chosen: chosen ?? freeName('chosen', names),
      rejected: rejected ?? freeName('rejected', names),
    };
  }
  return (completion ?? chosen ?? chat) === undefined
    ? { ...mapping, completion: freeName('completion', names) }
    : mapping;
}

function datasetOf(caller: Caller, source: GrowthSource | null, datasetId: string, now: number) {
  const format = TabularFormat.safeParse(source?.dataset.file_format);
  return madeDataset(
    caller,
    {
      kind: 'augmented',
      sourceDatasetId: source?.dataset.dataset_id ?? null,
      sources: source == null ? [] : [source.dataset],
      name: `${source?.dataset.name ?? ''} (augmented)`,
      description: `The rows of ${source?.dataset.name}, and others that go with them.`,
      format: format.success ? format.data : 'jsonl',
    },
    datasetId,
    now,
  );
}
