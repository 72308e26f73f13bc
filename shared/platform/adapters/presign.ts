import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { ObjectStore } from '../storage/object-store.ts';

/** URLs that upload or download one object, without credentials. */
export function createPresigner(
  bucket: string,
  client: S3Client,
): Pick<ObjectStore, 'presignPut' | 'presignGet'> {
  return {
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
}
