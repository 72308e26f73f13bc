import type { ImageColumnFormat } from '#shared/platform/schema/file-format.ts';

/** Larger images, decoded, are not sent to a model. */
export const IMAGE_BYTES_MAX = 5 * 1024 * 1024;

export type ImageMediaType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** The content of an image cell: the image, a link, or a path below the dataset's own files. */
export type ImageCell =
  | { readonly kind: 'bytes'; readonly base64: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'unknown' };

const IMAGE_EXTENSION = /\.(png|jpe?g|gif|webp)$/i;
const DATA_URL = /^data:image\/[\w.+-]+;base64,/i;
const LINK = /^https?:\/\/\S+$/i;
const PATH = /^[^\n\r\t"<>|?*]{1,1024}$/;

/**
 * Reads the cell of an image column, given as text: an object with `bytes` or `path` like the image feature of Hugging
 * Face datasets, a data URL, an http(s) URL, base64 of an image, or a path with an image's extension.
 * @returns null if the cell is empty
 */
export function readImageCell(text: string | null): ImageCell | null {
  const cell = (text ?? '').trim();
  if (cell === '' || cell === 'null') return null;
  if (cell.startsWith('{')) return ofObject(cell);
  const [prefix] = DATA_URL.exec(cell.slice(0, 100)) ?? [];
  if (prefix !== undefined) return { kind: 'bytes', base64: cell.slice(prefix.length) };
  if (LINK.test(cell.slice(0, 2048)) && URL.canParse(cell)) return { kind: 'url', url: cell };
  if (isBase64Image(cell)) return { kind: 'bytes', base64: cell };
  if (isImagePath(cell)) return { kind: 'file', path: cell };
  return { kind: 'unknown' };
}

function ofObject(cell: string): ImageCell | null {
  let value: { bytes?: unknown; path?: unknown };
  try {
    value = JSON.parse(cell) as typeof value;
  } catch {
    return { kind: 'unknown' };
  }
  const { bytes = null, path = null } = value;
  if (typeof bytes === 'string' && bytes !== '') return { kind: 'bytes', base64: bytes };
  if (bytes === null && typeof path === 'string' && path !== '') {
    return LINK.test(path) && URL.canParse(path) ? { kind: 'url', url: path } : { kind: 'file', path };
  }
  return bytes === null && path === null ? null : { kind: 'unknown' };
}

/**
 * The image format of a cell; null if it contains no image. Stricter than `readImageCell`, because it runs on columns
 * that are not declared as images: a link must have an image's extension.
 */
export function imageFormatOf(text: string): ImageColumnFormat | null {
  const cell = readImageCell(text);
  switch (cell?.kind) {
    case 'bytes':
      return mediaTypeOf(headOf(cell.base64)) === null ? null : 'embedded_bytes';
    case 'url':
      return IMAGE_EXTENSION.test(new URL(cell.url).pathname) ? 'url' : null;
    case 'file':
      return IMAGE_EXTENSION.test(cell.path) ? 'file_reference' : null;
    default:
      return null;
  }
}

/** The format of a cell that only a mapping says is an image: a link or a path of any ending; null for others. */
export function linkFormatOf(text: string): ImageColumnFormat | null {
  const cell = readImageCell(text);
  if (cell?.kind === 'url') return 'url';
  return cell?.kind === 'file' ? 'file_reference' : null;
}

/** The media type of an image by its first bytes, whatever its file name; null if it is none of the four. */
export function mediaTypeOf(bytes: Buffer): ImageMediaType | null {
  const head = bytes.toString('latin1', 0, 12);
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif';
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image/webp';
  return null;
}

/** The media type of an image by the extension of its path. */
export function mediaTypeOfPath(path: string): string {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return IMAGE_EXTENSION.test(path)
    ? `image/${extension.replace('jpg', 'jpeg')}`
    : 'application/octet-stream';
}

/**
 * A relative path below a folder: without `./` and a leading slash; null if it leads out of the folder or is a URL
 * (`s3://…`).
 */
export function pathBelow(path: string): string | null {
  const parts = path
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  const isElsewhere = /^[a-z][a-z0-9+.-]*:/i.test(path) || parts.includes('..');
  return isElsewhere || parts.length === 0 ? null : parts.join('/');
}

function isBase64Image(cell: string): boolean {
  const head = cell.slice(0, 40);
  return head.length === 40 && /^[A-Za-z0-9+/\s]+$/.test(head) && mediaTypeOf(headOf(cell)) !== null;
}

function isImagePath(cell: string): boolean {
  return IMAGE_EXTENSION.test(cell.slice(-8)) && PATH.test(cell);
}

const headOf = (base64: string): Buffer => Buffer.from(base64.slice(0, 32), 'base64');
