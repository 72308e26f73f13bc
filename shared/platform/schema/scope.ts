import * as z from 'zod';

/** Permissions that a key has unless its operator names others: all that concern its own team. */
export const DEFAULT_SCOPES = [
  'datasets:read',
  'datasets:write',
  'training',
  'responses',
  'webhooks',
] as const;

/** Permissions of an API key. `audit` reads what operators did to all teams, and is given only by its name. */
export const SCOPES = [...DEFAULT_SCOPES, 'audit'] as const;

export const Scope = z.enum(SCOPES);
export type Scope = z.infer<typeof Scope>;
