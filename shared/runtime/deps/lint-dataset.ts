import { systemClock } from '../../adapters/model/system-clock.ts';
import type { DatasetRecord } from '../../domain/datasets/record.ts';
import { lintDataset as lint } from '../../operations/lint-dataset.ts';
import type { LintReport, LintRequest } from '../../schema/lint.ts';
import { need } from '../need.ts';
import { theObjects } from './objects.ts';

/** Leaves time to read the last chunk and to send the response, within the 25 seconds of a request. */
const LINT_MILLISECONDS = 18_000;

type LintDataset = (dataset: DatasetRecord, request: LintRequest) => Promise<LintReport>;

export const lintDataset = need<LintDataset>(
  { bucket: { read: ['datasets'] } },
  () => (dataset, request) =>
    lint({ objects: theObjects(), clock: systemClock, milliseconds: LINT_MILLISECONDS }, dataset, request),
);
