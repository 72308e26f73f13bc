import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { kindOf } from '#shared/runs/decide/run-kinds.ts';

/**
 * The run, if it is a pilot.
 * @throws {ServiceError} `pilot_not_found`
 */
export function requirePilot(run: RunRecord | null): RunRecord {
  if (run !== null && kindOf(run).makes === 'recommendation') return run;
  throw new ServiceError('pilot_not_found', 'The dataset has no pilot with this id. List those that it has.');
}
