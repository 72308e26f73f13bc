import { AskFailure } from '#shared/models/decide/ask-model.ts';
import { type FetchUrl, SourceInterrupted } from '#shared/platform/egress/fetch-url.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { IMAGE_BYTES_MAX } from './decide/images/image-cell.ts';
import type { FetchImage } from './decide/images/load-image.ts';

/** Timeout of an image: a server that sends slowly must not block a worker. */
const MILLISECONDS_MAX = 60_000;

/**
 * Fetches images that rows or requests link to, through the egress client, which rejects non-public addresses: the server of
 * a model would resolve a name again, and follow redirects.
 */
export function createImageFetcher(fetchUrl: FetchUrl): FetchImage {
  return async (url) => {
    try {
      const { status, body, close } = await fetchUrl(url);
      if (status !== 200) {
        close();
        throw new AskFailure('image_missing', `The linked image is not there (status ${status})`);
      }
      const pieces: Buffer[] = [];
      let bytes = 0;
      const deadline = performance.now() + MILLISECONDS_MAX;
      for await (const piece of body) {
        pieces.push(piece);
        bytes += piece.length;
        if (bytes > IMAGE_BYTES_MAX) break;
        if (performance.now() > deadline) {
          throw new AskFailure('image_missing', 'The linked image takes too long to fetch');
        }
      }
      return Buffer.concat(pieces).subarray(0, IMAGE_BYTES_MAX + 1);
    } catch (error) {
      if (error instanceof SourceInterrupted || error instanceof ServiceError) {
        throw new AskFailure('image_missing', `The linked image cannot be fetched: ${error.message}`, error);
      }
      throw error;
    }
  };
}
