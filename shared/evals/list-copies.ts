import { datasetIdOf } from '#shared/openai/decide/ids.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { EvalRepository } from './decide/records.ts';

/** The prefixes of a team's runs over a dataset, which hold its rows. */
export async function listCopies(
  evals: Pick<EvalRepository, 'list' | 'listRuns'>,
  teamId: string,
  datasetId: string,
): Promise<string[]> {
  const prefixes: string[] = [];
  for (const { eval_id } of await evals.list(teamId)) {
    for (const { run_id, data_source } of await evals.listRuns(teamId, eval_id)) {
      const { source } = data_source;
      if (source.type === 'file_id' && datasetIdOf(source.id) === datasetId)
        prefixes.push(objectKeys.evalRun(teamId, run_id));
    }
  }
  return prefixes;
}
