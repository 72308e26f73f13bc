import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { ObjectStore } from '../storage/object-store.ts';
import { copyPart, createObjectParts, PART_BYTES, writeInParts } from './object-parts.ts';
import { createPresigner } from './presign.ts';

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

/** How often a conditional write is sent that meets another one: that one ends within a moment. */
const CONFLICTS_MAX = 5;

function isMissing(error: unknown): boolean {
  const name = (error as { name?: string }).name;
  return name === 'NotFound' || name === 'NoSuchKey';
}

/** S3 answers so where a range begins behind the end: of a range from the first byte on, where the object is empty. */
const isBeyondEnd = (error: unknown): boolean => (error as { name?: string }).name === 'InvalidRange';

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one short method for each operation on the bucket
export function createObjectStore(bucket: string, client: S3Client): ObjectStore {
  const store: ObjectStore = {
    ...createObjectParts(bucket, client),
    ...createPresigner(bucket, client),

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

    async readAtMost(key, bytesMax) {
      try {
        const body = await store.readRange(key, 0, bytesMax);
        return body.length > bytesMax ? 'too_large' : body;
      } catch (error) {
        if (isMissing(error)) return null;
        if (isBeyondEnd(error)) return Buffer.alloc(0);
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

    async writeNew(key, body, contentType) {
      const content = { Body: body, ContentType: contentType, IfNoneMatch: '*' };
      for (let tried = 1; ; tried += 1) {
        try {
          await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, ...content }));
          return true;
        } catch (error) {
          const { name } = error as { name?: string };
          if (name === 'PreconditionFailed') return false;
          // Another write of the object is under way.
          if (name !== 'ConditionalRequestConflict' || tried === CONFLICTS_MAX) throw error;
        }
      }
    },

    async writeFile(key, path, contentType) {
      const { size } = await stat(path);
      const file = await open(path, 'r');
      try {
        if (size <= PART_BYTES) {
          await store.write(key, await file.readFile(), contentType);
          return;
        }
        await writeInParts(
          store,
          { key, contentType, bytes: size },
          1,
          async ({ number, from, to }, uploadId) => {
            const body = Buffer.alloc(to - from + 1);
            await file.read(body, 0, body.length, from);
            return store.writePart(key, uploadId, number, body);
          },
        );
      } finally {
        await file.close();
      }
    },

    async copy(from, to) {
      const source = `${bucket}/${encodeURIComponent(from).replaceAll('%2F', '/')}`;
      const head = await store.head(from);
      if (head === null) throw new Error('The object to copy does not exist.');
      if (head.bytes <= SINGLE_COPY_BYTES_MAX) {
        await client.send(new CopyObjectCommand({ Bucket: bucket, Key: to, CopySource: source }));
        return;
      }
      const { contentType, bytes } = head;
      await writeInParts(
        store,
        { key: to, contentType: contentType ?? OCTETS, bytes },
        PARTS_AT_ONCE,
        (part, UploadId) => copyPart(client, source, { Bucket: bucket, Key: to, UploadId }, part),
      );
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
  };
  return store;
}
