import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@lezer/javascript';
import { expect, test } from 'vitest';
import { repositoryRoot } from '#local/paths.ts';
import { NOUNS_TOO, VERBS } from './helpers/verbs.ts';

interface Title {
  readonly place: string;
  readonly text: string;
}

const typescript = parser.configure({ dialect: 'ts jsx' });

/** The titles of the tests of a file: the first argument of each call of `it`, `test` and what they return. */
function titlesOf(path: string, code: string): Title[] {
  const titles: Title[] = [];
  typescript.parse(code).iterate({
    enter({ name, node }) {
      if (name !== 'CallExpression' || !/^(?:it|test)\b/.test(code.slice(node.from, node.from + 5))) return;
      const title = node.lastChild?.firstChild?.nextSibling;
      if (title?.name !== 'String' && title?.name !== 'TemplateString') return;
      const line = code.slice(0, title.from).split('\n').length;
      titles.push({ place: `${path}:${line}`, text: code.slice(title.from + 1, title.to - 1) });
    },
  });
  return titles;
}

/** What a title lacks so that a reader understands it alone, or null. */
function faultOf(title: string): string | null {
  const [first = '', ...words] = title.split(/[^\p{L}\p{N}’'$%-]+/u);
  if (VERBS.has(first) && !NOUNS_TOO.has(first)) return 'begins with a verb';
  if (/^(?:that|which|whose|who)$/.test(first)) return 'goes on with a sentence that is elsewhere';
  // A placeholder is a word: what it stands for is in a table, which nobody sees who greps the title.
  return words.some((word) => VERBS.has(word)) ? null : 'has no verb that test/helpers/verbs.ts knows';
}

const files = execFileSync('git', ['ls-files', '*.test.ts', '*.test.tsx'], {
  cwd: repositoryRoot,
  encoding: 'utf8',
});
const titles = files
  .trim()
  .split('\n')
  .flatMap((path) => titlesOf(path, readFileSync(join(repositoryRoot, path), 'utf8')));

test('every test title is a sentence with a subject and a verb', () => {
  expect(titles.length).toBeGreaterThan(4000);
  const faults = titles.flatMap(({ place, text }) => {
    const fault = faultOf(text);
    return fault === null ? [] : [`${place} ${fault}: ${text}`];
  });
  expect(faults).toEqual([]);
});

test.each([
  'is refused',
  'that is refused',
  'a dataset without rows',
  'of a dataset',
  'refuses a dataset',
  'a dataset %s',
])('the title "%s" is no sentence', (title) => {
  expect(faultOf(title)).not.toBeNull();
});
