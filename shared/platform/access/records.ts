import * as z from 'zod';
import { Scope } from '../schema/scope.ts';

const Timestamp = z.iso.datetime();

export const Organization = z.object({
  organization_id: z.uuid(),
  name: z.string(),
  created_at: Timestamp,
});
export type Organization = z.infer<typeof Organization>;

export const Team = z.object({
  team_id: z.uuid(),
  organization_id: z.uuid(),
  name: z.string(),
  plan: z.string(),
  created_at: Timestamp,
});
export type Team = z.infer<typeof Team>;

export const User = z.object({ user_id: z.uuid(), name: z.string(), created_at: Timestamp });
export type User = z.infer<typeof User>;

/** An API key as stored; the key itself is shown once and never stored. */
export const KeyRecord = z.object({
  key_id: z.uuid(),
  /** SHA-256 of the whole key, 64 hexadecimal digits. */
  key_hash: z.string(),
  /** Its last four characters, so that people can recognise it. */
  ending: z.string(),
  organization_id: z.uuid(),
  team_id: z.uuid(),
  user_id: z.uuid(),
  scopes: z.array(Scope),
  created_at: Timestamp,
  revoked_at: Timestamp.nullable(),
});
export type KeyRecord = z.infer<typeof KeyRecord>;
