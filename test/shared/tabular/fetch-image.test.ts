import { expect, test } from 'vitest';
import { type FetchedUrl, type FetchUrl, SourceInterrupted } from '#shared/platform/egress/fetch-url.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { IMAGE_BYTES_MAX } from '#shared/tabular/decide/images/image-cell.ts';
import { loadImage } from '#shared/tabular/decide/images/load-image.ts';
import { createImageFetcher } from '#shared/tabular/fetch-image.ts';
import { PNG } from '#test/helpers/images.ts';

const URL_OF_IMAGE = 'https://example.org/cat.png';
const image = Buffer.from(PNG, 'base64');

function answering(pieces: readonly Buffer[], status = 200): { fetchUrl: FetchUrl; seen: string[] } {
  const seen: string[] = [];
  const fetchUrl: FetchUrl = async (url): Promise<FetchedUrl> => {
    seen.push(url);
    async function* body() {
      yield* pieces;
    }
    return { status, headers: {}, retryAfterSeconds: null, body: body(), close: () => {} };
  };
  return { fetchUrl, seen };
}

const load = (fetchUrl: FetchUrl) => loadImage(URL_OF_IMAGE, async () => null, createImageFetcher(fetchUrl));

test('a linked image becomes bytes, so that no model’s server opens a link', async () => {
  const { fetchUrl, seen } = answering([image.subarray(0, 10), image.subarray(10)]);

  expect(await load(fetchUrl)).toBe(`data:image/png;base64,${image.toString('base64')}`);
  expect(seen).toEqual([URL_OF_IMAGE]);
});

test.each<[string, FetchUrl, string]>([
  ['that is not there', answering([], 404).fetchUrl, 'image_missing'],
  ['that is no image', answering([Buffer.from('<html>')]).fetchUrl, 'image_invalid'],
  ['that is too large', answering([image, Buffer.alloc(IMAGE_BYTES_MAX)]).fetchUrl, 'image_too_large'],
  [
    'at an address that is not public',
    async () => {
      throw new ServiceError('source_refused', 'The address is not public.');
    },
    'image_missing',
  ],
  [
    'of a server that does not answer',
    async () => {
      throw new SourceInterrupted('example.org did not answer.');
    },
    'image_missing',
  ],
])('a linked image fails its row, and no other: %s', async (_, fetchUrl, code) => {
  await expect(load(fetchUrl)).rejects.toMatchObject({ name: expect.any(String), code });
});
