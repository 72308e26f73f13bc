import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '#local/paths.ts';
import { listPages, readPage } from '#test/helpers/pages.ts';

const pages = listPages();

const exists = (path: string): boolean => existsSync(join(repositoryRoot, path));

/** The text of a page without its code. */
const proseOf = (page: string): string =>
  readPage(page)
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]]/g, ' '));

/** What GitHub makes of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

const anchorsOf = (page: string): string[] =>
  [...readPage(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

const isExternal = (target: string): boolean => /^[a-z]+:/.test(target);

function brokenLinks(page: string): string[] {
  const targets = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => {
    if (isExternal(target)) return false;
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? page : posix.normalize(posix.join(dirname(page), path));
    if (!exists(file)) return true;
    return anchor !== undefined && !anchorsOf(file).includes(anchor);
  });
}

test('every relative link of a page leads to a file and a heading', () => {
  const broken = pages.flatMap((page) => brokenLinks(page).map((target) => `${page}: ${target}`));

  expect(broken).toEqual([]);
});

test('every command of npm that a page names is a script', () => {
  const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const unknown = pages.flatMap((page) =>
    [...readPage(page).matchAll(/\bnpm run (?:--silent )?([a-z][a-z:-]*)/g)]
      .map(([, name = '']) => name)
      .filter((name) => scripts[name] === undefined)
      .map((name) => `${page}: npm run ${name}`),
  );

  expect(unknown).toEqual([]);
});

test('every file of the repository that a page names in code exists', () => {
  const FILE =
    /`((?:bin|docs|examples|functions|infra|lab|local|shared|statemachines|test|trainer)\/[\w./-]+\.(?:ts|mjs|py|md|json|jsonl|csv|yaml))`/g;
  const missing = pages.flatMap((page) =>
    [...new Set([...readPage(page).matchAll(FILE)].map(([, path = '']) => path))]
      // The table of guarantees names tests from the folder `test`.
      .filter(
        (path) => !['', page === 'docs/testing.md' ? 'test' : ''].some((root) => exists(join(root, path))),
      )
      .map((path) => `${page}: ${path}`),
  );

  expect(missing).toEqual([]);
});

test('the index names every page of the documentation', () => {
  const index = readPage('docs/README.md');
  const missing = pages
    .filter((page) => page.startsWith('docs/') && !/^docs\/(?:adr\/|effect\/|README)/.test(page))
    .map((page) => relative('docs', page))
    .filter((page) => !index.includes(`](${page})`));

  expect(missing).toEqual([]);
});

test('the pages of the effect link its reports, and a table says how each is written', () => {
  const page = readPage('docs/effect.md');
  const findings = readPage('docs/effect/findings.md');
  const table = readPage('docs/effect/README.md');
  const reports = pages.filter((each) => /^docs\/effect\/(?!README|findings)/.test(each));
  const missing = reports
    .map((each) => relative('docs/effect', each))
    .filter(
      (each) =>
        !(page.includes(`](effect/${each})`) || findings.includes(`](${each})`)) ||
        !table.includes(`| [${each}](${each}) |`),
    );

  expect(reports.length).toBeGreaterThan(0);
  expect(missing).toEqual([]);
});
