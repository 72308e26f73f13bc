import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { missingEntries } from '#bin/complete-lockfile.mjs';

const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));

test('the lockfile names every optional package, so that npm ci takes it on every platform', () => {
  expect(missingEntries(read('package-lock.json'))).toEqual([]);
});

test('an optional package without an entry is found', () => {
  const lock = { packages: { 'node_modules/a': { optionalDependencies: { 'a-linux-x64': '1.0.0' } } } };

  expect(missingEntries(lock)).toEqual([{ name: 'a-linux-x64', version: '1.0.0', dev: false }]);
});

test('every dependency is pinned to one version', () => {
  const unpinned = ['package.json', 'console/package.json', 'clients/typescript/package.json'].flatMap(
    (file) => {
      const { dependencies, devDependencies } = read(file);
      return Object.values({ ...dependencies, ...devDependencies }).filter(
        (version) => !/^\d/.test(String(version)),
      );
    },
  );

  expect(unpinned).toEqual([]);
});
