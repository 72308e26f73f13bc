import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  previousOf,
  type ReleaseRecord,
  readAssembly,
  releaseId,
  releasesIn,
  requireKey,
  requireReadable,
  writeAssembly,
} from '#bin/deploy/releases.ts';
import { DATA_FORMAT, RELEASE } from '#shared/platform/schema/release.ts';
import { createMemoryObjects } from '#test/helpers/memory-objects.ts';

const record = (id: string, changes: Partial<ReleaseRecord> = {}): ReleaseRecord => ({
  id,
  release: `0.${id}.0`,
  data_format: { written: 1, reads: [1] },
  by: 'arn:aws:iam::123456789012:user/ann',
  state: 'deployed',
  again: null,
  files: { 'manifest.json': '{}' },
  ...changes,
});

it('The release to go back to is the one before the present one', () => {
  expect(previousOf([record('3'), record('2'), record('1')]).id).toBe('2');
});

it('After a deployment that did not come to its end, the release to go back to is that of before it', () => {
  expect(previousOf([record('3', { state: 'begun' }), record('2'), record('1')]).id).toBe('2');
});

it('A second rollback goes further back, and does not return to what the first one left', () => {
  const again = record('4', { again: '2' });

  expect(previousOf([again, record('3'), record('2'), record('1')]).id).toBe('1');
});

it('Without an earlier release a rollback says what to do instead', () => {
  expect(() => previousOf([record('1')])).toThrow('git checkout VERSION');
  expect(() => previousOf([])).toThrow('No earlier release');
});

it('Releases are kept in the bucket, newest first, the last twenty', async () => {
  const releases = releasesIn(createMemoryObjects());
  for (let n = 0; n < 25; n += 1) await releases.save(record(releaseId(Date.UTC(2026, 10, 29, 0, n))));
  const newest = record(releaseId(Date.UTC(2026, 10, 29, 0, 24)), {
    state: 'deployed',
    files: { 'a.json': 'é' },
  });
  await releases.save(newest);

  const listed = await releases.list();

  expect(listed).toHaveLength(20);
  expect(listed[0]).toEqual(newest);
  expect(listed.at(-1)?.id).toBe('2026-11-29T00-05-00-000Z');
});

it('A release that could not read the data of a stage is refused, before and after formats were stated', () => {
  const reading = (...reads: number[]) => record('1', { data_format: { written: 2, reads } });

  expect(() => requireReadable('2', reading(1, 2))).not.toThrow();
  expect(() => requireReadable(undefined, reading(1, 2))).not.toThrow();
  expect(() => requireReadable('3', reading(1, 2))).toThrow(
    'reads the data formats 1, 2, and the stage holds format 3',
  );
  expect(() => requireReadable(undefined, reading(2))).toThrow('holds format 1');
});

it('A release whose roles may not use the key of the stage is refused', () => {
  const key = 'arn:aws:kms:eu-west-1:123456789012:key/1';
  const files = (...stacks: string[]) =>
    record('1', { files: Object.fromEntries(stacks.map((name) => [`${name}.template.json`, `"${key}"`])) });

  expect(() => requireKey(key, files('Pipelines', 'Api'))).not.toThrow();
  expect(() => requireKey(undefined, files())).not.toThrow();
  expect(() => requireKey(key, files('Data', 'Pipelines'))).toThrow('was deployed without the key');
});

it('A release reads the data format that it writes, and the changelog says both', () => {
  const changelog = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8');
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };

  expect(DATA_FORMAT.reads).toContain(DATA_FORMAT.written);
  expect(RELEASE).toBe(version);
  expect(/^## (.*)\n\nData format (\d+)/m.exec(changelog)?.slice(1)).toEqual([
    RELEASE,
    String(DATA_FORMAT.written),
  ]);
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assembly-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('An assembly is kept without its code and its outputs, and written as it was', () => {
  const parts = { 'manifest.json': '{"a":1}', 'Api.template.json': '{}', 'cdk.out': '{"version":"1"}' };
  for (const [name, text] of Object.entries(parts)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'outputs.json'), '{}');
  writeFileSync(join(folder, 'asset.zip'), 'code');
  const target = mkdtempSync(join(tmpdir(), 'assembly-'));

  const files = readAssembly(folder);
  writeAssembly(target, { files });

  expect(files).toEqual(parts);
  expect(readdirSync(target).sort()).toEqual(Object.keys(parts).sort());
  rmSync(target, { recursive: true });
});
