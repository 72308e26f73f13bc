import { deliveredRows } from '#shared/exports/build-export.ts';
import { deliveredRowCount, openSource } from '#shared/growth/combine-rows.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { joinRows } from '#shared/tabular/decide/join-rows.ts';
import { measureJson } from '#shared/tabular/decide/measure-json.ts';
import { FILE_VALUES_MAX } from './decide/object-in.ts';

export interface ReadFileRowsPorts {
  readonly datasets: Parameters<typeof openSource>[0]['datasets'];
  readonly runs: Pick<RunRepository, 'find'>;
  readonly objects: Pick<ObjectStore, 'read' | 'write'>;
}

/** The most rows that are read of a file at once, and their bytes. */
export const FILE_ROWS_MAX = 10_000;
export const FILE_BYTES_MAX = 64 * 1024 * 1024;

/**
 * The rows of a file, in their order: those that a run has left, with its rows in other languages behind them, or with null those
 * that were uploaded.
 * @param path of the field that names the file
 * @throws {ServiceError} `invalid_request` for more rows than are taken, `run_interrupted` if the file, or a part of it, is gone
 */
export async function readFileRows(
  ports: ReadFileRowsPorts,
  context: RunContext,
  runId: string | null,
  path: string,
): Promise<Record<string, unknown>[]> {
  const source = { dataset_id: context.dataset_id, run_id: runId };
  const { shape, manifest, run } = await openSource(ports, context, source);
  const delivered = deliveredRows(ports.objects, manifest, run);
  const rows: Record<string, unknown>[] = [];
  let [bytes, values] = [0, 0];
  for await (const block of joinRows({ columns: shape.columns, ...delivered })) {
    bytes += block.length;
    const text = block.toString('utf8');
    values += measureJson(text).values;
    if (values > FILE_VALUES_MAX || bytes > FILE_BYTES_MAX) throw tooManyRows(path);
    for (const line of text.split('\n')) if (line !== '') rows.push(JSON.parse(line));
    if (rows.length > FILE_ROWS_MAX) throw tooManyRows(path);
  }
  const expected = deliveredRowCount(manifest.row_count, run);
  // A failed run delivers its finished rows, which its counts do not tell.
  if (run?.status !== 'failed' && rows.length !== expected) {
    throw new ServiceError(
      'run_interrupted',
      `The file gave ${rows.length} of its ${expected} rows: a part of them was deleted before they were read.`,
    );
  }
  return rows;
}

/** @param path of the field that names the rows */
export const tooManyRows = (path: string): ServiceError =>
  new ServiceError(
    'invalid_request',
    `${path}: at most ${FILE_ROWS_MAX} rows of 64 MB and ${FILE_VALUES_MAX} values together are taken. Send fewer rows, in several parts.`,
    {
      details: [
        { path, message: `has more than ${FILE_ROWS_MAX} rows, 64 MB, or ${FILE_VALUES_MAX} values` },
      ],
    },
  );
