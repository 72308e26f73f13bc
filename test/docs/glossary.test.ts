import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '#local/paths.ts';

const sources = ['shared', 'local', 'statemachines', 'trainer']
  .flatMap((folder) =>
    readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(ts|py|yaml)$/.test(path))
      .map((path) => readFileSync(join(repositoryRoot, folder, path), 'utf8')),
  )
  .join('\n');

test('every name in the glossary is a name in the code, and no term is there twice', () => {
  const rows = readFileSync(join(repositoryRoot, 'docs', 'glossary.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Term') && !line.startsWith('| ---'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const cells = rows.flatMap(([, , , cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
  const names = cells.filter((cell) => !cell.includes('/')).map((cell) => cell.replace('()', ''));
  const lost = cells.filter((cell) => cell.endsWith('/') && !existsSync(join(repositoryRoot, cell)));
  const terms = rows.flatMap(([, term = '']) => term.split(', '));

  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(sources))).toEqual([]);
  expect(lost).toEqual([]);
  expect(terms).toEqual([...new Set(terms)]);
});
