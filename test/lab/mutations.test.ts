import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { areas } from '#lab/mutations/areas.ts';
import { plantedFaults } from '#lab/mutations/planted-faults.ts';
import { faultOf } from '#lab/mutations/replay.ts';
import { mutations } from '#lab/mutations/table.ts';
import { repositoryRoot } from '#local/paths.ts';

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');

test('the areas of mutation testing name files and unit tests that exist, each once', () => {
  for (const { files, tests } of Object.values(areas)) {
    const paths = [...files, ...tests];

    expect(paths.filter((path) => !existsSync(join(repositoryRoot, path)))).toEqual([]);
    expect(new Set(paths).size).toBe(paths.length);
    expect(tests.filter((path) => !/^[^.]+\.test\.ts$/.test(path))).toEqual([]);
  }
});

test('the areas of mutation testing are in docs/testing.md with their thresholds', () => {
  const document = read('docs/testing.md');

  for (const [name, { threshold }] of Object.entries(areas)) {
    expect(document).toMatch(new RegExp(`^\\| \`${name}\` \\|.*\\| ${threshold} %`, 'm'));
  }
});

test('the mutations by hand are few', () => {
  expect(mutations.length).toBeLessThanOrEqual(40);
});

test('the mutations by hand find what they are to break, exactly once', () => {
  expect(
    mutations.map((mutation) => faultOf(mutation, read(mutation.file))).filter((fault) => fault !== null),
  ).toEqual([]);
});

test('the mutations by hand break something, and have a unit test that exists', () => {
  for (const { search, replace, test: file } of mutations) {
    expect(replace).not.toBe(search);
    expect(file).toMatch(/^[^.]+\.test\.ts$/);
    expect(read(file)).not.toBe('');
  }
});

test('the mutations by hand guard each guarantee once', () => {
  const guarantees = mutations.map(({ guarantee }) => guarantee);

  expect(new Set(guarantees).size).toBe(guarantees.length);
});

test('the planted faults find what they are to break, exactly once, and break it', () => {
  expect(
    plantedFaults.map((fault) => faultOf(fault, read(fault.file))).filter((fault) => fault !== null),
  ).toEqual([]);
  expect(plantedFaults.filter(({ search, replace }) => search === replace)).toEqual([]);
  expect(new Set(plantedFaults.map(({ name }) => name)).size).toBe(plantedFaults.length);
});
