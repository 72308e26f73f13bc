import * as z from 'zod';

/** What an API key may be allowed to do. */
export const SCOPES = ['datasets:read', 'datasets:write', 'training', 'responses'] as const;

export const Scope = z.enum(SCOPES);
export type Scope = z.infer<typeof Scope>;
