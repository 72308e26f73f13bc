import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Made by tools beside the sources, and no part of what they say. */
const ignored = new Set(['node_modules', '__pycache__', '.pytest_cache', '.venv']);

/**
 * A hash of the names and contents of files. Two trees with the same key build the same.
 * @param paths files and folders below `root`; one that is missing counts as empty.
 * @param besides text that belongs to the key.
 */
export function contentKey(root: string, paths: readonly string[], besides = ''): string {
  const hash = createHash('sha256').update(besides);
  for (const path of [...paths].sort()) {
    for (const file of filesBelow(root, path)) {
      hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
    }
  }
  return hash.digest('hex').slice(0, 32);
}

function filesBelow(root: string, path: string): string[] {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  if (statSync(full).isFile()) return [path];
  return readdirSync(full)
    .filter((name) => !ignored.has(name))
    .sort()
    .flatMap((name) => filesBelow(root, join(path, name)));
}
