import type { Includable } from '../schema/response-request.ts';
import {
  ANCESTORS_MAX,
  type Ancestor,
  type FoundResponse,
  HISTORY_BYTES_MAX,
  outputWith,
  type ResponseRepository,
  requireResponse,
  type StoredItem,
} from './stored-response.ts';

/** Stored responses that are read concurrently, and their maximum bytes. */
const READ_AT_ONCE = 32;
const BYTES_AT_ONCE = 8 * 1024 * 1024;

/** The responses that precede one. */
interface AncestorChain {
  /** Oldest first, from after the nearest missing one, up to the size limit of a conversation. */
  readonly before: readonly FoundResponse[];
  /** Whether the chain is complete. */
  readonly isWhole: boolean;
  /** Whether the chain is incomplete because it exceeds the size limit of a conversation. */
  readonly isTooLong: boolean;
}

export async function readBefore(
  responses: Pick<ResponseRepository, 'find'>,
  teamId: string,
  nearest: FoundResponse,
  now: number,
): Promise<AncestorChain> {
  const { ancestors } = nearest;
  const chain: FoundResponse[] = [];
  let isGone = ancestors.length >= ANCESTORS_MAX;
  let bytes = nearest.bytes;
  let at = 0;
  while (at < ancestors.length && bytes <= HISTORY_BYTES_MAX) {
    const group = nextGroup(ancestors.slice(at, at + READ_AT_ONCE), HISTORY_BYTES_MAX - bytes);
    at += group.length;
    const found = await Promise.all(group.map(({ id }) => responses.find(teamId, id, now)));
    const missing = found.indexOf(null);
    for (const each of missing < 0 ? found : found.slice(0, missing)) {
      if (each === null) continue;
      bytes += each.bytes;
      if (bytes <= HISTORY_BYTES_MAX) chain.push(each);
    }
    if (missing >= 0) {
      isGone = true;
      break;
    }
  }
  const isTooLong = bytes > HISTORY_BYTES_MAX;
  return { before: chain.reverse(), isWhole: !isGone && !isTooLong, isTooLong };
}

/** The first of these, and the following ones that fit both the read limit and what is `left` of a conversation. */
function nextGroup(ancestors: readonly Ancestor[], left: number): readonly Ancestor[] {
  let bytes = 0;
  const end = ancestors.findIndex((each, n) => {
    bytes += each.bytes;
    return n > 0 && bytes > Math.min(left, BYTES_AT_ONCE);
  });
  return end < 0 ? ancestors : ancestors.slice(0, end);
}

/**
 * The conversation that a stored response answered, oldest first, in the form that callers see, with the requested
 * additional fields.
 * @throws {ServiceError} `response_not_found`
 */
export async function readAnswered(
  responses: Pick<ResponseRepository, 'find'>,
  teamId: string,
  responseId: string,
  now: number,
  included: readonly Includable[],
): Promise<StoredItem[]> {
  const stored = await requireResponse(responses, teamId, responseId, now);
  const { before } = await readBefore(responses, teamId, stored, now);
  return [
    ...before.flatMap((each) => [...each.input, ...(outputWith(each, included) as StoredItem[])]),
    ...stored.input,
  ];
}
