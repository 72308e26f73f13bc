import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { fileUnreadable, formatBytes } from '#shared/tabular/decide/file-error.ts';
import { ByteReader, inflateMember } from '#shared/tabular/decide/inflate.ts';

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const HEADER_BYTES = 30;
/** Possible lengths between a member and the directory: nothing, or a data descriptor with or without a signature. */
const DESCRIPTOR_BYTES = [0, 12, 16, 20, 24];

const damaged = (): ServiceError => fileUnreadable('The ZIP archive is damaged. Import the file again.');

/**
 * The one file of a ZIP archive, inflated while it is read.
 * @throws {ServiceError} `file_unreadable` for an archive of several files, an encrypted or a damaged one, or one above
 * the maximum compression ratio; `file_too_large`
 */
export async function* readZipMember(
  source: AsyncIterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<Buffer> {
  const bytes = new ByteReader(source);
  const header = await bytes.take(HEADER_BYTES);
  if (header.length < HEADER_BYTES || header.readUInt32LE(0) !== LOCAL_HEADER) throw damaged();
  const flags = header.readUInt16LE(6);
  const method = header.readUInt16LE(8);
  const stored = header.readUInt32LE(18);
  await bytes.take(header.readUInt16LE(26) + header.readUInt16LE(28));
  if ((flags & 1) !== 0) throw fileUnreadable('The ZIP archive is encrypted. Import an unencrypted file.');
  const hasLength = (flags & 8) === 0 && stored !== 0xffff_ffff;
  if (method !== 8 && !(method === 0 && hasLength)) {
    throw fileUnreadable(
      'The compression method of the ZIP archive is not supported. Import the file itself.',
    );
  }
  yield* inflateMember(bytes, method === 0 ? stored : null, bytesMax, {
    damaged,
    tooLarge: () =>
      new ServiceError(
        'file_too_large',
        `The ZIP archive inflates to more than ${formatBytes(bytesMax)}, the limit for a file.`,
      ),
    unnatural: () =>
      fileUnreadable('The ZIP archive inflates to far more than real data does. Import the file itself.'),
  });
  const end = await bytes.take(HEADER_BYTES);
  const follows = (signature: number): boolean =>
    DESCRIPTOR_BYTES.some((at) => at + 4 <= end.length && end.readUInt32LE(at) === signature);
  if (follows(CENTRAL_HEADER)) return;
  if (follows(LOCAL_HEADER)) {
    throw fileUnreadable('The ZIP archive holds several files. Name the files to import by their paths.');
  }
  throw damaged();
}
