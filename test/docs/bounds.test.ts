import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { functionIds } from '#infra/names.ts';
import { repositoryRoot } from '#local/paths.ts';
import { planLimits } from '#shared/platform/schema/plan.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { readPage, tableRows } from '#test/helpers/pages.ts';

const page = readPage('docs/security.md');
const [, section = ''] = /\n## What bounds a team\n([\s\S]*?)\n## /.exec(page) ?? [];
const codesOf = (text: string): string[] =>
  [...text.matchAll(/`([^`\n]{1,80})`/g)].map(([, code = '']) => code);
const rows = tableRows(section).map(([bound = '', what = '']) => ({ bound, bounded: codesOf(what) }));
const bounded = rows.flatMap((row) => row.bounded);

const isEndpoint = (id: string): boolean =>
  contracts.some((contract) => `api/${contract.id.replaceAll('.', '/')}` === id);
const names = [
  ...contracts.map(({ id }) => id),
  ...functionIds.filter((id) => !isEndpoint(id)),
  ...readdirSync(join(repositoryRoot, 'statemachines'))
    .filter((file) => file.endsWith('.asl.yaml'))
    .map((file) => `statemachines/${file.replace('.asl.yaml', '')}`),
];
const covers = (entry: string, name: string): boolean =>
  entry.endsWith('/*') ? name.startsWith(entry.slice(0, -1)) : entry === name;

test('docs/security.md says of every endpoint, background function and pipeline what bounds it for a team', () => {
  expect(names.length).toBeGreaterThan(150);
  expect(names.filter((name) => !bounded.some((entry) => covers(entry, name)))).toEqual([]);
});

test('docs/security.md bounds nothing that does not exist, and nothing twice', () => {
  expect(bounded.filter((entry) => !names.some((name) => covers(entry, name)))).toEqual([]);
  expect(names.filter((name) => bounded.filter((entry) => covers(entry, name)).length > 1)).toEqual([]);
});

test('an endpoint whose contract counts its requests stands under the limit that it counts', () => {
  const boundOf = (id: string): string => rows.find((row) => row.bounded.includes(id))?.bound ?? '';
  const counting = contracts.filter(({ counts }) => counts !== undefined);

  expect(counting.length).toBeGreaterThanOrEqual(4);
  expect(counting.filter(({ id, counts }) => !codesOf(boundOf(id)).includes(counts?.use ?? ''))).toEqual([]);
});

test('every limit of a plan that a bound names is one, and bounds by the hour, at once and by the second are all named', () => {
  const limits: readonly string[] = planLimits();
  const named = rows.flatMap(({ bound }) => codesOf(bound)).filter((code) => /_(per|at)_/.test(code));

  expect(named.filter((code) => !limits.includes(code))).toEqual([]);
  expect(
    limits.filter((limit) => /_(per_hour|per_second|at_once)$/.test(limit) && !named.includes(limit)),
  ).toEqual([]);
});
