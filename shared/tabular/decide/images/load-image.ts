import { AskFailure } from '#shared/models/decide/ask-model.ts';
import { IMAGE_BYTES_MAX, mediaTypeOf, pathBelow, readImageCell } from './image-cell.ts';

/** Reads a file of the dataset by its path, up to its size limit plus one byte; null if there is none. */
export type ReadImageFile = (path: string) => Promise<Buffer | null>;

/**
 * Fetches the image of a link, up to its size limit plus one byte; null if it is only counted, and shown to no model.
 * @throws {AskFailure} `image_missing` if the download fails
 */
export type FetchImage = (url: string) => Promise<Buffer | null>;

/**
 * Loads the image of a row for a model: a data URL, or the row's link if it is only counted.
 * @returns null if the row has none
 * @throws {AskFailure} `image_invalid`, `image_too_large`, `image_missing`
 */
export async function loadImage(
  cell: string | null,
  readFile: ReadImageFile,
  fetchImage: FetchImage,
): Promise<string | null> {
  const image = readImageCell(cell);
  switch (image?.kind) {
    case undefined:
      return null;
    case 'url':
      return linked(image.url, await fetchImage(image.url));
    case 'bytes':
      return toDataUrl(Buffer.from(image.base64, 'base64'));
    case 'file': {
      const path = pathBelow(image.path);
      const bytes = path === null ? null : await readFile(path);
      if (bytes === null) {
        throw new AskFailure(
          'image_missing',
          'The image that the row refers to is not among the files of the dataset',
        );
      }
      return toDataUrl(bytes);
    }
    case 'unknown':
      throw new AskFailure('image_invalid', `The row's image cell ${NO_IMAGE}`);
  }
}

const linked = (url: string, bytes: Buffer | null): string => (bytes === null ? url : toDataUrl(bytes));

const NO_IMAGE = 'holds neither an image (PNG, JPEG, GIF or WebP) nor a link or a path to one';

/** @throws {AskFailure} `image_too_large`, `image_invalid` */
export function toDataUrl(bytes: Buffer): string {
  if (bytes.length > IMAGE_BYTES_MAX) {
    throw new AskFailure(
      'image_too_large',
      `The image is larger than the ${IMAGE_BYTES_MAX / 2 ** 20} MiB that are sent to a model`,
    );
  }
  const mediaType = mediaTypeOf(bytes);
  if (mediaType === null) {
    throw new AskFailure('image_invalid', 'The image is not a PNG, a JPEG, a GIF or a WebP');
  }
  return `data:${mediaType};base64,${bytes.toString('base64')}`;
}
