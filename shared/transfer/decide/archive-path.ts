import { sha256Hex } from '#shared/platform/canonical-json.ts';

const PART_MAX = 200;
const KEY_MAX = 800;

/**
 * The file of an object. Keys become paths as they are, if every file system takes them and keeps them apart; others,
 * such as names of uploaded files, become the hash of the key, and `objects.jsonl` says which key it is.
 */
export function archivePathOf(key: string): string {
  const isPlain =
    key.length <= KEY_MAX &&
    !key.includes('/files/') &&
    key.split('/').every((part) => part.length <= PART_MAX && /^[a-z0-9_-][a-z0-9._-]*$/.test(part));
  return isPlain ? `objects/by-key/${key}` : `objects/by-hash/${sha256Hex(key)}`;
}
