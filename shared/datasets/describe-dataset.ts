import type { ModelClient } from '#shared/models/decide/port.ts';
import { readJson, readLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { DESCRIBE_ROWS, describePrompt, readDescription } from './decide/describe.ts';
import type { DatasetRepository } from './decide/repository.ts';

export interface DescribeDatasetPorts {
  readonly datasets: Pick<DatasetRepository, 'recordFindings'>;
  readonly objects: Pick<ObjectStore, 'read'>;
  /** Null if the installation has no model for it: the description then stays null. */
  readonly model: ModelClient | null;
}

/**
 * One sentence that describes a dataset, from its column names and first rows.
 * @throws {ModelError} the description is optional for the caller
 */
export async function describeDataset(
  ports: DescribeDatasetPorts,
  input: { readonly dataset_id: string; readonly run_id: string; readonly now: number },
): Promise<{ described: boolean }> {
  if (ports.model === null) return { described: false };
  const manifest = await readJson(ports.objects, objectKeys.manifest(input.dataset_id), RowsManifest);
  const [chunk] = manifest.chunks;
  const lines =
    chunk === undefined ? [] : (await readLines(ports.objects, chunk.key)).slice(0, DESCRIBE_ROWS);
  const { text } = await ports.model.generate(
    describePrompt(
      manifest.columns.map((column) => column.name),
      lines,
    ),
  );
  const description = readDescription(text, lines);
  if (description === null) return { described: false };
  return {
    described: await ports.datasets.recordFindings(
      input.dataset_id,
      input.run_id,
      { description },
      input.now,
    ),
  };
}
