import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { EvalRepository } from './decide/records.ts';

/** The prefixes of a team's runs over a dataset, which hold its rows. */
export async function listCopies(
  evals: Pick<EvalRepository, 'listRunsOver'>,
  teamId: string,
  datasetId: string,
): Promise<string[]> {
  const runs = await evals.listRunsOver(teamId, datasetId);
  return runs.map((runId) => objectKeys.evalRun(teamId, runId));
}
