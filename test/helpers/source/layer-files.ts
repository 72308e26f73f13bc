import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { repositoryRoot } from '#local/paths.ts';

/** The path and text of every source file that lies in a folder `name` of a capability. */
export function filesOfLayer(name: 'wire' | 'decide' | 'store' | 'adapters'): Map<string, string> {
  return readSources((path) => path.split('/')[2] === name);
}

/** The path and text of every operation: the source files directly in a capability, without its declarations. */
export function operationFiles(): Map<string, string> {
  return readSources(
    (path) =>
      path.split('/').length === 3 &&
      !path.startsWith('shared/platform/') &&
      !/\/(?:contracts|pipelines|background)\.ts$/.test(path),
  );
}

function readSources(isWanted: (path: string) => boolean): Map<string, string> {
  const paths = readdirSync(join(repositoryRoot, 'shared'), { recursive: true, encoding: 'utf8' })
    .map((path) => posix.join('shared', path))
    .filter((path) => path.endsWith('.ts') && isWanted(path));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(repositoryRoot, path), 'utf8')]));
}
