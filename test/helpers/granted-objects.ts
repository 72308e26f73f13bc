import { type BucketPrefix, bucketPrefixes, type Uses } from '#shared/platform/runtime/uses.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';

type Access = keyof NonNullable<Uses['bucket']>;

/** What a method does to the objects whose keys, or a beginning of them, are its first argument. */
const ACCESS: Readonly<Record<string, Access>> = {
  head: 'read',
  read: 'read',
  readAtMost: 'read',
  readRange: 'read',
  stream: 'read',
  list: 'read',
  listSizes: 'read',
  write: 'write',
  writeNew: 'write',
  writeFile: 'write',
  beginParts: 'write',
  writePart: 'write',
  finishParts: 'write',
  abandonParts: 'write',
  remove: 'delete',
};

/**
 * The objects as a function gets them whose need names these prefixes: another access throws, as IAM denies it. Writing
 * includes reading.
 */
export function grantedObjects<T extends ObjectStore>(objects: T, bucket: NonNullable<Uses['bucket']>): T {
  const may = (access: Access, key: string): boolean => {
    const named = [...(bucket[access] ?? []), ...(access === 'read' ? (bucket.write ?? []) : [])];
    return named.some((prefix: BucketPrefix) => key.startsWith(bucketPrefixes[prefix]));
  };
  return new Proxy(objects, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      const access = ACCESS[String(name)];
      if (access === undefined || typeof method !== 'function') return method;
      return (first: string | readonly string[], ...rest: unknown[]) => {
        const denied = [first].flat().find((key) => !may(access, key));
        if (denied !== undefined) throw new Error(`AccessDenied: ${access} ${denied}`);
        return method.call(target, first, ...rest);
      };
    },
  });
}
