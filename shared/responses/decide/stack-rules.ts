import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { Stack, type StackRepository } from './stack.ts';

const PREFIX = 'stack:';

/** The slug in any form of `model`; null if it is not a stack. */
export function stackSlugOf(model: string): string | null {
  return model.startsWith(PREFIX) ? model.slice(PREFIX.length) : null;
}

/** The value of `model` for the stack. */
export function stackModel({ slug }: Pick<Stack, 'slug'>): string {
  return `${PREFIX}${slug}`;
}

/**
 * Finds the team's stack with that slug; stacks of other teams are not found.
 * @throws {ServiceError} `stack_not_found`
 */
export async function requireStack(
  stacks: Pick<StackRepository, 'find'>,
  teamId: string,
  slug: string,
): Promise<Stack> {
  const found = Stack.shape.slug.safeParse(slug).success ? await stacks.find(teamId, slug) : null;
  if (found !== null) return found;
  throw new ServiceError(
    'stack_not_found',
    `The team has no stack ${JSON.stringify(slug)}. Check the name, or ask your operator to make it.`,
    { details: [{ path: 'model', message: 'names no stack of the team' }] },
  );
}

/** `host`, or `host:port` if the port is not 443, as in `server_hosts` of stacks. */
export function serverHostOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).host : null;
}

function notPermitted(path: string, message: string, allowed: readonly string[]): ServiceError {
  const choice = allowed.length === 0 ? 'It permits none.' : `It permits ${allowed.join(', ')}.`;
  return new ServiceError('tool_not_permitted', `${path}: ${message}. ${choice}`, {
    details: [{ path, message, allowed }],
  });
}

/**
 * Rejects a tool server that the stack does not allow: catalog servers by label, servers of the request by the host of
 * their URL. `path` is the tool's path in the request (`tools[0]`).
 * @throws {ServiceError} `tool_not_permitted`
 */
export function requirePermittedServer(
  stack: Pick<Stack, 'tool_labels' | 'server_hosts'>,
  server: { readonly server_label: string; readonly server_url?: string | null | undefined },
  path: string,
): void {
  const { server_label: label, server_url: url } = server;
  if (url === undefined || url === null) {
    if (stack.tool_labels.includes(label)) return;
    throw notPermitted(
      `${path}.server_label`,
      `the stack does not enable the tool ${JSON.stringify(label)}`,
      stack.tool_labels,
    );
  }
  const host = serverHostOf(url);
  if (host !== null && stack.server_hosts.includes(host)) return;
  throw notPermitted(
    `${path}.server_url`,
    `the stack does not permit servers at ${JSON.stringify(host ?? url)}`,
    stack.server_hosts,
  );
}

/**
 * Resolves the datasets of a search: the named ones, which must be among the stack's; with a stack and none named,
 * all of the stack's. Whether they belong to the team is checked elsewhere.
 * @param stack null if the model is not a stack
 * @throws {ServiceError} `tool_not_permitted`, `invalid_request`
 */
export function datasetsToSearch(
  stack: Pick<Stack, 'dataset_ids'> | null,
  named: readonly string[] | null | undefined,
  path: string,
): readonly string[] {
  const where = `${path}.dataset_ids`;
  if (named === undefined || named === null) {
    if (stack === null) throw invalidField(where, 'is required unless the model is a stack');
    if (stack.dataset_ids.length === 0) throw invalidField(where, 'is required: the stack has no datasets');
    return stack.dataset_ids;
  }
  if (named.length === 0) throw invalidField(where, 'must name at least one dataset');
  const foreign = named.filter((id) => stack !== null && !stack.dataset_ids.includes(id));
  if (foreign.length > 0) {
    throw notPermitted(
      where,
      `the stack does not permit searching ${foreign.join(', ')}`,
      stack?.dataset_ids ?? [],
    );
  }
  return [...new Set(named)];
}
