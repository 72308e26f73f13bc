import { readImageCell } from './image-cell.ts';

/** Creates a link to a file of the dataset, by its path; null if there is no such file. */
export type LinkToFile = (path: string) => Promise<string | null>;

/**
 * The cell of `original_image` in a download, as JSON text: `{bytes, path: null}` for an embedded image, a link for a
 * linked one, null if the row has none.
 */
export function originalImage(cell: string | null, linkTo: LinkToFile): string | Promise<string> {
  const image = readImageCell(cell);
  switch (image?.kind) {
    case 'bytes':
      return JSON.stringify({ bytes: image.base64.replaceAll(/\s+/g, ''), path: null });
    case 'url':
      return JSON.stringify(image.url);
    case 'file':
      return linkTo(image.path).then((link) => JSON.stringify(link));
    default:
      return 'null';
  }
}
