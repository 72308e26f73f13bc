import type { ErrorData } from '#shared/platform/schema/common.ts';
import { readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { StoredReport } from '#shared/runs/decide/report.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { targetWarnings } from '#shared/runs/decide/target-counts.ts';
import { type EndRun, endOnce } from '#shared/runs/end-run.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';

export interface EndReviewPorts {
  readonly runs: Pick<RunRepository, 'find'>;
  readonly objects: Pick<ObjectStore, 'read'>;
  readonly endRun: EndRun;
}

const LEFT_OUT =
  'are left: the review leaves out those of rows that have another text now, or were dropped. ' +
  'Send translate or localize, which makes a dataset with rows in other languages of the reviewed ones.';

/** Ends a review, which costs nothing; one that failed delivers nothing. Idempotent. */
export const endReview = (
  { runs, objects, endRun }: EndReviewPorts,
  context: RunContext,
  error: ErrorData | null,
  now: number,
): Promise<RunRecord> =>
  endOnce(runs, context, async ({ dataset_id, run_id, stop_reason }) => {
    const report = error === null ? await readJson(objects, objectKeys.report(run_id), StoredReport) : null;
    return endRun({
      dataset_id,
      run_id,
      error: error === null ? null : (stop_reason ?? error),
      billedCredits: 0,
      ...(report === null
        ? {}
        : { counts: report.rows, warnings: targetWarnings(report.targets ?? [], LEFT_OUT) }),
      now,
    });
  });
