import { createHash } from 'node:crypto';
import type { ListedTool } from '../../schema/listed-tool.ts';
import type { ReplayedTool } from '../../schema/response-request.ts';
import type { AttachedServer } from './toolbox.ts';

const DIGEST_DIGITS = 16;

/** Of which server a list is: its label, and the address or the catalog's entry behind it. */
function digestOf({ server, identity }: Pick<AttachedServer, 'server' | 'identity'>): string {
  return createHash('sha256').update(`${server.label}\n${identity}`).digest('hex').slice(0, DIGEST_DIGITS);
}

/** The id of a list of tools, which ends in whose they are. @param nonce hexadecimal digits, other ones each time */
export function listIdOf(attached: AttachedServer, nonce: string): string {
  return `mcpl_${nonce}${digestOf(attached)}`;
}

/** The tools of a server, where the conversation has a list of them: the last one. Another server's under its label is none. */
export function findListed(
  lists: ReadonlyMap<string, readonly ReplayedTool[]>,
  attached: AttachedServer,
): readonly ListedTool[] | null {
  const ending = digestOf(attached);
  const found = [...lists].findLast(([id]) => id.startsWith('mcpl_') && id.endsWith(ending));
  return (
    found?.[1].map(({ name, description, input_schema, annotations }) => ({
      name,
      description: description ?? null,
      input_schema,
      annotations: annotations ?? null,
    })) ?? null
  );
}
