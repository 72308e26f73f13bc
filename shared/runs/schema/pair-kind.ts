import * as z from 'zod';

/** In what two answers to one request differ, as far as the texts themselves show it. */
export const PAIR_KINDS = ['defect', 'fact', 'short', 'form', 'code', 'voice', 'length', 'wording'] as const;
export const PairKind = z.enum(PAIR_KINDS);
export type PairKind = z.infer<typeof PairKind>;
