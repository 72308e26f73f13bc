import { type DeploymentRepository, isDue } from './decide/record.ts';

export interface SweepDeploymentsPorts {
  readonly deployments: Pick<DeploymentRepository, 'list'>;
  readonly idleDays: number | null;
  readonly start: (input: { readonly experiment_id: string }) => Promise<void>;
}

/** Starts the work on every deployment for which something is due. @returns how many */
export async function sweepDeployments(
  { deployments, idleDays, start }: SweepDeploymentsPorts,
  now: number,
): Promise<number> {
  let started = 0;
  for await (const record of deployments.list()) {
    if (!isDue(record, idleDays, now)) continue;
    await start({ experiment_id: record.experiment_id });
    started += 1;
  }
  return started;
}
