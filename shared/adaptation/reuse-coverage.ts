import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { countCovered, mergeCoverage, ReuseCoverage, settingsHashOf } from './decide/reuse-coverage.ts';
import type { RunRequestObject } from './decide/run-request.ts';
import type { AdaptationSpecification } from './decide/specification.ts';

/**
 * Whether a quote may promise that rows are reused. Not with a web search, whose results change, nor with linked images: who
 * serves them can change them at will; nor where a model is asked about some rows alone, which others may join. A promise
 * that is not kept is paid by the service.
 */
const isPredictable = ({
  grounding,
  image_format,
  verification_rows,
}: Pick<AdaptationSpecification, 'grounding' | 'image_format' | 'verification_rows'>): boolean =>
  !grounding && image_format !== 'url' && verification_rows === undefined;

/** Null for an object that is not as it was written, too: then nothing is promised. */
async function findCoverage(objects: Pick<ObjectStore, 'read'>, key: string): Promise<ReuseCoverage | null> {
  const body = await objects.read(key);
  if (body === null) return null;
  try {
    return ReuseCoverage.parse(JSON.parse(body.toString('utf8')));
  } catch {
    return null;
  }
}

/**
 * Records which rows a run has delivered, for the quotes of later runs with the same settings, and whether it kept the
 * promise of its own. Idempotent.
 * @param delivered rows by key of the chunk
 */
export async function recordCoverage(
  objects: Pick<ObjectStore, 'read' | 'write'>,
  { team_id, dataset_id, models, prompt_versions }: RunRecord,
  { specification }: Pick<RunRequestObject, 'specification'>,
  { delivered, isKept }: { readonly delivered: ReadonlyMap<string, number>; readonly isKept: boolean },
): Promise<void> {
  if (!isKept) await objects.write(objectKeys.brokenReuse(team_id, dataset_id), '{}', 'application/json');
  if (!isPredictable(specification)) return;
  const key = objectKeys.reuseCoverage(
    team_id,
    dataset_id,
    settingsHashOf(specification, models, prompt_versions),
  );
  const merged = mergeCoverage(await findCoverage(objects, key), delivered);
  await objects.write(key, JSON.stringify(merged), 'application/json');
}

/**
 * Rows that a run with this specification reuses, as far as can be promised before it. None once a run of the dataset had to
 * ask again about rows that its quote counted as reused: the service bears that once. Bills leave out what is reused all
 * the same.
 */
export async function countReusable(
  {
    objects,
    models,
    promptVersions,
  }: {
    readonly objects: Pick<ObjectStore, 'read'>;
    readonly models: Readonly<Partial<Record<string, string>>>;
    readonly promptVersions: Readonly<Record<string, string>>;
  },
  { team_id, dataset_id, manifest_key, row_count }: DatasetRecord,
  specification: AdaptationSpecification,
): Promise<number> {
  if (!isPredictable(specification) || manifest_key === null || row_count === null) return 0;
  const hash = settingsHashOf(specification, models, promptVersions);
  const [coverage, broken] = await Promise.all([
    findCoverage(objects, objectKeys.reuseCoverage(team_id, dataset_id, hash)),
    objects.read(objectKeys.brokenReuse(team_id, dataset_id)),
  ]);
  if (coverage === null || broken !== null) return 0;
  const { chunks } = await readJson(objects, manifest_key, RowsManifest);
  return countCovered(coverage, chunks, { rowCount: row_count, maxRows: specification.max_rows });
}
