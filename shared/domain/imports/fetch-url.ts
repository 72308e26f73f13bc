export interface FetchOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** `Authorization` of the first address; another host that it redirects to never gets it. */
  readonly authorization?: string | null;
}

/** An answer whose body has not been read. Whoever asked reads all of it or closes it. */
export interface FetchedUrl {
  readonly status: number;
  /** By lower-case name; of a header that came twice, the first. */
  readonly headers: Readonly<Record<string, string>>;
  /** Seconds of `Retry-After`; null if absent. */
  readonly retryAfterSeconds: number | null;
  /** @throws {SourceInterrupted} where the other side breaks off */
  readonly body: AsyncIterable<Buffer>;
  close(): void;
}

/**
 * Sends a GET to an address that a caller named, following redirects.
 * @throws {ServiceError} `source_refused` for an address that is not public
 * @throws {SourceInterrupted} if the server is unreachable or closes the connection
 */
export type FetchUrl = (url: string, options?: FetchOptions) => Promise<FetchedUrl>;

/** The other side broke off, or did not answer: the same request can succeed later. */
export class SourceInterrupted extends Error {}
