import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '#local/paths.ts';
import { listPages, readPage } from '#test/helpers/pages.ts';

const examples = readdirSync(join(repositoryRoot, 'examples'), { withFileTypes: true })
  .filter((each) => each.isFile())
  .map(({ name }) => [name, readFileSync(join(repositoryRoot, 'examples', name), 'utf8')] as const);
const texts = [...listPages().map((page) => [page, readPage(page)] as const), ...examples];

/**
 * Models that their maker has switched off, or has said when it will: a reader's first request would fail.
 * https://developers.openai.com/api/docs/deprecations
 */
const SWITCHED_OFF = [
  /\bgpt-3\.5-turbo/,
  /\bgpt-4(-turbo|-\d{4})?\b(?!\.)/,
  /\bgpt-4o/,
  /\bgpt-4\.1/,
  /\bgpt-5(-mini|-nano|-pro)?\b(?!\.)/,
  /\bgpt-5\.1\b/,
  /\bo4-mini/,
];

test('no page and no example names a model that its maker switches off', () => {
  expect(
    SWITCHED_OFF.filter((model) => ['gpt-4.1-mini', 'gpt-4o', 'gpt-5'].some((id) => model.test(id))),
  ).toHaveLength(3);
  const found = texts.flatMap(([page, text]) =>
    SWITCHED_OFF.flatMap((model) => text.match(model)?.[0] ?? []).map((name) => `${page}: ${name}`),
  );

  expect(found).toEqual([]);
});

test('no page and no example breaks JSON Lines at the separators that Python’s splitlines() knows inside of texts', () => {
  // The first line of an answer may be printed.
  const found = texts.filter(([, text]) => /\.splitlines\(\)(?!\[0\])/.test(text)).map(([page]) => page);

  expect(found).toEqual([]);
});
