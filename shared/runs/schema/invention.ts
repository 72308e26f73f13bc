import * as z from 'zod';

/** How different the rows are from each other, of a sample where there are many. */
export const Diversity = z
  .object({
    sampled_rows: z.int().min(0).describe('Rows that were measured.'),
    distinct_1: z.number().min(0).max(1).meta({ description: 'Different words among all words' }),
    distinct_2: z.number().min(0).max(1).meta({ description: 'The same of pairs of words' }),
    distinct_3: z.number().min(0).max(1).meta({ description: 'The same of three words in a row' }),
    self_similarity: z.number().min(0).max(1).meta({
      description: 'Mean Jaccard similarity of the word sets of each prompt and its nearest other one',
    }),
    subdomains: z.int().min(1).meta({ description: 'Subdomains that were asked for' }),
    covered_subdomains: z.int().min(0).meta({ description: 'Those of them that have a row' }),
    coverage: z.number().min(0).max(1).describe('Share of the requested subdomains that have a row, 0 to 1.'),
  })
  .meta({ id: 'Diversity' });
export type Diversity = z.infer<typeof Diversity>;

/** How the rows of an invented dataset came to be. */
export const Invention = z
  .object({
    requested: z.int().min(1).describe('Rows that were requested.'),
    accepted: z.int().min(0).describe('Rows that the dataset has.'),
    candidates: z.int().min(0).meta({ description: 'Rows that were written and judged' }),
    candidates_max: z.int().min(1).meta({ description: 'More are not written for so many rows' }),
    score_min: z.number().meta({ description: 'Score of 0 to 10 from which a row is accepted' }),
    ended_by: z.enum(['rows', 'candidates', 'time', 'stop']).meta({
      description:
        'All rows are there, the candidates or the day are used up, or the run was stopped or broke off',
    }),
    diversity: Diversity.nullable().describe('How different the rows are; null when there are no rows.'),
  })
  .meta({ id: 'Invention' });
export type Invention = z.infer<typeof Invention>;

/** The topics inferred from a description, or why there are none. `unavailable` if no model could be asked. */
export const Inference = z.union([
  z.object({ topics: z.object({ domains: z.array(z.string()), subdomains: z.array(z.string()) }) }),
  z.object({ problem: z.enum(['none_fits', 'unavailable']) }),
]);
export type Inference = z.infer<typeof Inference>;
