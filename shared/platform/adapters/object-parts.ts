import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import type { ObjectStore } from '../storage/object-store.ts';

type ObjectParts = Pick<ObjectStore, 'beginParts' | 'writePart' | 'finishParts' | 'abandonParts'>;

/** Bytes of each part but the last, of objects that are written whole here. */
export const PART_BYTES = 64 * 1024 * 1024;

/** An object that is written in parts. */
export interface PartedObject {
  readonly key: string;
  readonly contentType: string;
  readonly bytes: number;
}

/** A part, with the numbers of its first and its last byte. */
export interface ObjectPart {
  readonly number: number;
  readonly from: number;
  readonly to: number;
}

function partsOf(bytes: number): ObjectPart[] {
  return Array.from({ length: Math.ceil(bytes / PART_BYTES) }, (_, index) => ({
    number: index + 1,
    from: index * PART_BYTES,
    to: Math.min(bytes, (index + 1) * PART_BYTES) - 1,
  }));
}

export function createObjectParts(bucket: string, client: S3Client): ObjectParts {
  return {
    async beginParts(key, contentType) {
      const { UploadId: uploadId } = await client.send(
        new CreateMultipartUploadCommand({ Bucket: bucket, Key: key, ContentType: contentType }),
      );
      if (uploadId === undefined) throw new Error('S3 answered a multipart upload without an id.');
      return uploadId;
    },

    async writePart(key, uploadId, number, body) {
      const { ETag: etag } = await client.send(
        new UploadPartCommand({
          Bucket: bucket,
          Key: key,
          UploadId: uploadId,
          PartNumber: number,
          Body: body,
        }),
      );
      return requireEtag(etag);
    },

    async finishParts(key, uploadId, etags) {
      await client.send(
        new CompleteMultipartUploadCommand({
          Bucket: bucket,
          Key: key,
          UploadId: uploadId,
          MultipartUpload: { Parts: etags.map((ETag, index) => ({ PartNumber: index + 1, ETag })) },
        }),
      );
    },

    async abandonParts(key, uploadId) {
      try {
        await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: uploadId }));
      } catch (error) {
        // One that was abandoned before, by an earlier try or by the bucket's lifecycle, is gone.
        if (!(error instanceof Error) || error.name !== 'NoSuchUpload') throw error;
      }
    },
  };
}

/** Writes an object part by part, and abandons it if one fails. `put` writes a part and returns its etag. */
export async function writeInParts(
  store: ObjectParts,
  { key, contentType, bytes }: PartedObject,
  partsAtOnce: number,
  put: (part: ObjectPart, uploadId: string) => Promise<string>,
): Promise<void> {
  const uploadId = await store.beginParts(key, contentType);
  try {
    const done: string[] = [];
    const all = partsOf(bytes);
    for (let at = 0; at < all.length; at += partsAtOnce) {
      const batch = all.slice(at, at + partsAtOnce).map((part) => put(part, uploadId));
      done.push(...(await Promise.all(batch)));
    }
    await store.finishParts(key, uploadId, done);
  } catch (error) {
    await store.abandonParts(key, uploadId);
    throw error;
  }
}

/** Copies a part of an object within S3. `source` names the bucket and the key. @returns its etag */
export async function copyPart(
  client: S3Client,
  source: string,
  target: { readonly Bucket: string; readonly Key: string; readonly UploadId: string },
  part: ObjectPart,
): Promise<string> {
  const { CopyPartResult } = await client.send(
    new UploadPartCopyCommand({
      ...target,
      PartNumber: part.number,
      CopySource: source,
      CopySourceRange: `bytes=${part.from}-${part.to}`,
    }),
  );
  return requireEtag(CopyPartResult?.ETag);
}

function requireEtag(etag: string | undefined): string {
  if (etag === undefined) throw new Error('S3 answered a part without an etag.');
  return etag;
}
