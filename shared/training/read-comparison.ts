import { findJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ComparisonRecord } from './decide/comparison.ts';
import { toComparison } from './decide/comparison-result.ts';
import { readOutcomes } from './propose-hyperparams.ts';
import { type ReadMetricsPorts, readMetrics } from './read-metrics.ts';
import type { Comparison } from './schema/comparison.ts';
import { StoredAnswer } from './schema/training-outcome.ts';

/** A comparison with what it has measured so far; of one that failed, what was done before. */
export async function readComparison(ports: ReadMetricsPorts, record: ComparisonRecord): Promise<Comparison> {
  const { objects } = ports;
  const [{ iterations: metrics }, outcomes] = await Promise.all([
    readMetrics(ports, record),
    readOutcomes(objects, record),
  ]);
  const answers = await Promise.all(
    outcomes.map(async ({ iteration }) => {
      const key = objectKeys.iterationAnswers(record.experiment_id, iteration);
      return (await findJson(objects, key, StoredAnswer.array())) ?? [];
    }),
  );
  return toComparison(record, { metrics, outcomes, answers });
}
