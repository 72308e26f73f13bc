import * as z from 'zod';

/** Roles of models in the service. Which model serves which role is configuration. */
export const MODEL_ROLES = [
  'rewrite',
  'answer',
  'judge',
  'translate',
  'describe',
  'respond',
  'embed',
] as const;
export type ModelRole = (typeof MODEL_ROLES)[number];

/** How an OpenAI-compatible endpoint is asked for answers to callers. */
export const RespondApi = z.enum(['chat', 'responses']);
export type RespondApi = z.infer<typeof RespondApi>;
