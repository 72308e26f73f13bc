import { beginningOf } from '#shared/platform/beginning-of.ts';
import { PILOT_TEXT_CHARACTERS_MAX, type PilotRow } from '../schema/pilot.ts';
import type { AssembledArm } from './describe-arm.ts';

/** The answers of all arms side by side. `rows` are the indexes of the sample in the dataset. */
export function describeRows(arms: readonly AssembledArm[], rows: readonly number[]): PilotRow[] {
  const verdicts = new Map(
    arms.map(({ arm, verdicts: own }) => [arm, new Map(own.map(({ row, verdict }) => [row, verdict]))]),
  );
  return rows.map((row, place) => {
    const known = arms.flatMap(({ described }) => described.get(place) ?? [])[0];
    return {
      row,
      request: shown(known?.request ?? null),
      original: shown(known?.before ?? null),
      answers: arms.flatMap(({ arm, results, described }) => {
        const result = results.get(place);
        if (result === undefined || result.outcome === 'not_selected') return [];
        const { outcome, reason } = result;
        return {
          arm,
          outcome,
          code: outcome === 'changed' ? null : (reason?.code ?? null),
          message:
            outcome === 'changed' || reason === undefined
              ? null
              : beginningOf(reason.message, PILOT_TEXT_CHARACTERS_MAX),
          answer: shown(described.get(place)?.after ?? null),
          verdict: verdicts.get(arm)?.get(place) ?? null,
        };
      }),
    };
  });
}

/** The text as far as it is shown. */
function shown(text: string | null): { text: string; truncated: boolean } | null {
  if (text === null) return null;
  const truncated = text.length > PILOT_TEXT_CHARACTERS_MAX;
  return { text: beginningOf(text, PILOT_TEXT_CHARACTERS_MAX), truncated };
}
