import { createObjectStore, createS3Client } from '../adapters/object-store.ts';
import { env } from '../runtime/env.ts';
import { type Need, need } from '../runtime/need.ts';
import type { Uses } from '../runtime/uses.ts';
import type { ObjectStore } from '../storage/object-store.ts';

let store: ObjectStore | undefined;

/** The process's only connection to the data bucket. */
export function theObjects(): ObjectStore {
  store ??= createObjectStore(env.bucketName(), createS3Client(env.isEmulated()));
  return store;
}

/** The data bucket, for the declared uses. */
export function objects(bucket: NonNullable<Uses['bucket']>): Need<ObjectStore> {
  return need({ bucket }, theObjects);
}
