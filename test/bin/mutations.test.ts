import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { mutations } from '../../bin/mutation-table.ts';
import { faultOf, withTable } from '../../bin/mutations.ts';

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const all = Object.values(mutations).flat();

describe('the mutations', () => {
  test('find what they are to break, exactly once', () => {
    expect(
      all.map((mutation) => faultOf(mutation, read(mutation.file))).filter((fault) => fault !== null),
    ).toEqual([]);
    expect(all.length).toBeGreaterThan(60);
  });

  test('break something, and have a test that exists', () => {
    for (const { search, replace, test: file } of all) {
      expect(replace).not.toBe(search);
      expect(read(file)).not.toBe('');
    }
  });

  test('guard each guarantee once', () => {
    const guarantees = all.map(({ guarantee }) => guarantee);

    expect(new Set(guarantees).size).toBe(guarantees.length);
  });

  test('stand in docs/testing.md as they are (npm run test:mutations -- --docs)', () => {
    const document = read('docs/testing.md');

    expect(document).toBe(withTable(document));
  });
});
