import type { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import { ModelError } from '../decide/port.ts';
import { isBrokenConnection, toModelError } from './bedrock-errors.ts';

export interface BedrockConnectionOptions {
  readonly region: string;
  /** Timeout of a whole call; for a stream, until its start, and between two parts. */
  readonly timeoutSeconds: number;
  readonly connectionsMax: number;
}

export interface BedrockConnection {
  /** Makes a call; it ends with the timeout or with `signal`. */
  send<T>(
    signal: AbortSignal | undefined,
    call: (sdk: Sdk, client: BedrockRuntimeClient, signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
  /** The events of the stream that a call opens; a timeout or an aborted signal ends it at any point. */
  stream<E>(open: OpenStream<E>, signal: AbortSignal): AsyncGenerator<E, void>;
  close(): void;
}

type Sdk = typeof import('@aws-sdk/client-bedrock-runtime');
type OpenStream<E> = (
  sdk: Sdk,
  client: BedrockRuntimeClient,
  signal: AbortSignal,
) => Promise<AsyncIterable<E> | undefined>;
interface Connection {
  readonly sdk: Sdk;
  readonly client: BedrockRuntimeClient;
}

/**
 * A connection that was idle for this long is not reused: while a function is frozen the server closes it unnoticed,
 * and a request on it would wait for its timeout.
 */
const IDLE_MILLISECONDS = 20_000;

/** The SDK is loaded with the first call; its own retries are off, because the caller retries better. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: `stream` and `send` share the connection that `use` opens, counts and replaces
export function createBedrockConnection(options: BedrockConnectionOptions): BedrockConnection {
  let connection: Promise<Connection> | null = null;
  let usedAt = 0;
  let underWay = 0;

  async function connect(): Promise<Connection> {
    const sdk = await import('@aws-sdk/client-bedrock-runtime');
    // The service uses HTTP/2, whose handler only has these options.
    const client = new sdk.BedrockRuntimeClient({
      region: options.region,
      maxAttempts: 1,
      requestHandler: {
        // A session is idle during reasoning, so this exceeds the timeout of any call.
        sessionTimeout: (options.timeoutSeconds + 10) * 1000,
        maxConcurrentStreams: options.connectionsMax,
      },
    });
    return { sdk, client };
  }

  async function use<T>(call: (connection: Connection) => Promise<T>): Promise<T> {
    if (underWay === 0 && Date.now() - usedAt > IDLE_MILLISECONDS) {
      void connection?.then(({ client }) => client.destroy());
      connection = null;
    }
    connection ??= connect();
    underWay += 1;
    try {
      return await call(await connection);
    } finally {
      underWay -= 1;
      usedAt = Date.now();
    }
  }

  async function* stream<E>(open: OpenStream<E>, signal: AbortSignal): AsyncGenerator<E, void> {
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
        if (events === undefined) throw new ModelError('garbage', 'Bedrock answered without a stream');
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
    call: (sdk: Sdk, client: BedrockRuntimeClient, signal: AbortSignal) => Promise<T>,
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
