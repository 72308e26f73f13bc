import { type Caller, requireScope } from '#shared/platform/access/caller.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { own } from '#shared/platform/own.ts';
import type { ModelResponse, OutputItem } from '../schema/response.ts';
import type { Includable, InputItem } from '../schema/response-request.ts';
import { readableFrom } from './readable.ts';

/** Retention of a stored response (spec §4.27): 30 days. */
export const STORED_MILLISECONDS = 30 * 24 * 60 * 60 * 1000;

/** Maximum earlier responses in a conversation. */
export const ANCESTORS_MAX = 500;

/**
 * Maximum stored bytes of the conversation before a request. Memory holds several copies during the model call (raw,
 * parsed, request body), in a function with 1 GB.
 */
export const HISTORY_BYTES_MAX = 32 * 1024 * 1024;

/** Prefix of the ids that this service gives to items without an id. Providers do not know them. */
export const GIVEN_ID = 'item';

/** An input item in lists: with an id and a type. */
export type StoredItem = InputItem & { readonly id: string; readonly type: string };

/** An earlier response, and its size in the bucket. */
export interface Ancestor {
  readonly id: string;
  readonly bytes: number;
}

export interface StoredResponse {
  readonly response: ModelResponse;
  /** The input of the request itself, without earlier turns. */
  readonly input: readonly StoredItem[];
  /** The earlier responses, nearest first. */
  readonly ancestors: readonly Ancestor[];
  /** Item fields that the caller did not request, by item id. */
  readonly withheld?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The model that answered; `response.model` may be a stack. */
  readonly answered_by?: string;
  /** Milliseconds since the epoch; from then on it counts as absent. */
  readonly expires_at_ms: number;
}

export interface FoundResponse extends StoredResponse {
  readonly bytes: number;
}

export interface ResponseRepository {
  /** Null if the team has none, or it has expired by `now`, in milliseconds since the epoch. */
  find(teamId: string, responseId: string, now: number): Promise<FoundResponse | null>;
  /** The same of one with at most so many bytes; the bytes of a longer one, which is not read. */
  findWithin(
    teamId: string,
    responseId: string,
    now: number,
    bytesMax: number,
  ): Promise<FoundResponse | number | null>;
  put(teamId: string, stored: StoredResponse): Promise<void>;
  remove(teamId: string, responseId: string): Promise<void>;
}

/** Input in its stored form: items with ids and texts as parts, as clients list them. */
export function toStoredItems(input: readonly InputItem[], newId: (prefix: string) => string): StoredItem[] {
  return input.map((item): StoredItem => {
    if ((item.type ?? 'message') !== 'message') {
      return { ...item, id: typeof item.id === 'string' ? item.id : newId(GIVEN_ID) } as StoredItem;
    }
    const { role, content } = item as { role: string; content: unknown };
    const type = role === 'assistant' ? 'output_text' : 'input_text';
    return {
      status: 'completed',
      ...item,
      type: 'message',
      id: typeof item.id === 'string' ? item.id : newId('msg'),
      content: typeof content === 'string' ? [textPart(type, content)] : content,
    } as StoredItem;
  });
}

const textPart = (type: 'input_text' | 'output_text', text: string): Record<string, unknown> =>
  type === 'input_text' ? { type, text } : { type, text, annotations: [] };

/** @throws {ServiceError} `response_not_found`; `path` names the field with the id, if there is one */
export async function requireResponse(
  responses: Pick<ResponseRepository, 'find'>,
  teamId: string,
  responseId: string,
  now: number,
  path: string | null = null,
): Promise<FoundResponse> {
  const stored = await responses.find(teamId, responseId, now);
  if (stored === null) throw responseNotFound(responseId, path);
  return stored;
}

/** @param path the field with the id, if there is one */
export const responseNotFound = (responseId: string, path: string | null): ServiceError =>
  new ServiceError(
    'response_not_found',
    `There is no stored response ${JSON.stringify(responseId)}. Responses are kept for 30 days, and only where store is true.`,
    path === null ? {} : { details: [{ path, message: 'names no stored response' }] },
  );

/**
 * What a caller may have included: rows that a search found, perhaps for another key of the team, need the scope of rows.
 * @throws {ServiceError} `scope_missing`
 */
export function requireIncludable(caller: Caller, included: readonly Includable[]): readonly Includable[] {
  if (included.includes('file_search_call.results')) requireScope(caller, 'datasets:read');
  return included;
}

/** Items without the rows that searches found, which may stand in what another key of the team has stored. */
export const withoutRows = <Item extends { readonly type?: unknown }>(items: readonly Item[]): Item[] =>
  items.map((item) => (item.type === 'file_search_call' ? { ...item, results: null } : item));

/** Items as a caller may see them: rows that a search found need the scope of rows. */
export const visibleItems = <Item extends { readonly type?: unknown }>(
  { scopes }: Pick<Caller, 'scopes'>,
  items: readonly Item[],
): Item[] => (scopes.includes('datasets:read') ? [...items] : withoutRows(items));

/** The `include` values of a query; clients write the list in two ways. */
export const includedIn = (query: {
  readonly 'include[]'?: readonly Includable[] | undefined;
  readonly include?: readonly Includable[] | undefined;
}): readonly Includable[] => [...(query['include[]'] ?? []), ...(query.include ?? [])];

/** The `include` value for each withheld field. */
const INCLUDED_BY: Readonly<Record<string, Includable>> = {
  results: 'file_search_call.results',
  encrypted_content: 'reasoning.encrypted_content',
};

/** The output of a response with withheld fields: all of them, or the requested ones. */
export const outputWith = (
  { response, withheld }: Pick<StoredResponse, 'response' | 'withheld'>,
  included: readonly Includable[] | 'all',
): OutputItem[] =>
  response.output.map((item) => {
    const fields = Object.entries(own(withheld, String((item as { id?: unknown }).id)) ?? {}).filter(
      ([field]) => included === 'all' || included.some((each) => each === own(INCLUDED_BY, field)),
    );
    return { ...item, ...Object.fromEntries(fields) };
  });

/** A page of a response's input items, each once: a repeated item keeps its first position. */
export function pageOfInput(
  items: readonly StoredItem[],
  query: { readonly order: 'asc' | 'desc'; readonly limit: number; readonly after?: string | undefined },
): {
  object: 'list';
  data: StoredItem[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
} {
  const unique = [...new Map(items.map((item) => [item.id, item])).values()];
  const ordered = query.order === 'asc' ? unique : unique.toReversed();
  const from = query.after === undefined ? 0 : ordered.findIndex(({ id }) => id === query.after) + 1;
  if (query.after !== undefined && from === 0) {
    throw new ServiceError('cursor_invalid', 'query.after: is not an input item of this response.', {
      details: [{ path: 'query.after', message: 'is not an input item of this response' }],
    });
  }
  const data = readableFrom(ordered.slice(from, from + query.limit));
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + data.length < ordered.length,
  };
}
