import { putOwn } from '#shared/platform/own.ts';
import type { Endpoint } from '../schema/catalog.ts';

/** A request to an endpoint, as API Gateway hands it over. */
export interface EndpointRequest {
  readonly path: string;
  /** Encoded for a path, as the gateway hands them over. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, readonly string[]>>;
  /** Null for an endpoint without one. */
  readonly body: string | null;
}

/** The answer of an endpoint. */
export interface EndpointReply {
  readonly status: number;
  readonly text: string;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A text as a part of a path; half a character of UTF-16, which no path can have, becomes the replacement character. */
const encoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

/**
 * Sorts arguments into path, query and body. A name that the endpoint does not know goes where the endpoint refuses it by
 * name: into the body, or into the query if there is none.
 */
export function endpointRequest(
  { path, path_names, query_names, has_body }: Endpoint,
  given: Readonly<Record<string, unknown>>,
): EndpointRequest {
  const params: Record<string, string> = {};
  const query: Record<string, string[]> = {};
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (path_names.includes(name)) putOwn(params, name, encoded(textOf(value)));
    else if (query_names.includes(name) || !has_body) putOwn(query, name, [textOf(value)]);
    else putOwn(body, name, value);
  }
  return {
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      Object.hasOwn(params, name) ? (params[name] ?? '') : '',
    ),
    params,
    query,
    body: has_body ? JSON.stringify(body) : null,
  };
}

/** What separates the head of a streamed answer from its body, when a function is invoked and not reached through the API. */
const HEAD_END = '\0'.repeat(8);

/** Reads what a function of the API returns to its invoker: an object, or head and body of a streamed answer. */
export function readEndpointReply(text: string): EndpointReply {
  const end = text.indexOf(HEAD_END);
  if (end >= 0) {
    const { statusCode } = JSON.parse(text.slice(0, end)) as { statusCode: number };
    return { status: statusCode, text: text.slice(end + HEAD_END.length) };
  }
  const { statusCode, body } = JSON.parse(text) as { statusCode: number; body: string };
  return { status: statusCode, text: body };
}
