import { GetObjectCommand, NoSuchKey, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, expect, test } from 'vitest';
import { createBucket } from '#trainer/embedded/bucket.ts';

const s3 = mockClient(S3Client);
afterAll(() => s3.restore());
const bucket = createBucket(new S3Client({ region: 'eu-west-1' }), 'data');
const refusal = (name: string) => new S3ServiceException({ name, $fault: 'client', $metadata: {} });

test.each([
  ['that is not there', new NoSuchKey({ message: 'm', $metadata: {} })],
  ['that AWS says is forbidden, since who asks may list nothing', refusal('AccessDenied')],
])('an object %s is missing', async (_, error) => {
  s3.on(GetObjectCommand).rejects(error);

  expect(await bucket.readIfThere('checkpoints/latest.json')).toBeUndefined();
});

test('an object that cannot be read now is not missing', async () => {
  s3.on(GetObjectCommand).rejects(refusal('SlowDown'));

  await expect(bucket.readIfThere('checkpoints/latest.json')).rejects.toThrow();
});
