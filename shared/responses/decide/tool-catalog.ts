import type { Caller } from '#shared/platform/access/caller.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import type { Tool, ToolCatalog, ToolCatalogEntry } from '../schema/tool.ts';
import type { HostedServers } from './tool-servers.ts';

type Asking = Pick<Caller, 'team_id' | 'scopes'>;

/** The owner of credentials that an operator stores for all teams. */
const PLATFORM = 'platform';

function whyUnavailable(entry: ToolCatalogEntry, { scopes }: Asking): Tool['unavailable_reason'] {
  if (!entry.enabled) return 'disabled';
  if (entry.url === null) return 'not_implemented';
  if (!scopes.includes(entry.required_scope)) return 'requires_scope';
  return null;
}

/** The catalog as a caller sees it, in the operator's order. Tools that the caller cannot use include the reason. */
export function listHostedTools(catalog: ToolCatalog, caller: Asking): Tool[] {
  return catalog.map((entry) => {
    const unavailable = whyUnavailable(entry, caller);
    return {
      server_label: entry.server_label,
      type: 'mcp',
      name: entry.name,
      description: entry.description,
      auth: entry.auth,
      connect: entry.auth === 'connection' ? 'secret' : null,
      connect_path: null,
      ...(entry.logo_url === undefined ? {} : { logo_url: entry.logo_url }),
      mode: 'remote_mcp',
      default_require_approval: entry.default_require_approval,
      required_scope: entry.required_scope,
      available: unavailable === null,
      unavailable_reason: unavailable,
    };
  });
}

/** The stored credential for a provider; null if there is none. */
type FindConnection = (owner: string, provider: string) => Promise<string | null>;

/**
 * The servers of the catalog with their stored credentials: the operator's, or the team's. Tool connections have
 * separate names, so that a team's import credential is never sent to a tool server.
 */
export function createHostedServers(catalog: ToolCatalog, findConnection: FindConnection): HostedServers {
  const requireCredential = async ({ auth, server_label: label }: ToolCatalogEntry, teamId: string) => {
    if (auth === 'none') return null;
    if (auth === 'caller') {
      throw unusable(label, 'which needs your own credential; send it as authorization');
    }
    const stored = await findConnection(auth === 'platform' ? PLATFORM : teamId, `tools/${label}`);
    if (stored !== null) return stored;
    const whose = auth === 'platform' ? '' : ' of your team';
    throw unusable(
      label,
      `for which no credential${whose} is stored; ask your operator to store one, or send authorization`,
    );
  };
  return {
    async find(caller, label, authorization) {
      const entry = catalog.find((each) => each.server_label === label);
      const reason = entry === undefined ? 'unknown' : whyUnavailable(entry, caller);
      if (entry === undefined || entry.url === null || reason !== null) {
        throw unusable(
          label,
          `which is not an available hosted tool (${reason}); GET /tools lists them, or send server_url`,
        );
      }
      return {
        label,
        url: entry.url,
        default_require_approval: entry.default_require_approval,
        authorization: authorization ?? (await requireCredential(entry, caller.team_id)),
      };
    },
  };
}

const unusable = (label: string, why: string) =>
  invalidField('tools', `names ${JSON.stringify(label)}, ${why}`);
