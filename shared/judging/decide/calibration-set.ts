import { createHash } from 'node:crypto';
import type { PairKind } from '#shared/runs/schema/pair-kind.ts';
import { CODE_PAIRS } from './calibration-pairs/code.ts';
import { DEFECT_PAIRS } from './calibration-pairs/defect.ts';
import { FACT_PAIRS } from './calibration-pairs/fact.ts';
import { FORM_PAIRS } from './calibration-pairs/form.ts';
import { LENGTH_PAIRS } from './calibration-pairs/length.ts';
import type { CalibrationPair, PairsOfKind } from './calibration-pairs/pair.ts';
import { SHORT_PAIRS } from './calibration-pairs/short.ts';
import { VOICE_PAIRS } from './calibration-pairs/voice.ts';
import { WORDING_PAIRS } from './calibration-pairs/wording.ts';

const PAIRS: Readonly<Record<PairKind, PairsOfKind>> = {
  defect: DEFECT_PAIRS,
  fact: FACT_PAIRS,
  short: SHORT_PAIRS,
  form: FORM_PAIRS,
  code: CODE_PAIRS,
  voice: VOICE_PAIRS,
  length: LENGTH_PAIRS,
  wording: WORDING_PAIRS,
};

/**
 * Pairs whose better answer is known by construction, of each kind of `pairKindOf`. In about half of them the better
 * answer is the longer one, and in about half it is the original. A change of any text changes the set's hash, and
 * invalidates every calibration.
 */
export const CALIBRATION_SET: readonly CalibrationPair[] = Object.entries(PAIRS).flatMap(([kind, pairs]) =>
  pairs.map((pair) => ({ kind: kind as PairKind, ...pair })),
);

/** Hash of the set's exact texts. */
export const CALIBRATION_SET_HASH = createHash('sha256')
  .update(JSON.stringify(CALIBRATION_SET))
  .digest('hex')
  .slice(0, 16);
