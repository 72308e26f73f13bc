import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { contentKey } from '#local/content-key.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'content-key-'));
  mkdirSync(join(root, 'src', 'deep'), { recursive: true });
  writeFileSync(join(root, 'src', 'a.ts'), 'one');
  writeFileSync(join(root, 'src', 'deep', 'b.ts'), 'two');
  writeFileSync(join(root, 'lock.json'), '{}');
});
afterEach(() => rmSync(root, { recursive: true }));

const key = (besides?: string) => contentKey(root, ['src', 'lock.json', 'absent'], besides);

it('the key of contents stays the same while nothing changes', () => {
  expect(key()).toBe(key());
});

it.each<[string, () => void]>([
  ['a file changes', () => writeFileSync(join(root, 'src', 'deep', 'b.ts'), 'three')],
  ['a file is added', () => writeFileSync(join(root, 'src', 'c.ts'), '')],
  ['a file is removed', () => rmSync(join(root, 'src', 'a.ts'))],
  ['a named file appears', () => writeFileSync(join(root, 'absent'), '')],
  [
    'text moves from one file to another',
    () => {
      writeFileSync(join(root, 'src', 'a.ts'), '');
      writeFileSync(join(root, 'src', 'deep', 'b.ts'), 'onetwo');
    },
  ],
])('the key of contents changes when %s', (_, change) => {
  const before = key();
  change();
  expect(key()).not.toBe(before);
});

it('changes with what belongs to it besides', () => {
  expect(key('port 1')).not.toBe(key('port 2'));
});

it('the key of contents does not read what tools leave beside the sources', () => {
  const before = key();
  mkdirSync(join(root, 'src', '__pycache__'));
  writeFileSync(join(root, 'src', '__pycache__', 'a.pyc'), 'x');
  expect(key()).toBe(before);
});
