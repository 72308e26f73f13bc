import type { WitnessFinding } from '#shared/witnesses/decide/witness.ts';
import type { DryRunResult } from './dry-run.ts';

const REASON_CHARACTERS_MAX = 300;

/** What the checks of the program say of a row that no run has worked on; null for one without a defect. */
export function programFinding(result: Exclude<DryRunResult, { outcome: 'skipped' }>): WitnessFinding | null {
  if (result.outcome === 'kept') return null;
  return {
    witness: 'program',
    says: 'wrong',
    kind: result.defect,
    reason: `The answer ${result.why.slice(0, REASON_CHARACTERS_MAX)}.`,
    ...(result.outcome === 'changed' ? { better: result.completion } : {}),
  };
}
