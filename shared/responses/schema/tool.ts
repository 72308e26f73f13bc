import * as z from 'zod';
import { text } from '#shared/platform/schema/common.ts';
import { Scope } from '#shared/platform/schema/scope.ts';

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
    server_label: text('handbook').describe('Id of the server; pass it as `server_label` of a tool.'),
    type: z.literal('mcp').describe('Always `mcp`.'),
    name: text('Handbook').describe('Name for people.'),
    description: text('Searches the handbook of the company.').describe('What the server offers.'),
    auth: ToolAuth.describe(
      'Whose credential is used: none, the operator’s (`platform`), the one in the request (`caller`), or one stored for the team (`connection`).',
    ),
    connect: z
      .enum(['oauth', 'secret'])
      .nullable()
      .describe('How a credential is stored for the team; null when none is needed.'),
    connect_path: z.string().nullable().describe('Path that starts the connection; null when there is none.'),
    logo_url: z.string().optional().describe('URL of a logo; absent when there is none.'),
    mode: z
      .enum(['hosted_proxy', 'remote_mcp'])
      .describe(
        'Whether this installation forwards the calls (`hosted_proxy`) or calls the server directly (`remote_mcp`).',
      ),
    default_require_approval: ApprovalDefault.describe(
      'Whether a call needs an approval when the request does not say.',
    ),
    required_scope: Scope.meta({ example: 'responses' }).describe('Scope that the key needs.'),
    available: z.boolean().describe('Whether this key can use the server.'),
    unavailable_reason: z
      .enum(['not_implemented', 'disabled', 'requires_plan', 'requires_scope'])
      .nullable()
      .describe('Why this key cannot use the server; null when it can.'),
  })
  .meta({ id: 'Tool' });
export type Tool = z.infer<typeof Tool>;

export const ToolList = z
  .object({
    object: z.literal('list').describe('Always `list`.'),
    data: z.array(Tool).describe('Tool servers that the operator offers.'),
  })
  .meta({ id: 'ToolList' });
