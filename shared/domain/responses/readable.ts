import { ServiceError } from '../../errors/service-error.ts';

/** Bytes that an answer in one piece may have. Lambda answers 6 MB, of which this leaves some for what goes around it. */
export const READABLE_BYTES_MAX = 5 * 1024 * 1024;

/** Bytes of an answer as Lambda counts them: it is a text within JSON, in which quotes and line ends are escaped again. */
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
 * As many of the items as can be answered at once, in their order.
 * @throws {ServiceError} `response_too_large` where that is not even the first
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
