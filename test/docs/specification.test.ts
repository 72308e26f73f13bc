import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '#local/paths.ts';
import { readPage, tableRows } from '#test/helpers/pages.ts';

const page = readPage('docs/specification.md');

/** The rules of a section, by its number. */
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((section) => [
      /^[\d.]+/.exec(section)?.[0] ?? section.slice(0, 40),
      tableRows(section).map(([rule = '', shown = '']) => ({ rule, shown })),
    ]),
);
const rules = [...sections].flatMap(([section, rows]) => rows.map((row) => ({ section, ...row })));

/** Numbers of the specification: `2.1` to `2.17` for (2, 17). */
const subsections = (section: number, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${section}.${n + 1}`);
const SECTIONS = ['1', ...subsections(2, 17), '3', ...subsections(4, 27), '5', '6', '7', '8', '9'];

const DEVIATION = /^Deviation: \S/;
const TEST = /^(\S+\.ts) › "(.+)"$/;

/** The tests that a cell names; null where it names anything else. */
function testsOf(shown: string): { file: string; title: string }[] | null {
  const found = shown.split(/; (?=\S+\.ts › ")/).map((part) => TEST.exec(part));
  return found.every((match) => match !== null)
    ? found.map(([, file = '', title = '']) => ({ file, title }))
    : null;
}

const texts = new Map<string, string | null>();

/** The text of a file of tests; null where there is none. */
function textOf(file: string): string | null {
  const known = texts.get(file);
  if (known !== undefined) return known;
  const path = join(repositoryRoot, 'test', file);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : null;
  texts.set(file, text);
  return text;
}

const hasTitle = (text: string, title: string): boolean =>
  ["'", '"', '`'].some((quote) => text.includes(`${quote}${title}${quote}`));

test('every section of the specification has its rules', () => {
  expect([...sections.keys()]).toEqual(SECTIONS);
  expect([...sections].filter(([, rows]) => rows.length === 0)).toEqual([]);
});

test('every rule has a test that shows it, or a deviation with its reason', () => {
  const open = rules
    .filter(({ rule, shown }) => rule === '' || (!DEVIATION.test(shown) && testsOf(shown) === null))
    .map(({ section, rule, shown }) => `${section} ${rule}: ${shown}`);

  expect(open).toEqual([]);
});

test('every test that a rule names exists', () => {
  const missing = rules.flatMap(({ section, rule, shown }) =>
    (testsOf(shown) ?? [])
      .filter(({ file, title }) => !hasTitle(textOf(file) ?? '', title))
      .map(({ file, title }) => `${section} ${rule}: ${file} › "${title}"`),
  );

  expect(missing).toEqual([]);
});

test('every page that a deviation names exists', () => {
  const missing = rules.flatMap(({ section, shown }) =>
    [...shown.matchAll(/\bdocs\/[\w./-]+\.md\b/g)]
      .filter(([path]) => !existsSync(join(repositoryRoot, path)))
      .map(([path]) => `${section}: ${path}`),
  );

  expect(missing).toEqual([]);
});
