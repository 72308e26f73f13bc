import { ServiceError } from '#shared/platform/errors/service-error.ts';

/** Maximum bytes of an unstreamed response body. Lambda's limit is 6 MB; the rest is for the envelope. */
export const READABLE_BYTES_MAX = 5 * 1024 * 1024;

/** Bytes of a body as Lambda counts them: a string within JSON, in which quotes and line breaks are escaped again. */
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(JSON.stringify(value)));

/** @throws {ServiceError} `response_too_large` */
export function requireReadable<T>(response: T): T {
  const bytes = bytesOf(response);
  if (bytes <= READABLE_BYTES_MAX) return response;
  throw tooLarge(
    'response',
    bytes,
    'Omit include, or continue with previous_response_id: input_items of the next response list its items.',
  );
}

/**
 * As many of the items as fit one response, in order.
 * @throws {ServiceError} `response_too_large` if not even the first fits
 */
export function readableFrom<T extends { readonly id: string }>(items: readonly T[]): T[] {
  let bytes = 0;
  const end = items.findIndex((item, n) => {
    bytes += bytesOf(item);
    if (n > 0 || bytes <= READABLE_BYTES_MAX) return bytes > READABLE_BYTES_MAX;
    throw tooLarge(
      `item ${JSON.stringify(item.id)}`,
      bytes,
      `Omit include, or list the items after it with after=${item.id}.`,
    );
  });
  return items.slice(0, end < 0 ? items.length : end);
}

const tooLarge = (what: string, bytes: number, advice: string): ServiceError =>
  new ServiceError(
    'response_too_large',
    `The ${what} has ${bytes} bytes; the limit of one read is ${READABLE_BYTES_MAX}. ${advice}`,
  );
