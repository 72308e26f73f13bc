import type { FetchLike } from '@modelcontextprotocol/client';
import type { Dispatcher } from 'undici';
import type { GuardedAgent } from '#shared/platform/adapters/egress/guarded-agent.ts';
import { AddressRefused } from '#shared/platform/adapters/egress/target-rules.ts';
import type { TraceHeaders } from '#shared/platform/trace-context.ts';
import { ToolServerError } from '../../decide/tool-servers.ts';

/** Byte limits of one operation. */
export interface ServerFetchLimits {
  readonly answerBytesMax: number;
  /** Limit of all its responses together. */
  readonly bytesMax: number;
}

export interface ServerFetch {
  readonly fetch: FetchLike;
  /** The reason of a failed request, which the client library reports in its own words or not at all. */
  readonly failure: () => ToolServerError | null;
  /** Whether a GET of an address is answered with a stream of events, as servers with the older SSE transport do. */
  readonly streamsEvents: (url: URL) => Promise<boolean>;
  /** The last response if it was an error, and whether it came after a redirect. */
  readonly refusal: () => { readonly status: number; readonly redirected: boolean } | null;
}

const REDIRECTS_MAX = 3;
/** Milliseconds in which a server begins a stream of events, or is not asked further. */
const PROBE_MILLISECONDS = 3_000;
const NO_BODY = new Set([204, 205, 304]);

/** Why a connection fails, by the codes of Node.js and OpenSSL. */
const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name cannot be resolved',
  EAI_AGAIN: 'its name cannot be resolved now',
  ECONNREFUSED: 'it refuses the connection',
  ECONNRESET: 'it broke the connection off',
  EPIPE: 'it broke the connection off',
  UND_ERR_SOCKET: 'it broke the connection off',
  EHOSTUNREACH: 'there is no way to its network',
  ENETUNREACH: 'there is no way to its network',
  ETIMEDOUT: 'it does not answer',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate cannot be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  EPROTO: 'it does not speak TLS',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS',
};

const reasonOf = (code: string | undefined): string =>
  code !== undefined && Object.hasOwn(REASONS, code) ? `: ${REASONS[code]}` : '';

/** Redirects that keep the request's method and body. */
const follows = (status: number, method: string): boolean =>
  status === 307 || status === 308 || (method === 'GET' && [301, 302, 303].includes(status));

/** Returns what reads the bodies of an operation, up to the limits of each and of all together. */
function createBodyReader(limits: ServerFetchLimits, fail: (error: ToolServerError) => ToolServerError) {
  let bytes = 0;

  return async function* read(body: Dispatcher.ResponseData['body'], signal: AbortSignal | null) {
    let answerBytes = 0;
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        answerBytes += chunk.length;
        bytes += chunk.length;
        if (answerBytes > limits.answerBytesMax || bytes > limits.bytesMax) {
          throw fail(
            new ToolServerError(
              'too_large',
              `The tool server answered more than ${Math.min(limits.answerBytesMax, limits.bytesMax)} bytes.`,
            ),
          );
        }
        yield new Uint8Array(chunk);
      }
    } catch (error) {
      if (error instanceof ToolServerError || signal?.aborted) throw error;
      throw fail(
        new ToolServerError('http_error', 'The tool server closed the connection during its answer.', null),
      );
    }
  };
}

/** Why a server, or the address that it redirects to, gave no answer. */
function unreachable(error: unknown, redirected: boolean): ToolServerError {
  // The redirect's target is text of the server, so it is not quoted.
  const who = redirected ? 'The address that the tool server redirects to' : 'The tool server';
  if (error instanceof AddressRefused) {
    return new ToolServerError(
      'refused',
      `${who} is not allowed: tool servers must have a public https address.`,
    );
  }
  const { code } = error as NodeJS.ErrnoException;
  return code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'UND_ERR_HEADERS_TIMEOUT'
    ? new ToolServerError('timeout', `${who} did not answer in time.`)
    : new ToolServerError('http_error', `${who} cannot be reached${reasonOf(code)}.`);
}

/**
 * The `fetch` of one operation on the server that a caller named: through the egress client, including redirects, with
 * size limits. The credential is only sent to the address that the caller named, never to a redirect.
 */
export function createServerFetch(
  { agent, requireScheme }: GuardedAgent,
  authorization: string | null,
  { trace, ...limits }: ServerFetchLimits & { readonly trace?: TraceHeaders | undefined },
): ServerFetch {
  let failure: ToolServerError | null = null;
  let refusal: ReturnType<ServerFetch['refusal']> = null;

  const fail = (error: ToolServerError): ToolServerError => {
    failure ??= error;
    return error;
  };

  const read = createBodyReader(limits, fail);

  const request: FetchLike = async (address, init = {}) => {
    const method = init.method ?? 'GET';
    const headers = Object.fromEntries(new Headers(init.headers));
    // The standalone event stream is not used; an interrupted stream is resumed.
    if (method === 'GET' && headers['last-event-id'] === undefined)
      return new Response(null, { status: 405 });
    const signal = init.signal ?? null;
    let url = new URL(address);
    for (let hop = 0; hop <= REDIRECTS_MAX; hop += 1) {
      const answer = await ask(url, hop > 0, {
        origin: url.origin,
        path: url.pathname + url.search,
        method: method as Dispatcher.HttpMethod,
        headers: {
          ...headers,
          ...trace,
          'accept-encoding': 'identity',
          'user-agent': 'tunesmith',
          ...(authorization !== null && hop === 0 ? { authorization } : {}),
        },
        body: typeof init.body === 'string' ? init.body : null,
        signal,
      });
      const { statusCode: status } = answer;
      const location = answer.headers.location;
      if (status >= 300 && status < 400) {
        answer.body.on('error', () => {}).destroy();
        if (!follows(status, method) || typeof location !== 'string' || !URL.canParse(location, url.href)) {
          throw fail(
            new ToolServerError('http_error', `The tool server answered ${status}, a redirect.`, status),
          );
        }
        url = new URL(location, url);
        continue;
      }
      refusal = status >= 400 ? { status, redirected: hop > 0 } : null;
      const body = NO_BODY.has(status) ? null : ReadableStream.from(read(answer.body, signal));
      if (body === null) answer.body.on('error', () => {}).destroy();
      return new Response(body, { status, headers: flat(answer.headers) });
    }
    throw fail(
      new ToolServerError('http_error', `The tool server redirects more than ${REDIRECTS_MAX} times.`),
    );
  };

  const ask = async (
    url: URL,
    redirected: boolean,
    options: Dispatcher.RequestOptions,
  ): Promise<Dispatcher.ResponseData> => {
    try {
      requireScheme(url);
      return await agent.request(options);
    } catch (error) {
      if (options.signal instanceof AbortSignal && options.signal.aborted) throw error;
      throw fail(unreachable(error, redirected));
    }
  };

  const streamsEvents = async (url: URL): Promise<boolean> => {
    try {
      const answer = await ask(url, false, {
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'GET',
        headers: {
          accept: 'text/event-stream',
          'user-agent': 'tunesmith',
          ...(authorization === null ? {} : { authorization }),
        },
        body: null,
        signal: AbortSignal.timeout(PROBE_MILLISECONDS),
      });
      answer.body.on('error', () => {}).destroy();
      const type = answer.headers['content-type'];
      return answer.statusCode === 200 && typeof type === 'string' && /^text\/event-stream\b/i.test(type);
    } catch {
      // It is a server that failed anyway: what is known of it is told.
      return false;
    }
  };

  return { fetch: request, failure: () => failure, refusal: () => refusal, streamsEvents };
}

function flat(headers: Dispatcher.ResponseData['headers']): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((each): [string, string][] =>
      each === undefined ? [] : [[name, each]],
    ),
  );
}
