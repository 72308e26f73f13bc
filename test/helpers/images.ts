/** Whole images of one pixel, base64. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
export const JPEG_HEAD = `/9j/4AAQSkZJRgABAQEASABIAAD/${'2wBDAP//'.repeat(8)}`;
export const WEBP = Buffer.from(`RIFF\x24\x00\x00\x00WEBPVP8 ${'\x00'.repeat(40)}`, 'latin1').toString(
  'base64',
);
