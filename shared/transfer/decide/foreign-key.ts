import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { anyObjectOf, objectFates, prefixesOf, type TeamIds } from './belongings.ts';
import type { StoredItem } from './ports.ts';

/** The first parts of all keys. */
const roots: ReadonlySet<string | undefined> = new Set(
  (Object.keys(objectFates) as (keyof typeof objectKeys)[]).map((kind) => anyObjectOf(kind).split('/', 1)[0]),
);

/** Attributes that name objects. Other attributes hold texts of callers, which may begin like any key. */
const NAMES_OBJECT = /_keys?$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Every prefix of a key has two parts: that of the content, and the id. */
export function prefixOf(key: string): string {
  return `${key.split('/').slice(0, 2).join('/')}/`;
}

/**
 * Returns a function that finds an object key of an item which lies below no prefix of the team: null if there is none.
 * It looks at attributes that name objects, at any depth, and at all texts that begin as a key with an id does. The
 * address of an upload stays in the item of its dataset, so the uploads of the team are its own.
 */
export function foreignKeyFinder(ids: TeamIds): (item: StoredItem) => string | null {
  const own = new Set([...prefixesOf(ids), objectKeys.uploadsOf(ids.team)]);

  const isForeign = (text: string, attribute: string): boolean => {
    const [root = '', id = ''] = text.split('/', 2);
    if (!roots.has(root) || !text.includes('/')) return false;
    const isKey = NAMES_OBJECT.test(attribute) || UUID.test(id);
    return isKey && (!own.has(prefixOf(text)) || text.split('/').includes('..'));
  };

  const find = (value: unknown, attribute: string): string | null => {
    if (typeof value === 'string') return isForeign(value, attribute) ? value : null;
    if (typeof value !== 'object' || value === null) return null;
    for (const [name, each] of Object.entries(value)) {
      const found = find(each, Array.isArray(value) ? attribute : name);
      if (found !== null) return found;
    }
    return null;
  };
  return (item) => find(item, '');
}
