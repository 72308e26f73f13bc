/** Calls the service like any client. An error response is an `Error` with the service's message. */
export interface ServiceClient {
  json<T>(method: string, path: string, body?: unknown): Promise<T>;
  text(path: string): Promise<string>;
  bytes(path: string): Promise<Uint8Array>;
  /** Puts a file to the URL of an upload. */
  put(url: string, file: Uint8Array): Promise<void>;
}

/**
 * @param apiUrl the base URL of the API, without `/api/v1`.
 * @param requestMilliseconds time of one request with its answer; as long as it takes without it
 */
export function createServiceClient({
  apiUrl,
  apiKey,
  requestMilliseconds,
}: {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly requestMilliseconds?: number;
}): ServiceClient {
  const limit = (): { signal?: AbortSignal } =>
    requestMilliseconds === undefined ? {} : { signal: AbortSignal.timeout(requestMilliseconds) };
  const call = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const response = await fetch(`${apiUrl}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...limit(),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  return {
    json: async <T>(method: string, path: string, body?: unknown): Promise<T> =>
      (await call(method, path, body)).json() as Promise<T>,
    text: async (path) => (await call('GET', path)).text(),
    bytes: async (path) => new Uint8Array(await (await call('GET', path)).arrayBuffer()),
    async put(url, file) {
      const response = await fetch(url, {
        method: 'PUT',
        body: file as Uint8Array<ArrayBuffer>,
        ...limit(),
      });
      if (!response.ok) throw new Error(`The upload was refused: ${response.status}`);
    },
  };
}
