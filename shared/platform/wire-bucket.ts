import { createObjectStore, createS3Client } from './adapters/object-store.ts';
import { type Need, need, resource } from './runtime/need.ts';
import type { Uses } from './runtime/uses.ts';
import type { ObjectStore } from './storage/object-store.ts';

/** The data bucket. */
export const theObjects = /* @__PURE__ */ resource<ObjectStore>('the bucket', ({ env }) =>
  createObjectStore(env.bucketName(), createS3Client(env.isEmulated())),
);

/** The data bucket, for the declared uses. */
export function objects(bucket: NonNullable<Uses['bucket']>): Need<ObjectStore> {
  return need({ bucket }, (use) => use(theObjects));
}
