import * as z from 'zod';

/** Targets that one expansion may have, after those that mean the same have become one. */
export const LANGUAGE_TARGETS_MAX = 50;

/** What rows are expanded to: a language, and for `localize` the country whose conventions they take on. */
export const ExpansionTarget = z
  .object({
    language: z.string().describe('Language code.'),
    country: z.string().nullable().describe('Country code; null for a translation.'),
  })
  .meta({ id: 'ExpansionTarget' });
export type ExpansionTarget = z.infer<typeof ExpansionTarget>;

/** Rows of a target that a run planned, and those of them that it made. */
export const TargetCount = z
  .object({
    ...ExpansionTarget.shape,
    planned: z.int().min(0).describe('Rows that were planned for it.'),
    made: z.int().min(0).describe('Those of them that the dataset has.'),
  })
  .meta({ id: 'TargetCount' });
export type TargetCount = z.infer<typeof TargetCount>;

/** A `language_expansion` with its codes resolved (spec §4.8). */
export const ResolvedExpansion = z.object({
  type: z.enum(['translate', 'localize']),
  targets: z.array(ExpansionTarget).min(1),
  sample_rate: z.number(),
});
export type ResolvedExpansion = z.infer<typeof ResolvedExpansion>;

/**
 * One line of an expansion's selection: a row of the source, and the place of a target among the specification's.
 * Lines are in order of the row, then of the target.
 */
export const ExpansionSelection = z.object({ row: z.int().min(0), target: z.int().min(0) });
export type ExpansionSelection = z.infer<typeof ExpansionSelection>;
