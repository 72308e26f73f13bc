import { withoutOrphans } from '../domain/responses/conversation.ts';
import {
  ANCESTORS_MAX,
  type ResponseRepository,
  requireResponse,
  type StoredResponse,
  withWithheld,
} from '../domain/responses/stored-response.ts';
import { objectKeys } from '../domain/storage/object-keys.ts';
import type { ObjectStore } from '../domain/storage/object-store.ts';
import type { OutputItem } from '../schema/response.ts';
import type { InputItem } from '../schema/response-request.ts';

/** Stored responses as they are read at once. */
const READ_AT_ONCE = 32;

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
      return stored.expires_at_ms > now ? stored : null;
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
  /** Ids of the responses that it is made of, the nearest first. */
  readonly ancestors: readonly string[];
}

/** The output with what its caller did not ask to see. What takes thoughts up again is of use to the same model alone. */
function outputFor(
  { response, withheld, answered_by: model }: StoredResponse,
  modelId: string,
): OutputItem[] {
  return withWithheld(response.output, withheld).map((item) =>
    item.type === 'reasoning' && model !== undefined && model !== modelId
      ? { ...item, encrypted_content: null }
      : item,
  );
}

/**
 * The input and output of a response and of those before it, oldest first. It begins after the nearest one that was
 * deleted or has expired.
 * @throws {ServiceError} `response_not_found` where the response itself is not there
 */
export async function readHistory(
  responses: Pick<ResponseRepository, 'find'>,
  teamId: string,
  previousId: string,
  now: number,
): Promise<History> {
  const nearest = await requireResponse(responses, teamId, previousId, now, 'previous_response_id');
  const chain = [nearest];
  const { ancestors } = nearest;
  let isCut = ancestors.length >= ANCESTORS_MAX;
  for (let at = 0; at < ancestors.length; at += READ_AT_ONCE) {
    const group = ancestors.slice(at, at + READ_AT_ONCE);
    const found = await Promise.all(group.map((id) => responses.find(teamId, id, now)));
    const missing = found.indexOf(null);
    chain.push(...(missing < 0 ? found : found.slice(0, missing)).filter((each) => each !== null));
    if (missing >= 0) {
      isCut = true;
      break;
    }
  }
  return {
    itemsFor(modelId) {
      const items = chain
        .toReversed()
        .flatMap((stored) => [...stored.input, ...(outputFor(stored, modelId) as InputItem[])]);
      // What answers to the part that is gone would make no conversation.
      return isCut ? withoutOrphans(items) : items;
    },
    ancestors: [previousId, ...ancestors].slice(0, ANCESTORS_MAX),
  };
}
