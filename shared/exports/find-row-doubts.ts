import { plainSpecification } from '#shared/adaptation/decide/plain-specification.ts';
import { type LookAtRowsPorts, lookAtRows } from '#shared/adaptation/look-at-rows.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import type { LanguageDetector } from '#shared/languages/decide/detect-language.ts';
import type { Claims } from '#shared/platform/storage/claims.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { adaptationOf, type RunRecord } from '#shared/runs/decide/record.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { lookMapping } from './decide/form-columns.ts';
import { nameOfMapping, type RowDoubts } from './decide/row-doubts.ts';
import { buildClaimed } from './export-file.ts';
import { type RowsOf, readIndexable, versionOf } from './index-rows.ts';
import { claimOfLook } from './tell-look.ts';

export interface FindRowDoubtsPorts extends LookAtRowsPorts {
  readonly datasets: Pick<DatasetRepository, 'find'>;
  readonly runs: Pick<RunRepository, 'find'>;
  readonly objects: Pick<ObjectStore, 'read' | 'write' | 'remove'>;
  readonly claims: Pick<Claims, 'renew' | 'release'>;
  readonly loadDetector: () => Promise<LanguageDetector>;
}

/**
 * Has the witnesses that ask no model look at rows that no run has adapted, and stores what they find beside the index of
 * the rows. A look that fails is stored as such. Rows that are gone, or go meanwhile, leave nothing.
 *
 * @returns how many rows are doubted
 */
export async function findRowDoubts(ports: FindRowDoubtsPorts, of: RowsOf): Promise<{ doubted: number }> {
  return buildClaimed(ports.claims, claimOfLook(of.team_id), async () => {
    const dataset = await ports.datasets.find(of.dataset_id);
    if (dataset === null || dataset.team_id !== of.team_id) return { doubted: 0 };
    const run = of.run_id === undefined ? null : await ports.runs.find(of.dataset_id, of.run_id);
    if (adaptationOf(run) !== null || (of.run_id !== undefined && run === null)) return { doubted: 0 };
    const mapping = lookMapping(dataset);
    return mapping === null ? { doubted: 0 } : look(ports, dataset, run, mapping);
  });
}

async function look(
  ports: FindRowDoubtsPorts,
  dataset: DatasetRecord,
  run: RunRecord | null,
  mapping: ConfiguredColumnMapping,
): Promise<{ doubted: number }> {
  const { objects, clock } = ports;
  const { dataset_id: datasetId } = dataset;
  let found: RowDoubts['found'] = null;
  try {
    const { chunks } = await readIndexable(objects, datasetId, run);
    const batches = chunks.map(({ key, first_row, row_count }) => ({
      chunk_key: key,
      first_line: 0,
      first_row,
      row_count,
      selected: null,
    }));
    const specification = plainSpecification(mapping, dataset);
    const detectLanguage = await ports.loadDetector();
    const looked = await lookAtRows(ports, { batches, specification, seed: datasetId, detectLanguage });
    found = { ...looked, asked: null };
  } catch (error) {
    ports.onFailure('all', error);
  }
  const doubts: RowDoubts = { mapping: nameOfMapping(mapping), found, ended_ms: clock.now() };
  const key = objectKeys.rowDoubts(datasetId, versionOf(run?.run_id));
  await objects.write(key, JSON.stringify(doubts), 'application/json');
  // The deletion of a dataset has listed its objects before.
  if ((await ports.datasets.find(datasetId)) === null) await objects.remove([key]);
  return { doubted: found?.rows.length ?? 0 };
}
