import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { readBefore } from './decide/chain.ts';
import { withoutOrphans } from './decide/conversation.ts';
import {
  ANCESTORS_MAX,
  type Ancestor,
  type FoundResponse,
  HISTORY_BYTES_MAX,
  outputWith,
  type ResponseRepository,
  requireResponse,
  responseNotFound,
  STORED_MILLISECONDS,
  type StoredResponse,
  withoutRows,
} from './decide/stored-response.ts';
import type { OutputItem } from './schema/response.ts';
import type { InputItem } from './schema/response-request.ts';

/**
 * Stored responses, each one object below its team's prefix: it exists completely or not at all, and no id leads to
 * another team's. The bucket deletes expired ones; until then, they count as absent.
 */
export function createResponseRepository(
  objects: Pick<ObjectStore, 'read' | 'readAtMost' | 'head' | 'write' | 'remove'>,
): ResponseRepository {
  return {
    async find(teamId, responseId, now) {
      const key = keyOf(teamId, responseId);
      const body = key === null ? null : await objects.read(key);
      return body === null ? null : parsed(body, now);
    },
    async findWithin(teamId, responseId, now, bytesMax) {
      const key = keyOf(teamId, responseId);
      const body = key === null ? null : await objects.readAtMost(key, bytesMax);
      if (body === null || key === null) return null;
      if (body !== 'too_large') return parsed(body, now);
      const kept = await objects.head(key);
      // It is written when its response ends, and expires by the time at which that began.
      return kept === null || kept.modifiedMs + STORED_MILLISECONDS <= now ? null : kept.bytes;
    },
    async put(teamId, stored) {
      const key = objectKeys.response(teamId, stored.response.id);
      await objects.write(key, JSON.stringify(stored), 'application/json');
    },
    async remove(teamId, responseId) {
      await objects.remove([objectKeys.response(teamId, responseId)]);
    },
  };
}

const keyOf = (teamId: string, responseId: string): string | null =>
  /^resp_[0-9a-f]{32}$/.test(responseId) ? objectKeys.response(teamId, responseId) : null;

function parsed(body: Buffer, now: number): FoundResponse | null {
  const stored = JSON.parse(body.toString()) as StoredResponse;
  return stored.expires_at_ms > now ? { ...stored, bytes: body.length } : null;
}

/** Bytes of a conversation that are read for a team before it has a place, and has shown that it can pay. */
const UNPAID_BYTES_MAX = 1024 * 1024;

/** The conversation before a request, and its origin. */
export interface History {
  /** The items, complete with state that the continuing model recognises. */
  readonly itemsFor: (modelId: string) => readonly InputItem[];
  /** The earlier responses, nearest first. */
  readonly ancestors: readonly Ancestor[];
}

/** The output with withheld fields. Encrypted reasoning is only usable by the same model. */
function outputFor(stored: StoredResponse, modelId: string): OutputItem[] {
  const { answered_by: model } = stored;
  return outputWith(stored, 'all').map((item) =>
    item.type === 'reasoning' && model !== undefined && model !== modelId
      ? { ...item, encrypted_content: null }
      : item,
  );
}

/**
 * The input and output of a response and of those before it, oldest first. It starts after the nearest deleted or
 * expired one, and with `isShortened` at the size limit of a conversation.
 * @param beforeLong called before many bytes are read; it may refuse to
 * @throws {ServiceError} `response_not_found` if the response itself is missing; `context_too_long` above the size
 * limit
 */
export async function readHistory(
  responses: Pick<ResponseRepository, 'find' | 'findWithin'>,
  teamId: string,
  previousId: string,
  now: number,
  {
    isShortened,
    mayReadRows,
    beforeLong,
  }: {
    readonly isShortened: boolean;
    readonly mayReadRows: boolean;
    readonly beforeLong: () => Promise<unknown>;
  },
): Promise<History> {
  const path = 'previous_response_id';
  const found = await responses.findWithin(teamId, previousId, now, UNPAID_BYTES_MAX);
  if (found === null) throw responseNotFound(previousId, path);
  // Of a long one it is not known what came before it.
  if (typeof found === 'number') await beforeLong();
  const nearest =
    typeof found === 'number' ? await requireResponse(responses, teamId, previousId, now, path) : found;
  const bytes = nearest.ancestors.reduce((sum, each) => sum + each.bytes, nearest.bytes);
  if (typeof found !== 'number' && bytes > UNPAID_BYTES_MAX) await beforeLong();
  const { before, isWhole, isTooLong } = await readBefore(responses, teamId, nearest, now);
  if (isTooLong && !isShortened) throw tooLong();
  const chain = [...before, nearest];
  return {
    itemsFor(modelId) {
      const all = chain.flatMap((stored) => [
        ...stored.input,
        ...(outputFor(stored, modelId) as InputItem[]),
      ]);
      const items = mayReadRows ? all : withoutRows(all);
      // Results of removed calls would make the conversation invalid.
      return isWhole ? items : withoutOrphans(items);
    },
    ancestors: [{ id: previousId, bytes: nearest.bytes }, ...nearest.ancestors].slice(0, ANCESTORS_MAX),
  };
}

function tooLong(): ServiceError {
  const message = `the conversation before this request has more than ${HISTORY_BYTES_MAX} bytes. Start a new conversation, or send truncation "auto".`;
  return new ServiceError('context_too_long', `previous_response_id: ${message}`, {
    details: [{ path: 'previous_response_id', message }],
  });
}
