import * as z from 'zod';

/** Permissions of an API key. */
export const SCOPES = ['datasets:read', 'datasets:write', 'training', 'responses', 'webhooks'] as const;

export const Scope = z.enum(SCOPES);
export type Scope = z.infer<typeof Scope>;
