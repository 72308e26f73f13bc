import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ZodObject } from 'zod';
import { functionIds } from '#infra/names.ts';
import { repositoryRoot } from '#local/paths.ts';
import { planLimits } from '#shared/platform/schema/plan.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { readPage, tableRows } from '#test/helpers/pages.ts';

interface Grant {
  readonly bucket?: { readonly read?: readonly string[]; readonly write?: readonly string[] };
  readonly credits?: 'read' | 'write';
}

const permissions = JSON.parse(readFileSync(join(repositoryRoot, 'permissions.json'), 'utf8')) as Record<
  string,
  readonly Grant[]
>;
const grantsOf = (id: string): readonly Grant[] => permissions[`api/${id.replaceAll('.', '/')}`] ?? [];
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

/** Kinds of access by which an endpoint costs no more than the item that it reads or writes. */
const SMALL_ACCESS = [
  'table',
  'bucket',
  'credits',
  'secrets',
  'trainers',
  'deploysModels',
  'listsModels',
  'toolCatalog',
] as const;

/** Whether an endpoint has no pages, and a role by which a request costs others no more than its rate. */
function isSmall({ id, query }: (typeof contracts)[number]): boolean {
  const isPaged = query instanceof ZodObject && 'limit' in query.shape;
  return (
    !isPaged &&
    grantsOf(id).every(
      (grant) =>
        Object.keys(grant).every((kind) => (SMALL_ACCESS as readonly string[]).includes(kind)) &&
        grant.bucket?.write === undefined &&
        grant.bucket?.read?.includes('datasets') !== true &&
        grant.credits !== 'write',
    )
  );
}

test('docs/security.md says of every endpoint, background function and pipeline what bounds it for a team', () => {
  expect(names.length).toBeGreaterThan(150);
  const small = new Set<string>(contracts.filter(isSmall).map(({ id }) => id));
  expect(names.filter((name) => !small.has(name) && !bounded.some((entry) => covers(entry, name)))).toEqual(
    [],
  );
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

/** Endpoints that may read the objects of datasets and count no use of their own: what else bounds how much they read. */
const READS_LITTLE: Readonly<Record<string, string>> = {
  'autoscientist.recommend-hyperparams': 'the manifest of the rows',
  'datasets.adapt': 'manifests, and the coverage of earlier runs; a launch is paid',
  'datasets.run': 'manifests, and the coverage of earlier runs; a launch is paid',
  'datasets.pilots.create': 'manifests; a launch is paid',
  'datasets.combine.create': 'manifests; a launch counts as a merge',
  'datasets.combine.validate': 'manifests',
  'datasets.diff': 'a page of an index; builds are one of a team at a time',
  'datasets.rows.get': 'one row; the index is one of a team at a time',
  'datasets.rows.list': 'a page of an index; searches, and looks at rows, are counted',
  'datasets.verdicts.list': 'a page of verdicts',
  'files.content': 'whether a file is built; builds are counted',
};

test('an endpoint that may read the rows of datasets counts its requests, or reads little of them', () => {
  const reading = contracts.filter(({ id }) =>
    grantsOf(id).some((use) => use.bucket?.read?.includes('datasets')),
  );
  const uncounted = reading.filter(({ counts }) => counts === undefined || counts.given !== undefined);

  expect(reading.length).toBeGreaterThan(15);
  expect(uncounted.map(({ id }) => id).filter((id) => !(id in READS_LITTLE))).toEqual([]);
});
