import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';

/** The operations that the trainer needs on objects of a bucket. */
export interface Bucket {
  read(key: string): Promise<Buffer>;
  /** Undefined if there is no such object. */
  readIfThere(key: string): Promise<Buffer | undefined>;
  /** The non-empty lines of an object, streamed. */
  lines(key: string): AsyncIterable<string>;
  write(key: string, body: Buffer, contentType: string): Promise<void>;
  upload(key: string, path: string, contentType: string): Promise<void>;
  delete(key: string): Promise<void>;
}

export function createBucket(s3: S3Client, name: string): Bucket {
  const read = async (key: string): Promise<Buffer> => {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: name, Key: key }));
    if (Body === undefined) throw new Error(`${key} has no content.`);
    return Buffer.from(await Body.transformToByteArray());
  };
  return {
    read,
    readIfThere: async (key) => {
      try {
        return await read(key);
      } catch (error) {
        // To whom may not list a bucket, AWS says of what is missing that it is forbidden.
        if (
          error instanceof NoSuchKey ||
          (error instanceof S3ServiceException && error.name === 'AccessDenied')
        ) {
          return undefined;
        }
        throw error;
      }
    },
    lines: async function* (key) {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: name, Key: key }));
      if (!(Body instanceof Readable)) throw new Error(`${key} has no content.`);
      for await (const line of createInterface({ input: Body, crlfDelay: Number.POSITIVE_INFINITY })) {
        if (line.trim() !== '') yield line;
      }
    },
    write: async (key, body, contentType) => {
      await s3.send(new PutObjectCommand({ Bucket: name, Key: key, Body: body, ContentType: contentType }));
    },
    upload: async (key, path, contentType) => {
      const { size } = await stat(path);
      const body = createReadStream(path);
      await s3.send(
        new PutObjectCommand({
          Bucket: name,
          Key: key,
          Body: body,
          ContentLength: size,
          ContentType: contentType,
        }),
      );
    },
    delete: async (key) => {
      await s3.send(new DeleteObjectCommand({ Bucket: name, Key: key }));
    },
  };
}
