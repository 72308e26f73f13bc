/** A request that the service or the storage got. */
export interface Received {
  readonly method: string;
  /** Path below the stage of the service, or of the storage. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: string;
}

export type Routes = Readonly<Record<string, (received: Received) => Response | Promise<Response>>>;

export const SERVICE_URL = 'https://service.example/dev';
export const STORAGE_URL = 'https://storage.example';

/** A service, and the storage of its files, behind a `fetch`. `routes` are named by method and path. */
export function fakeService(routes: Routes) {
  const received: Received[] = [];
  const fetch = async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    init?.signal?.throwIfAborted();
    const request = new Request(input, init);
    const { origin, pathname, searchParams } = new URL(request.url);
    const path = origin === STORAGE_URL ? pathname : pathname.replace(/^\/dev/, '');
    const one = {
      method: request.method,
      path,
      query: searchParams,
      headers: request.headers,
      body: await request.text(),
    };
    received.push(one);
    const route = routes[`${one.method} ${path}`];
    if (route === undefined) throw new Error(`Nothing answers ${one.method} ${path}.`);
    return route(one);
  };
  return {
    fetch: fetch as typeof globalThis.fetch,
    received,
    /** Methods and paths, in order. */
    calls: () => received.map(({ method, path }) => `${method} ${path}`),
    bodiesOf: (call: string): unknown[] =>
      received.flatMap(({ method, path, body }) => (`${method} ${path}` === call ? [JSON.parse(body)] : [])),
  };
}

/** An error of the service. */
export const problem = (status: number, code: string, headers: Readonly<Record<string, string>> = {}) =>
  Response.json(
    { statusCode: status, message: `It is ${code}.`, code, details: [], request_id: 'request-1', error: {} },
    { status, headers },
  );

/** Answers with each of these, and with the last one from then on. */
export function inTurn<T>(...answers: (() => T)[]): () => T {
  let next = 0;
  return () => {
    const answer = answers[Math.min(next, answers.length - 1)];
    next += 1;
    if (answer === undefined) throw new Error('There is no answer.');
    return answer();
  };
}

/**
 * A file of the storage, which gives out a part of it to who names its ETag.
 * @param breakAfter bytes after which each answer breaks off; null for whole answers
 */
export function storedFile(
  content: string,
  etag: string,
  breakAfter: number | null = null,
  broken?: () => void,
) {
  return ({ headers }: Received): Response => {
    const from = Number(/^bytes=(\d+)-$/.exec(headers.get('range') ?? '')?.[1] ?? 0);
    const isPart = from > 0 && headers.get('if-range') === etag;
    const bytes = new TextEncoder().encode(content).slice(isPart ? from : 0);
    const sent = breakAfter === null ? bytes : bytes.slice(0, breakAfter);
    const chunks = [sent];
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = chunks.shift();
        if (chunk !== undefined) controller.enqueue(chunk);
        else if (sent.length === bytes.length) controller.close();
        else {
          broken?.();
          controller.error(new TypeError('terminated'));
        }
      },
    });
    return new Response(body as ReadableStream<Uint8Array<ArrayBuffer>>, {
      status: isPart ? 206 : 200,
      headers: { etag, 'content-length': String(bytes.length) },
    });
  };
}
