import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '#local/paths.ts';
import { ADAPT_ROWS_PROMPTS } from '#shared/adaptation/decide/prompts/adapt-rows-prompts.ts';

/** Paths of the files that a file imports, itself or by another, except for types. */
function importedBy(entry: string): string[] {
  const seen = new Set<string>();
  const waiting = [join(repositoryRoot, entry)];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const [, type, name = ''] of readFileSync(path, 'utf8').matchAll(
      /^(?:import|export)\s+(type\s)?[^'"]*?from\s+'([#.][^']+)'/gm,
    )) {
      if (type !== undefined) continue;
      waiting.push(name.startsWith('#') ? join(repositoryRoot, name.slice(1)) : resolve(dirname(path), name));
    }
  }
  return [...seen];
}

/** The version in the name of a file with a prompt, such as `mend-answer.v1`. */
const versionOf = (path: string): string | undefined => /\/prompts\/([\w-]+\.v\d+)\.ts$/.exec(path)?.[1];

test('the worker of an adaptation asks with no other prompts than those that the record of its run names', () => {
  const asked = importedBy('functions/tasks/adapt/adapt-chunk.ts').flatMap((path) => versionOf(path) ?? []);

  // The judge of evaluations shares its calibration with the one that compares two answers.
  expect(asked.filter((version) => version !== 'rubric.v1').sort()).toEqual(
    Object.values(ADAPT_ROWS_PROMPTS).sort(),
  );
});
