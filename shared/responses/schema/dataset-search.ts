import * as z from 'zod';
import { TraceHeaders } from '#shared/platform/schema/trace-headers.ts';

/** Datasets that are searched together at most, and rows that a search finds at most. */
export const SEARCHED_DATASETS_MAX = 50;
export const FOUND_ROWS_MAX = 50;
/** Of a query, which a model writes; the rest of a longer one is not looked at. */
export const QUERY_CHARACTERS_MAX = 4000;

/** Request of the search function. Without a query it only checks whether the datasets can be searched. */
export const SearchRequest = z.object({
  team_id: z.string(),
  dataset_ids: z.array(z.string()).min(1).max(SEARCHED_DATASETS_MAX),
  query: z.string().max(QUERY_CHARACTERS_MAX).nullable(),
  limit: z.int().min(1).max(FOUND_ROWS_MAX),
  trace: TraceHeaders.optional(),
});
export type SearchRequest = z.infer<typeof SearchRequest>;

/** See `FoundRow` of the domain. */
const FoundRow = z.object({
  dataset_id: z.string(),
  dataset_name: z.string(),
  row: z.int().min(0),
  text: z.string(),
  score: z.number().min(0).max(1),
});

/** Response of the search function. A refusal is data, so that its code reaches the caller on any engine. */
export const SearchReply = z.object({
  rows: z.array(FoundRow),
  refusal: z
    .object({ code: z.string(), message: z.string(), retry_after_seconds: z.number().nullable() })
    .nullable(),
});
export type SearchReply = z.infer<typeof SearchReply>;
