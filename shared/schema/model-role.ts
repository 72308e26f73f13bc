/** What the service asks models for. Which model serves which role is configuration. */
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
