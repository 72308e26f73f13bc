import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '#local/paths.ts';
import { readPage, tableRows } from '#test/helpers/pages.ts';

const page = readPage('docs/security.md');
const [, section = ''] = /\n## What is promised\n([\s\S]*?)\n## /.exec(page) ?? [];
const promises = tableRows(section).map(([promise = '', whom = '', shown = '']) => ({
  promise,
  whom,
  shown,
}));
const TEST = /^(\S+\.ts) › "(.+)"$/;

const textOf = (file: string): string => {
  const path = join(repositoryRoot, 'test', file);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
};
const hasTitle = (text: string, title: string): boolean =>
  ["'", '"', '`'].some((quote) => text.includes(`${quote}${title}${quote}`));

test('what docs/security.md promises says to whom, and names tests that there are', () => {
  expect(promises.length).toBeGreaterThan(20);
  const missing = promises.flatMap(({ promise, whom, shown }) =>
    shown.split(/; (?=\S+\.ts › ")/).flatMap((each) => {
      const [, file = '', title = ''] = TEST.exec(each) ?? [];
      return whom !== '' && hasTitle(textOf(file), title) ? [] : [`${promise}: ${each}`];
    }),
  );

  expect(missing).toEqual([]);
});

test('what docs/security.md promises is shown by each file of attacks, one for each of the ten threats', () => {
  const files = readdirSync(join(repositoryRoot, 'test/attacks')).sort();

  expect(files.map((file) => file.slice(0, 5))).toEqual(
    Array.from({ length: 10 }, (_, n) => `api${String(n + 1).padStart(2, '0')}`),
  );
  expect(files.filter((file) => !section.includes(`attacks/${file} › `))).toEqual([]);
});
