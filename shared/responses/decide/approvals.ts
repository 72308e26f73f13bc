import { createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '#shared/platform/canonical-json.ts';
import type { ListedTool } from '../schema/listed-tool.ts';
import type { McpToolParam, ToolFilter } from '../schema/response-request.ts';

const PREFIX = 'mcpr_';
const NONCE_DIGITS = 24;
const MAC_DIGITS = 40;

/** Records used approvals: a retried request must not repeat its calls. */
export interface ApprovalRepository {
  /** Claims an approval; false if it was claimed before. */
  claim(teamId: string, approvalId: string): Promise<boolean>;
}

/** The properties of a call that an approval is valid for. */
export interface ProposedCall {
  readonly team_id: string;
  readonly server_label: string;
  /** The target of the call: the server's address, or the label of a hosted one. */
  readonly server: string;
  readonly name: string;
  readonly arguments: string;
}

/**
 * The id of an approval request. It is a signature over the call, so that an approval is valid for that call only, even
 * if only the caller stores the conversation.
 * @param nonce 24 hexadecimal digits, different each time
 */
export function approvalIdOf(call: ProposedCall, nonce: string, key: string): string {
  return `${PREFIX}${nonce}${sign(call, nonce, key)}`;
}

/** Whether the service proposed exactly this call under this id. */
export function isProposed(id: string, call: ProposedCall, key: string): boolean {
  const nonce = id.slice(PREFIX.length, PREFIX.length + NONCE_DIGITS);
  const given = Buffer.from(id);
  const expected = Buffer.from(approvalIdOf(call, nonce, key));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function sign(call: ProposedCall, nonce: string, key: string): string {
  return createHmac('sha256', key)
    .update(canonicalJson(['approval', nonce, call]))
    .digest('hex')
    .slice(0, MAC_DIGITS);
}

/** If both conditions are given, both must match; a filter without conditions selects nothing. */
function selects({ tool_names: names, read_only: readOnly }: ToolFilter, tool: ListedTool): boolean {
  if (names === undefined && readOnly === undefined) return false;
  const isReadOnly = tool.annotations?.readOnlyHint === true;
  return (
    (names === undefined || names.includes(tool.name)) && (readOnly === undefined || readOnly === isReadOnly)
  );
}

/** Whether `allowed_tools` allows the tool. */
export function isAllowed(allowed: McpToolParam['allowed_tools'], tool: ListedTool): boolean {
  if (allowed === undefined || allowed === null) return true;
  return Array.isArray(allowed) ? allowed.includes(tool.name) : selects(allowed, tool);
}

/** The tools that `allowed_tools` names. */
export function namedTools(allowed: McpToolParam['allowed_tools']): readonly string[] {
  if (allowed === undefined || allowed === null) return [];
  return Array.isArray(allowed) ? allowed : (allowed.tool_names ?? []);
}

/**
 * Whether calls of the tool need approval (spec §4.27). If `always` and `never` both select a tool, it needs
 * approval. If neither selects it, it needs approval unless only `always` was given, since that lists all tools
 * that need it.
 */
export function needsApproval(
  rule: McpToolParam['require_approval'],
  tool: ListedTool,
  byDefault: 'always' | 'never',
): boolean {
  if (rule === undefined || rule === null) return byDefault === 'always';
  if (typeof rule === 'string') return rule === 'always';
  const { always, never } = rule;
  if (always === undefined && never === undefined) return byDefault === 'always';
  if (always !== undefined && selects(always, tool)) return true;
  if (never === undefined) return false;
  return !selects(never, tool);
}
