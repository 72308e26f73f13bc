import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../console/', import.meta.url));
const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(ROOT, 'src', path), 'utf8') }));
const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
};

/** Files in which a pattern is found, with what was found. */
const found = (pattern: RegExp): string[] =>
  files.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([hit]) => `${path}: ${hit}`));

test('the console imports its own files and its packages, and nothing of the service', () => {
  const foreign = files.flatMap(({ path, text }) =>
    [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].flatMap(([, name = '']) => {
      const isOwn = name.startsWith('.') && !join('console/src', path, '..', name).startsWith('..');
      const isPackage = Object.keys(dependencies).some(
        (each) => name === each || name.startsWith(`${each}/`),
      );
      return (isOwn && join('/src', path, '..', name).startsWith('/src/')) || isPackage
        ? []
        : [`${path}: ${name}`];
    }),
  );

  expect(files.length).toBeGreaterThan(10);
  expect(foreign).toEqual([]);
});

test('no text becomes markup or code', () => {
  expect(
    found(
      /dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|\beval\(|new Function\(|rehype-raw/g,
    ),
  ).toEqual([]);
});

test('the key is kept for the tab alone, by one file', () => {
  expect(found(/localStorage|document\.cookie|indexedDB/g)).toEqual([]);
  expect(found(/sessionStorage/g).every((hit) => hit.startsWith('session.ts'))).toBe(true);
});
