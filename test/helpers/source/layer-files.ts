import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { repositoryRoot } from '#local/paths.ts';

/** The path and text of every source file that lies in a folder `name` of a capability. */
export function filesOfLayer(name: 'decide' | 'store' | 'adapters'): Map<string, string> {
  return readSources((path) => path.split('/')[2] === name);
}

/** The path and text of what makes the needs of handlers: the wiring of capabilities, and the handlers. */
export function wiringFiles(): Map<string, string> {
  const handlers = readSources(() => true, 'functions');
  return new Map([...readSources((path) => /^shared\/\w+\/wire[^/]*\.ts$/.test(path)), ...handlers]);
}

/** The path and text of every operation: the source files directly in a capability, without its declarations. */
export function operationFiles(): Map<string, string> {
  return readSources(
    (path) =>
      path.split('/').length === 3 &&
      !path.startsWith('shared/platform/') &&
      !/\/(?:contracts|pipelines|background|wire|measure-(?:answers|export|ledger|models|worker))\.ts$/.test(
        path,
      ),
  );
}

function readSources(isWanted: (path: string) => boolean, folder = 'shared'): Map<string, string> {
  const paths = readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => posix.join(folder, path))
    .filter((path) => path.endsWith('.ts') && isWanted(path));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(repositoryRoot, path), 'utf8')]));
}
