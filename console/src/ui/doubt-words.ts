import type { Schemas } from 'tunesmith';
import { wholePercent, words } from '../format.ts';

export type Doubt = Schemas['Doubt'];

const LIKELY: readonly (readonly [number, string])[] = [
  [0.9, 'almost surely wrong'],
  [0.7, 'probably wrong'],
  [0.5, 'rather wrong than right'],
  [0.2, 'possibly wrong'],
  [0, 'probably right'],
];

/** How probably a row is wrong, in words. */
export const likelyWords = (probability: number): string =>
  LIKELY.find(([from]) => probability >= from)?.[1] ?? 'probably right';

/** `probably wrong, 82 %` */
export const doubtWords = ({ probability }: Pick<Doubt, 'probability'>): string =>
  `${likelyWords(probability)}, ${wholePercent(probability)}`;

/** The tone of a probability; its words say the same. */
export const doubtTone = ({ probability }: Pick<Doubt, 'probability'>): 'bad' | 'warn' | 'idle' =>
  probability >= 0.7 ? 'bad' : probability >= 0.2 ? 'warn' : 'idle';

type Witness = Doubt['reasons'][number]['witness'];

const WITNESSES: Readonly<Record<Witness, string>> = {
  program: 'Checks',
  execution: 'Its code was run',
  neighbours: 'Similar rows',
  model: 'The model',
};

/** Who speaks. */
export const witnessWords = (witness: string): string =>
  Object.hasOwn(WITNESSES, witness) ? WITNESSES[witness as Witness] : words(witness);
