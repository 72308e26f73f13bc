import { ModelError } from '../decide/port.ts';

export interface AwsConnectionOptions {
  readonly region: string;
  /** Timeout of a whole call; for a stream, until its start, and between two parts. */
  readonly timeoutSeconds: number;
  readonly connectionsMax: number;
}

/** The client of a service, loaded with the first call, with the commands of its SDK. */
export interface LoadedClient<Sdk, Client> {
  readonly sdk: Sdk;
  readonly client: Client;
}

/** What differs between the services that answer with models. */
export interface AwsService<Sdk, Client> {
  /** In messages. */
  readonly name: string;
  load(): Promise<LoadedClient<Sdk, Client>>;
  toModelError(error: unknown): ModelError;
}

export interface AwsConnection<Sdk, Client> {
  /** Makes a call; it ends with the timeout or with `signal`. */
  send<T>(
    signal: AbortSignal | undefined,
    call: (sdk: Sdk, client: Client, signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
  /** The events of the stream that a call opens; a timeout or an aborted signal ends it at any point. */
  stream<E>(open: OpenStream<Sdk, Client, E>, signal: AbortSignal): AsyncGenerator<E, void>;
  close(): void;
}

type OpenStream<Sdk, Client, E> = (
  sdk: Sdk,
  client: Client,
  signal: AbortSignal,
) => Promise<AsyncIterable<E> | undefined>;

/** A request that met a connection that was closed, and was not read. */
const isBrokenConnection = (error: unknown): boolean =>
  !(error instanceof ModelError) &&
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode === undefined;

/**
 * A connection that was idle for this long is not reused: while a function is frozen the server closes it unnoticed,
 * and a request on it would wait for its timeout.
 */
const IDLE_MILLISECONDS = 20_000;

/** The SDK is loaded with the first call; its own retries are off, because the caller retries better. */
export function createAwsConnection<Sdk, Client extends { destroy(): void }>(
  { name, load, toModelError }: AwsService<Sdk, Client>,
  options: AwsConnectionOptions,
): AwsConnection<Sdk, Client> {
  type Connection = LoadedClient<Sdk, Client>;
  let connection: Promise<Connection> | null = null;
  let usedAt = 0;
  let underWay = 0;

  async function use<T>(call: (connection: Connection) => Promise<T>): Promise<T> {
    if (underWay === 0 && Date.now() - usedAt > IDLE_MILLISECONDS) {
      void connection?.then(({ client }) => client.destroy());
      connection = null;
    }
    connection ??= load();
    underWay += 1;
    try {
      return await call(await connection);
    } finally {
      underWay -= 1;
      usedAt = Date.now();
    }
  }

  async function* stream<E>(open: OpenStream<Sdk, Client, E>, signal: AbortSignal): AsyncGenerator<E, void> {
    signal.throwIfAborted();
    const ending = new AbortController();
    const onAbort = (): void => ending.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const within = async <T>(waiting: Promise<T>): Promise<T> => {
      const silence = setTimeout(() => {
        ending.abort(
          new ModelError('timeout', `The model did not answer within ${options.timeoutSeconds} s`),
        );
      }, options.timeoutSeconds * 1000);
      try {
        return await untilAborted(waiting, ending.signal);
      } finally {
        clearTimeout(silence);
      }
    };
    const begin = (): Promise<AsyncIterable<E>> =>
      use(async ({ sdk, client }) => {
        const events = await within(open(sdk, client, ending.signal));
        if (events === undefined) throw new ModelError('garbage', `${name} answered without a stream`);
        return events;
      });
    try {
      const events = await begin().catch((error: unknown) => {
        if (ending.signal.aborted || !isBrokenConnection(error)) throw error;
        connection = null;
        return begin();
      });
      const iterator = events[Symbol.asyncIterator]();
      for (;;) {
        const next = await within(iterator.next());
        usedAt = Date.now();
        if (next.done === true) return;
        yield next.value;
      }
    } catch (error) {
      throw ending.signal.aborted ? ending.signal.reason : toModelError(error);
    } finally {
      signal.removeEventListener('abort', onAbort);
      // Closes the connection if the stream was not read to its end.
      ending.abort();
    }
  }

  async function send<T>(
    signal: AbortSignal | undefined,
    call: (sdk: Sdk, client: Client, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const ending = new AbortController();
    const onAbort = (): void => ending.abort(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => {
      ending.abort(new ModelError('timeout', `The model did not answer within ${options.timeoutSeconds} s`));
    }, options.timeoutSeconds * 1000);
    try {
      return await use(({ sdk, client }) => call(sdk, client, ending.signal));
    } catch (error) {
      throw ending.signal.aborted ? ending.signal.reason : toModelError(error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  return {
    send,
    stream,
    close() {
      void connection?.then(({ client }) => client.destroy());
    },
  };
}

/**
 * Waits for a promise or for `signal`. Each wait has its own listener: a single promise for the whole stream would
 * retain every chunk that was raced against it.
 */
async function untilAborted<T>(waiting: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([waiting, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
