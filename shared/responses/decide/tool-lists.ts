import { createHash } from 'node:crypto';
import { type ListedTool, TOOLS_MAX } from '../schema/listed-tool.ts';
import type { ReplayedTool } from '../schema/response-request.ts';
import type { AttachedServer } from './toolbox.ts';

const DIGEST_DIGITS = 16;

/** Identifies the server of a list: its label, and its address or catalog entry. */
function digestOf({ server, identity }: Pick<AttachedServer, 'server' | 'identity'>): string {
  return createHash('sha256').update(`${server.label}\n${identity}`).digest('hex').slice(0, DIGEST_DIGITS);
}

/**
 * The id of a list of tools, which ends in a digest of its server. @param nonce hexadecimal digits, different each time
 */
export function listIdOf(attached: AttachedServer, nonce: string): string {
  return `mcpl_${nonce}${digestOf(attached)}`;
}

/**
 * The tools of a server from the last list in the conversation. A list of another server with the same label does not
 * count.
 */
export function findListed(
  lists: ReadonlyMap<string, readonly ReplayedTool[]>,
  attached: AttachedServer,
): readonly ListedTool[] | null {
  const ending = digestOf(attached);
  const found = [...lists].findLast(([id]) => id.startsWith('mcpl_') && id.endsWith(ending));
  return (
    found?.[1].slice(0, TOOLS_MAX).map(({ name, description, input_schema, annotations }) => ({
      name,
      description: description ?? null,
      input_schema,
      annotations: annotations ?? null,
    })) ?? null
  );
}
