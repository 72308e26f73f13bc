import { plainSpecification } from '#shared/adaptation/decide/plain-specification.ts';
import { RunRequestObject } from '#shared/adaptation/decide/run-request.ts';
import { runIsActive } from '#shared/datasets/decide/not-ready.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { latestVersion } from '#shared/datasets/decide/versions.ts';
import { withTexts } from '#shared/exports/read-texts.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { NO_BUDGET } from '#shared/runs/decide/budget.ts';
import type { LaunchRun } from '#shared/runs/launch-run.ts';
import { countOpinions } from './decide/judge-rows.ts';
import { type ReviewRequestObject, requireApplicable, type WrongRows } from './decide/review-request.ts';
import { openReview, type ReviewPorts, versionOf } from './read-review.ts';
import type { AppliedVerdicts, ApplyRequest } from './schema/verdict.ts';

export interface LaunchReviewPorts extends ReviewPorts {
  readonly launchRun: LaunchRun;
}

interface LaunchReviewInput {
  readonly caller: Caller;
  readonly dataset: DatasetRecord;
  readonly request: ApplyRequest;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Launches the run that makes a version of the reviewed rows with the texts that reviewers give.
 * @throws {ServiceError} `nothing_to_apply`, and what a launch throws, and as `readReview`
 */
export async function launchReview(
  ports: LaunchReviewPorts,
  input: LaunchReviewInput,
): Promise<AppliedVerdicts> {
  const { caller, dataset, request: asked, now } = input;
  const { wrong = 'keep', idempotency_key: key } = asked;
  // What its run reads is decided with the launch, and so for the first of several requests with the same key.
  const request: { -readonly [K in keyof ReviewRequestObject]?: ReviewRequestObject[K] } = {};
  return ports.launchRun({
    caller,
    dataset,
    pipeline: 'review',
    request,
    ...(key === undefined
      ? {}
      : {
          idempotency: { operation: 'review' as const, key, request: asked, path: 'idempotency_key' },
        }),
    decide: async () => {
      if (dataset.state === 'running') throw runIsActive(dataset);
      const decided = await decide(ports, input, wrong);
      Object.assign(request, decided.request);
      return {
        credits: 0,
        rows: dataset.row_count,
        parentVersion: decided.parentVersion,
        changes: { configured_column_mapping: decided.request.specification.mapping },
        response: (runId: string) => ({
          run_id: runId,
          version: latestVersion(dataset) + 1,
          status: 'running' as const,
        }),
      };
    },
    now,
  });
}

async function decide(
  ports: LaunchReviewPorts,
  { dataset, signal }: LaunchReviewInput,
  wrong: WrongRows,
): Promise<{ request: ReviewRequestObject; parentVersion: number }> {
  return withTexts(ports, dataset, signal, async (texts) => {
    const { opinions } = await openReview(ports, dataset, texts);
    requireApplicable(countOpinions(opinions), wrong);
    const base = texts.run;
    const { specification } =
      base === null
        ? { specification: plainSpecification(texts.mapping, dataset) }
        : await readJson(ports.objects, objectKeys.runRequest(base.run_id), RunRequestObject);
    return {
      parentVersion: versionOf(dataset, texts),
      request: {
        request: { wrong },
        specification,
        budget: NO_BUDGET,
        reuse: null,
        review: { base_run_id: base?.run_id ?? null, wrong, rows_version: texts.version },
      },
    };
  });
}
