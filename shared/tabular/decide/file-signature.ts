const signatures: readonly { name: string; offset?: number; bytes: readonly number[] }[] = [
  { name: 'a PNG image', bytes: [0x89, 0x50, 0x4e, 0x47] },
  { name: 'a JPEG image', bytes: [0xff, 0xd8, 0xff] },
  { name: 'a GIF image', bytes: [0x47, 0x49, 0x46, 0x38, 0x39, 0x61] },
  { name: 'a GIF image', bytes: [0x47, 0x49, 0x46, 0x38, 0x37, 0x61] },
  { name: 'a ZIP archive or an Office document', bytes: [0x50, 0x4b, 0x03, 0x04] },
  { name: 'an old Office document', bytes: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1] },
  { name: 'a PDF document', bytes: [0x25, 0x50, 0x44, 0x46, 0x2d] },
  { name: 'gzip-compressed data', bytes: [0x1f, 0x8b, 0x08] },
  { name: 'Zstandard-compressed data', bytes: [0x28, 0xb5, 0x2f, 0xfd] },
  { name: 'xz-compressed data', bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00] },
  { name: 'bzip2-compressed data', bytes: [0x42, 0x5a, 0x68, -1, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59] },
  { name: 'a 7-Zip archive', bytes: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
  { name: 'a Parquet file', bytes: [0x50, 0x41, 0x52, 0x31] },
  { name: 'an encrypted Parquet file', bytes: [0x50, 0x41, 0x52, 0x45] },
  { name: 'an Arrow file', bytes: [0x41, 0x52, 0x52, 0x4f, 0x57, 0x31] },
  { name: 'an SQLite database', bytes: [...Buffer.from('SQLite format 3\0')] },
  { name: 'a pointer of Git LFS, in place of the file', bytes: [...Buffer.from('version https://git-lfs')] },
  { name: 'a tar archive', offset: 257, bytes: [0x75, 0x73, 0x74, 0x61, 0x72] },
];

/** The file type by its first few hundred bytes, or null if they match none of the known types. */
export function describeSignature(head: Uint8Array): string | null {
  for (const { name, offset = 0, bytes } of signatures) {
    if (head.length < offset + bytes.length) continue;
    if (bytes.every((byte, at) => byte === -1 || head[offset + at] === byte)) return name;
  }
  const text = Buffer.from(head.subarray(0, 256))
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  if (/^<(!doctype html|html[\s>])/i.test(text)) return 'an HTML page';
  if (/^<\?xml\s/i.test(text)) return 'an XML document';
  return null;
}
