import type { ObjectStore } from '#shared/platform/storage/object-store.ts';

export type RowObjects = Pick<ObjectStore, 'list' | 'read' | 'write' | 'writeNew'> & {
  readonly contents: Map<string, string>;
};

/** Objects in memory. `beforeWrite` may delay a write or make it fail. */
export function createRowObjects(beforeWrite?: (key: string) => Promise<void>): RowObjects {
  const contents = new Map<string, string>();
  return {
    contents,
    async *list(prefix) {
      yield* [...contents.keys()].filter((key) => key.startsWith(prefix)).sort();
    },
    async read(key) {
      const body = contents.get(key);
      return body === undefined ? null : Buffer.from(body);
    },
    async write(key, body) {
      await beforeWrite?.(key);
      contents.set(key, body.toString());
    },
    async writeNew(key, body) {
      await beforeWrite?.(key);
      if (contents.has(key)) return false;
      contents.set(key, body.toString());
      return true;
    },
  };
}
