import { priceRows } from '#shared/access/decide/prices.ts';
import { resolveExpansion } from '#shared/adaptation/decide/expansion.ts';
import { madeDataset } from '#shared/datasets/decide/made-dataset.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import type { LanguageExpansion } from '#shared/languages/schema/language-expansion.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { TabularFormat } from '#shared/platform/schema/file-format.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { budgetOf } from '#shared/runs/decide/budget.ts';
import { nameOfTarget } from '#shared/runs/decide/target-counts.ts';
import type { LaunchRun } from '#shared/runs/launch-run.ts';
import type { ResolvedExpansion } from '#shared/runs/schema/expansion.ts';
import { type ExpandRunRequest, rowsInLanguages } from './decide/expand-request.ts';
import { requireTexts } from './decide/source.ts';
import {
  currentStatus,
  findGrowthSource,
  type GrowthSource,
  requireRowsOfPlan,
  requireSource,
} from './growth-source.ts';
import type { ExpansionStarted } from './schema/grow.ts';

export interface LaunchExpansionPorts {
  readonly datasets: Pick<DatasetRepository, 'require' | 'find'>;
  readonly objects: Pick<ObjectStore, 'read'>;
  readonly launchRun: LaunchRun;
  readonly newId: () => string;
}

export interface LaunchExpansionInput {
  readonly caller: Caller;
  readonly datasetId: string;
  readonly expansion: LanguageExpansion;
  readonly estimate: boolean;
  readonly idempotencyKey: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Creates a dataset from the rows of another one and a sample of them in each of several languages, for countries if
 * requested (spec §4.10, §4.11), or returns the price. A repeated key returns the first dataset in its current state,
 * without a price.
 * @throws {ServiceError} every code of the contracts
 */
export async function launchExpansion(
  ports: LaunchExpansionPorts,
  input: LaunchExpansionInput,
): Promise<ExpansionStarted> {
  const { caller, datasetId, now } = input;
  const expansion = resolveExpansion(input.expansion, null);
  const found = await findGrowthSource(ports, caller, datasetId);
  if (input.estimate) {
    const { rows, credits } = quote(requireSource(found), expansion, caller);
    return answer(null, null, rows, credits);
  }
  const newDatasetId = ports.newId();
  const source = 'refusal' in found ? null : found;
  const key = input.idempotencyKey;
  const first = await ports.launchRun<{ dataset_id: string; rows: number; credits: number }>({
    caller,
    dataset: datasetOf(caller, source, expansion, newDatasetId, now),
    isNew: true,
    pipeline: 'expand',
    request: source === null ? null : requestOf(source, expansion, caller),
    ...(key === undefined
      ? {}
      : {
          idempotency: {
            operation: expansion.type,
            key,
            request: { dataset_id: datasetId, ...input.expansion },
            path: 'idempotency_key',
          },
        }),
    decide: () => {
      const { rows, credits } = quote(requireSource(found), expansion, caller);
      return { credits, rows, response: () => ({ dataset_id: newDatasetId, rows, credits }) };
    },
    now,
  });
  if (first.dataset_id === newDatasetId) return answer(newDatasetId, 'running', first.rows, first.credits);
  return answer(first.dataset_id, await currentStatus(ports.datasets, first.dataset_id), 0, 0);
}

function answer(
  datasetId: string | null,
  status: ExpansionStarted['status'],
  rows: number,
  credits: number,
): ExpansionStarted {
  return {
    dataset_id: datasetId,
    status,
    estimated_credits_consumed: credits,
    estimate: datasetId === null,
    estimated_new_rows: rows,
  };
}

function quote(
  source: GrowthSource,
  expansion: ResolvedExpansion,
  caller: Caller,
): { rows: number; credits: number } {
  requireTexts(source.shape);
  const rows = rowsInLanguages(source.rowCount, expansion);
  if (rows === 0) {
    throw new ServiceError(
      'nothing_to_add',
      `A sample_rate of ${expansion.sample_rate} selects none of the dataset's ${source.rowCount} rows. Raise it.`,
      { details: [{ path: 'sample_rate', message: `adds no row to ${source.rowCount}` }] },
    );
  }
  requireRowsOfPlan(caller, rows, 'sample_rate', 'Lower sample_rate or name fewer targets');
  return { rows, credits: priceRows(rows, 'text') };
}

function requestOf(
  { dataset, rowCount, shape, runId }: GrowthSource,
  expansion: ResolvedExpansion,
  { plan }: Caller,
): ExpandRunRequest | null {
  const rows = rowsInLanguages(rowCount, expansion);
  if (rows === 0) return null;
  const { mapping, texts } = requireTexts(shape);
  const { history: turns, system } = shape.before ?? {};
  const history = mapping.chat === undefined ? turns : undefined;
  return {
    kind: 'languages',
    source: { dataset_id: dataset.dataset_id, run_id: runId },
    mapping,
    texts: [...texts, ...[history, system].filter((name) => name !== undefined)],
    ...(history === undefined ? {} : { history }),
    budget: budgetOf(plan),
    expansion,
    rows,
  };
}

/** Maximum targets in a dataset's name. */
const TARGETS_NAMED = 6;

function datasetOf(
  caller: Caller,
  source: GrowthSource | null,
  { type, targets }: ResolvedExpansion,
  datasetId: string,
  now: number,
) {
  const shown = targets.slice(0, TARGETS_NAMED).map(nameOfTarget);
  const more = targets.length > shown.length ? ', …' : '';
  const format = TabularFormat.safeParse(source?.dataset.file_format);
  return madeDataset(
    caller,
    {
      kind: type === 'translate' ? 'translated' : 'localized',
      sourceDatasetId: source?.dataset.dataset_id ?? null,
      sources: source == null ? [] : [source.dataset],
      name: `${source?.dataset.name ?? ''} (${shown.join(', ')}${more})`,
      description: `The rows of ${source?.dataset.name}, and some of them in ${targets.map(nameOfTarget).join(', ')}.`,
      format: format.success ? format.data : 'jsonl',
    },
    datasetId,
    now,
  );
}
