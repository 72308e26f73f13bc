import { AskFailure } from '#shared/domain/model/ask-model.ts';
import { IMAGE_BYTES_MAX, mediaTypeOf, pathBelow, readImageCell } from './image-cell.ts';

/** Reads a file of the dataset by its path, to its size limit and a byte beyond; null where there is none. */
export type ReadImageFile = (path: string) => Promise<Buffer | null>;

/**
 * Loads the image of a row for a model: a data URL, or the row's link.
 * @returns null if the row has none
 * @throws {AskFailure} `image_invalid`, `image_too_large`, `image_missing`
 */
export async function loadImage(cell: string | null, readFile: ReadImageFile): Promise<string | null> {
  const image = readImageCell(cell);
  switch (image?.kind) {
    case undefined:
      return null;
    case 'url':
      return image.url;
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

const NO_IMAGE = 'holds neither an image (PNG, JPEG, GIF or WebP) nor a link or a path to one';

function toDataUrl(bytes: Buffer): string {
  if (bytes.length > IMAGE_BYTES_MAX) {
    throw new AskFailure(
      'image_too_large',
      `The row's image is larger than the ${IMAGE_BYTES_MAX / 2 ** 20} MiB that are sent to a model`,
    );
  }
  const mediaType = mediaTypeOf(bytes);
  if (mediaType === null) {
    throw new AskFailure('image_invalid', "The row's image is not a PNG, a JPEG, a GIF or a WebP");
  }
  return `data:${mediaType};base64,${bytes.toString('base64')}`;
}
