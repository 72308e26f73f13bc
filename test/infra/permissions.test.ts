import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderPermissions } from '#bin/permissions.ts';
import { permissionsOf, readPermissions } from '#infra/permissions.ts';
import { repositoryRoot } from '#local/paths.ts';

test('permissions.json is what the needs of every handler say (npm run permissions)', async () => {
  expect(readFileSync(join(repositoryRoot, 'permissions.json'), 'utf8')).toBe(await renderPermissions());
});

test('permissions.json has a line for each grant', () => {
  const lines = readFileSync(join(repositoryRoot, 'permissions.json'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('    '));

  expect(lines).toContain('    {"bucket":{"read":["uploads"]}},');
  for (const line of lines)
    expect(line).toMatch(/^ {4}\{"\w+":(true|"\w+"|\["[\w/-]+"\]|\{"\w+":\["\w+"\]\})\},?$/);
});

test('the grants of a function are put together', () => {
  const permissions = readPermissions({
    'tasks/a/b': [{ bucket: { read: ['runs'] } }, { bucket: { read: ['pool'] } }, { table: 'read' }],
    'tasks/a/c': [],
  });

  expect([...permissions]).toEqual([
    ['tasks/a/b', { bucket: { read: ['runs', 'pool'] }, table: 'read' }],
    ['tasks/a/c', {}],
  ]);
});

test.each([
  ['of another name', { tables: 'read' }],
  ['of another value', { table: 'delete' }],
  ['of another prefix', { bucket: { read: ['everything'] } }],
  ['of another way to a prefix', { bucket: { list: ['runs'] } }],
])('a grant %s is an error', (_, grant) => {
  expect(() => readPermissions({ 'tasks/a/b': [grant] })).toThrow();
});

test('a function without an entry is an error that names the command', () => {
  expect(() => permissionsOf('tasks/a/b')).toThrow(/tasks\/a\/b.*npm run permissions/);
});
