import { readBefore } from '../domain/responses/chain.ts';
import { withoutOrphans } from '../domain/responses/conversation.ts';
import {
  ANCESTORS_MAX,
  type Ancestor,
  HISTORY_BYTES_MAX,
  outputWith,
  type ResponseRepository,
  requireResponse,
  type StoredResponse,
} from '../domain/responses/stored-response.ts';
import { objectKeys } from '../domain/storage/object-keys.ts';
import type { ObjectStore } from '../domain/storage/object-store.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { OutputItem } from '../schema/response.ts';
import type { InputItem } from '../schema/response-request.ts';

/**
 * Stored responses, each one object below its team's prefix: it is there whole or not at all, and another team's cannot
 * be named. The bucket removes what has expired; until it does, it counts as absent.
 */
export function createResponseRepository(
  objects: Pick<ObjectStore, 'read' | 'write' | 'remove'>,
): ResponseRepository {
  return {
    async find(teamId, responseId, now) {
      if (!/^resp_[0-9a-f]{32}$/.test(responseId)) return null;
      const body = await objects.read(objectKeys.response(teamId, responseId));
      if (body === null) return null;
      const stored = JSON.parse(body.toString()) as StoredResponse;
      return stored.expires_at_ms > now ? { ...stored, bytes: body.length } : null;
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

/** A conversation before a request, and whose it is. */
export interface History {
  /** What was said, whole as the model that is to go on knew it. */
  readonly itemsFor: (modelId: string) => readonly InputItem[];
  /** The responses that it is made of, the nearest first. */
  readonly ancestors: readonly Ancestor[];
}

/** The output with what its caller did not ask to see. What takes thoughts up again is of use to the same model alone. */
function outputFor(stored: StoredResponse, modelId: string): OutputItem[] {
  const { answered_by: model } = stored;
  return outputWith(stored, 'all').map((item) =>
    item.type === 'reasoning' && model !== undefined && model !== modelId
      ? { ...item, encrypted_content: null }
      : item,
  );
}

/**
 * The input and output of a response and of those before it, oldest first. It begins after the nearest one that was
 * deleted or has expired, and with `isShortened` where it would be larger than a conversation may be.
 * @throws {ServiceError} `response_not_found` where the response itself is not there; `context_too_long` where there is
 *   more of it than may be
 */
export async function readHistory(
  responses: Pick<ResponseRepository, 'find'>,
  teamId: string,
  previousId: string,
  now: number,
  isShortened: boolean,
): Promise<History> {
  const nearest = await requireResponse(responses, teamId, previousId, now, 'previous_response_id');
  const { before, isWhole, isTooLong } = await readBefore(responses, teamId, nearest, now);
  if (isTooLong && !isShortened) throw tooLong();
  const chain = [...before, nearest];
  return {
    itemsFor(modelId) {
      const items = chain.flatMap((stored) => [
        ...stored.input,
        ...(outputFor(stored, modelId) as InputItem[]),
      ]);
      // What answers to the part that is gone would make no conversation.
      return isWhole ? items : withoutOrphans(items);
    },
    ancestors: [{ id: previousId, bytes: nearest.bytes }, ...nearest.ancestors].slice(0, ANCESTORS_MAX),
  };
}

function tooLong(): ServiceError {
  const message = `previous_response_id: the conversation before this request has more than ${HISTORY_BYTES_MAX} bytes. Start a new conversation, or send truncation "auto".`;
  return new ServiceError('context_too_long', message, {
    details: [{ path: 'previous_response_id', message }],
  });
}
