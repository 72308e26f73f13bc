import * as z from 'zod';
import { Scope } from './scope.ts';

const ServerLabel = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/);
const ApprovalDefault = z.enum(['always', 'never']);

/**
 * By what right a hosted server is asked: nobody's, the operator's, that of the caller who sends it along, or that of a
 * team that has had it stored.
 */
const ToolAuth = z.enum(['none', 'platform', 'caller', 'connection']);

/** A tool server that the operator offers: an entry of the catalog file. */
export const ToolCatalogEntry = z.strictObject({
  server_label: ServerLabel,
  name: z.string().min(1).max(200),
  description: z.string().max(2000),
  /** Null announces a server that is not there yet. */
  url: z.url().nullable(),
  auth: ToolAuth.default('none'),
  default_require_approval: ApprovalDefault.default('never'),
  /** Scope that a key needs. */
  required_scope: Scope.default('responses'),
  logo_url: z.url().optional(),
  enabled: z.boolean().default(true),
});
export type ToolCatalogEntry = z.infer<typeof ToolCatalogEntry>;

/** The catalog file; its labels are unique. */
export const ToolCatalog = z.array(ToolCatalogEntry).check((context) => {
  const labels = context.value.map((entry) => entry.server_label);
  labels.forEach((label, index) => {
    if (labels.indexOf(label) === index) return;
    context.issues.push({
      code: 'custom',
      input: label,
      path: [index, 'server_label'],
      message: `"${label}" is there twice`,
    });
  });
});
export type ToolCatalog = z.infer<typeof ToolCatalog>;

/** A hosted tool server as callers see it. Those that a caller cannot use are listed too, and say why. */
export const Tool = z
  .object({
    server_label: z.string(),
    type: z.literal('mcp'),
    name: z.string(),
    description: z.string(),
    auth: ToolAuth,
    /** How a team's credential comes to be stored: `secret` where its operator does it. */
    connect: z.enum(['oauth', 'secret']).nullable(),
    connect_path: z.string().nullable(),
    logo_url: z.string().optional(),
    mode: z.enum(['hosted_proxy', 'remote_mcp']),
    default_require_approval: ApprovalDefault,
    required_scope: Scope,
    available: z.boolean(),
    unavailable_reason: z.enum(['not_implemented', 'disabled', 'requires_plan', 'requires_scope']).nullable(),
  })
  .meta({ id: 'Tool' });
export type Tool = z.infer<typeof Tool>;

export const ToolList = z.object({ object: z.literal('list'), data: z.array(Tool) }).meta({ id: 'ToolList' });
