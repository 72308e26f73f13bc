import type { AdaptationMode } from '#shared/adaptation/decide/request.ts';
import type { PilotArm } from '../schema/pilot.ts';

/** `arms: "auto"`: a varied set of two to six arms from what the columns hold. */
export function proposeArms(_input: {
  mode: AdaptationMode;
  texts: readonly { prompt: string; completion: string }[];
}): PilotArm[] {
  return [{ name: 'Default' }, { name: 'Preference pairs', training_type: 'preference_pairs' }];
}
