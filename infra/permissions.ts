import * as z from 'zod';
import { type BucketPrefix, bucketPrefixes, mergeUses, type Uses } from '#shared/platform/runtime/uses.ts';
import { MODEL_ROLES } from '#shared/platform/schema/model-role.ts';
import recorded from '../permissions.json' with { type: 'json' };

type Shape = { readonly [Name in keyof Uses]-?: z.ZodType<Required<Uses>[Name]> };

const ids = z.array(z.string().min(1));
const roles = z.array(z.enum(MODEL_ROLES));
const prefixes = z.array(z.enum(Object.keys(bucketPrefixes) as BucketPrefix[]));

/** One grant in `permissions.json`: a name or a value that no grant has is an error. */
const Grant = z
  .strictObject({
    table: z.enum(['read', 'write']),
    credits: z.enum(['read', 'write']),
    apiKeys: z.literal('read'),
    audit: z.literal('read'),
    bucket: z.partialRecord(z.enum(['read', 'write', 'delete']), prefixes),
    bucketOrigin: z.literal(true),
    starts: ids,
    observes: ids,
    stops: ids,
    invokes: ids,
    secrets: z.array(
      z.enum(['cursor_signing', 'model_api_key', 'probe_access', 'telemetry_headers', 'webhook_signing']),
    ),
    models: roles,
    modelIds: roles,
    listsModels: z.literal(true),
    imports: z.literal(true),
    egress: z.literal(true),
    toolCatalog: z.literal(true),
    connections: z.literal(true),
    search: z.literal(true),
    batchJobs: z.enum(['read', 'cancel', 'write']),
    publishesEvents: z.literal(true),
    trainers: z.literal(true),
    trainerQueues: z.literal(true),
    lendsCredentials: z.literal(true),
    trainingJobs: z.enum(['stop', 'launch']),
    deploysModels: z.enum(['read', 'write']),
    probe: z.literal(true),
    telemetry: z.literal(true),
    fails: ids,
  } satisfies Shape)
  .partial();

const permissions = readPermissions(recorded);

/** What each function may access, by function id, from the content of `permissions.json`. */
export function readPermissions(content: unknown): ReadonlyMap<string, Uses> {
  const functions = z.record(z.string(), z.array(Grant)).parse(content);
  return new Map(Object.entries(functions).map(([id, grants]) => [id, mergeUses(grants as Uses[])]));
}

/** What a function may access, as its handler's needs say. */
export function permissionsOf(functionId: string): Uses {
  const uses = permissions.get(functionId);
  if (uses === undefined) {
    throw new Error(`permissions.json does not have the function ${functionId}: run "npm run permissions".`);
  }
  return uses;
}
