export interface FetchOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** `Authorization` for the first address; it is never sent to another host after a redirect. */
  readonly authorization?: string | null;
}

/** A response with an unread body. The caller must read all of it or close it. */
export interface FetchedUrl {
  readonly status: number;
  /** By lower-case name; the first value of a repeated header. */
  readonly headers: Readonly<Record<string, string>>;
  /** Seconds of `Retry-After`; null if absent. */
  readonly retryAfterSeconds: number | null;
  /** @throws {SourceInterrupted} if the server closes the connection */
  readonly body: AsyncIterable<Buffer>;
  close(): void;
}

/**
 * Sends a GET to an address that a caller named, following redirects.
 * @throws {ServiceError} `source_refused` for an address that is not public
 * @throws {SourceInterrupted} if the server is unreachable or closes the connection
 */
export type FetchUrl = (url: string, options?: FetchOptions) => Promise<FetchedUrl>;

/** The server closed the connection or did not respond: the same request may succeed later. */
export class SourceInterrupted extends Error {}
