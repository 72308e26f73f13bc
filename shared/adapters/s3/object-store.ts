import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { ObjectStore } from '../../domain/storage/object-store.ts';

const PART_BYTES = 64 * 1024 * 1024;
/** Larger objects are copied in parts, several at a time: one request would take tens of seconds. */
const SINGLE_COPY_BYTES_MAX = 256 * 1024 * 1024;
const PARTS_AT_ONCE = 8;
/** The content type that S3 reports for an object stored without one. */
const OCTETS = 'application/octet-stream';

/**
 * `WHEN_REQUIRED`: otherwise a presigned PUT signs the checksum of an empty body and strict stores reject the file.
 * Path style is for emulators, whose bucket hosts do not resolve; on AWS URLs are virtual-hosted.
 */
export function createS3Client(pathStyle: boolean): S3Client {
  return new S3Client({
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    forcePathStyle: pathStyle,
  });
}

function isMissing(error: unknown): boolean {
  const name = (error as { name?: string }).name;
  return name === 'NotFound' || name === 'NoSuchKey';
}

function parts(bytes: number): { number: number; from: number; to: number }[] {
  return Array.from({ length: Math.ceil(bytes / PART_BYTES) }, (_, index) => ({
    number: index + 1,
    from: index * PART_BYTES,
    to: Math.min(bytes, (index + 1) * PART_BYTES) - 1,
  }));
}

export function createObjectStore(bucket: string, client: S3Client): ObjectStore {
  const inParts = async (
    key: string,
    contentType: string,
    bytes: number,
    partsAtOnce: number,
    put: (part: { number: number; from: number; to: number }, uploadId: string) => Promise<string>,
  ): Promise<void> => {
    const uploadId = await store.beginParts(key, contentType);
    try {
      const done: string[] = [];
      const all = parts(bytes);
      for (let at = 0; at < all.length; at += partsAtOnce) {
        const batch = all.slice(at, at + partsAtOnce).map((part) => put(part, uploadId));
        done.push(...(await Promise.all(batch)));
      }
      await store.finishParts(key, uploadId, done);
    } catch (error) {
      await store.abandonParts(key, uploadId);
      throw error;
    }
  };

  const store: ObjectStore = {
    async head(key) {
      try {
        const head = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
        return {
          bytes: head.ContentLength ?? 0,
          contentType: head.ContentType ?? null,
          etag: head.ETag ?? '',
          modifiedMs: head.LastModified?.getTime() ?? 0,
        };
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },

    async read(key) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
        return Body === undefined ? Buffer.alloc(0) : Buffer.from(await Body.transformToByteArray());
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },

    async readRange(key, from, to) {
      const { Body } = await client.send(
        new GetObjectCommand({ Bucket: bucket, Key: key, Range: `bytes=${from}-${to}` }),
      );
      return Body === undefined ? Buffer.alloc(0) : Buffer.from(await Body.transformToByteArray());
    },

    async stream(key) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
      return Body as Readable;
    },

    async write(key, body, contentType) {
      await client.send(
        new PutObjectCommand({ Bucket: bucket, Key: key, Body: body, ContentType: contentType }),
      );
    },

    async writeFile(key, path, contentType) {
      const { size } = await stat(path);
      const file = await open(path, 'r');
      try {
        if (size <= PART_BYTES) {
          await store.write(key, await file.readFile(), contentType);
          return;
        }
        await inParts(key, contentType, size, 1, async ({ number, from, to }, uploadId) => {
          const body = Buffer.alloc(to - from + 1);
          await file.read(body, 0, body.length, from);
          return store.writePart(key, uploadId, number, body);
        });
      } finally {
        await file.close();
      }
    },

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
      if (etag === undefined) throw new Error('S3 answered a part without an etag.');
      return etag;
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
      await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: uploadId }));
    },

    async copy(from, to) {
      const source = `${bucket}/${encodeURIComponent(from).replaceAll('%2F', '/')}`;
      const head = await store.head(from);
      if (head === null) throw new Error('The object to copy does not exist.');
      if (head.bytes <= SINGLE_COPY_BYTES_MAX) {
        await client.send(new CopyObjectCommand({ Bucket: bucket, Key: to, CopySource: source }));
        return;
      }
      await inParts(to, head.contentType ?? OCTETS, head.bytes, PARTS_AT_ONCE, async (part, uploadId) => {
        const { CopyPartResult } = await client.send(
          new UploadPartCopyCommand({
            Bucket: bucket,
            Key: to,
            UploadId: uploadId,
            PartNumber: part.number,
            CopySource: source,
            CopySourceRange: `bytes=${part.from}-${part.to}`,
          }),
        );
        if (CopyPartResult?.ETag === undefined) throw new Error('S3 answered a part without an etag.');
        return CopyPartResult.ETag;
      });
    },

    async remove(keys) {
      for (let at = 0; at < keys.length; at += 1000) {
        const { Errors: errors } = await client.send(
          new DeleteObjectsCommand({
            Bucket: bucket,
            Delete: { Objects: keys.slice(at, at + 1000).map((Key) => ({ Key })), Quiet: true },
          }),
        );
        if (errors !== undefined && errors.length > 0) {
          throw new Error(`${errors.length} objects could not be removed (${errors[0]?.Code}).`);
        }
      }
    },

    async *list(prefix) {
      for await (const { key } of store.listSizes(prefix)) yield key;
    },

    async *listSizes(prefix) {
      let token: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token }),
        );
        for (const { Key: key, Size: bytes = 0, LastModified: modified } of page.Contents ?? []) {
          if (key !== undefined) yield { key, bytes, modifiedMs: modified?.getTime() ?? 0 };
        }
        token = page.NextContinuationToken;
      } while (token !== undefined);
    },

    presignPut: (key, expiresSeconds, bytes) =>
      getSignedUrl(
        client,
        new PutObjectCommand({
          Bucket: bucket,
          Key: key,
          ...(bytes === null ? {} : { ContentLength: bytes }),
        }),
        { expiresIn: expiresSeconds },
      ),

    presignGet: (key, expiresSeconds, fileName, contentType) =>
      getSignedUrl(
        client,
        new GetObjectCommand({
          Bucket: bucket,
          Key: key,
          ResponseContentDisposition: `attachment; filename="${fileName}"`,
          ResponseContentType: contentType,
        }),
        { expiresIn: expiresSeconds },
      ),
  };
  return store;
}
