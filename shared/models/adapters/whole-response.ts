import type { IncomingHttpHeaders } from 'node:http';
import { type Dispatcher, util } from 'undici';
import { ModelError } from '../decide/port.ts';

export interface WholeResponse {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  /** The body as UTF-8, without a byte order mark. */
  readonly text: string;
}

/**
 * Sends a request and reads its response in one piece. undici's `request` makes a stream of every response, which takes
 * longer than to send a row's call and to parse its answer.
 * @throws {ModelError} `garbage` for a body of more than `bytesMax`
 * @throws the signal's reason; an error of undici
 */
export function readWhole(
  dispatcher: Pick<Dispatcher, 'dispatch'>,
  options: Dispatcher.DispatchOptions,
  bytesMax: number,
  signal: AbortSignal | undefined,
): Promise<WholeResponse> {
  if (signal?.aborted === true) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(options, new Reading(bytesMax, signal, resolve, reject));
  });
}

/** One response while it arrives. An object with methods: of functions each call would make all of them anew. */
class Reading implements Dispatcher.DispatchHandlers {
  private readonly bytesMax: number;
  private readonly signal: AbortSignal | undefined;
  private readonly resolve: (response: WholeResponse) => void;
  private readonly reject: (error: unknown) => void;
  private abort: ((error?: Error) => void) | null = null;
  private statusCode = 0;
  private headers: IncomingHttpHeaders = {};
  private readonly parts: Buffer[] = [];
  private bytes = 0;

  constructor(
    bytesMax: number,
    signal: AbortSignal | undefined,
    resolve: (response: WholeResponse) => void,
    reject: (error: unknown) => void,
  ) {
    this.bytesMax = bytesMax;
    this.signal = signal;
    this.resolve = resolve;
    this.reject = reject;
    signal?.addEventListener('abort', this);
  }

  /** The signal is aborted. A request that still waits for a connection is told at once, and not sent when it gets one. */
  handleEvent(): void {
    if (this.abort === null) this.onError(this.signal?.reason);
    else this.abort(this.signal?.reason);
  }

  onConnect(abort: (error?: Error) => void): void {
    this.abort = abort;
    if (this.signal?.aborted) abort(this.signal.reason);
  }

  onHeaders(statusCode: number, headers: Buffer[]): boolean {
    // Responses below 200 come before the one.
    if (statusCode >= 200) {
      this.statusCode = statusCode;
      this.headers = util.parseHeaders(headers);
    }
    return true;
  }

  onData(part: Buffer): boolean {
    this.bytes += part.length;
    if (this.bytes > this.bytesMax) {
      const error = new ModelError('garbage', `The model endpoint answered more than ${this.bytesMax} bytes`);
      this.abort?.(error);
      return false;
    }
    this.parts.push(part);
    return true;
  }

  onComplete(): void {
    this.signal?.removeEventListener('abort', this);
    const [first, ...more] = this.parts;
    const whole = more.length === 0 ? first : Buffer.concat(this.parts, this.bytes);
    const text = whole?.toString() ?? '';
    this.resolve({
      statusCode: this.statusCode,
      headers: this.headers,
      text: text.startsWith('\uFEFF') ? text.slice(1) : text,
    });
  }

  onError(error: unknown): void {
    this.signal?.removeEventListener('abort', this);
    this.reject(error);
  }
}
