import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { theClock } from '#shared/models/wire/clock.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { lintDataset as lint } from '../lint-dataset.ts';
import type { LintReport, LintRequest } from '../schema/lint.ts';

/** Leaves time to read the last chunk and to send the response, within the 25 seconds of a request. */
const LINT_MILLISECONDS = 18_000;

type LintDataset = (dataset: DatasetRecord, request: LintRequest) => Promise<LintReport>;

export const lintDataset = /* @__PURE__ */ need<LintDataset>(
  { bucket: { read: ['datasets'] } },
  (use) => (dataset, request) =>
    lint(
      { objects: use(theObjects), clock: use(theClock), milliseconds: LINT_MILLISECONDS },
      dataset,
      request,
    ),
);
