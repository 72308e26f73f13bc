import { expect, test } from 'vitest';
import { attackText, findBacktracking } from './helpers/source/find-backtracking.ts';
import { sourcePatterns } from './helpers/source/source-patterns.ts';

/** What a service runs; the programs in `bin` read what their user writes. */
const patterns = sourcePatterns(['functions', 'infra', 'local', 'shared']);

/**
 * The time that an expression may take on the longest text that it is given, in milliseconds: on a slow machine, twice
 * what an expression takes there that looks at two hundred million characters.
 */
const millisecondsMax = (): number => Math.max(300, 2 * leastMilliseconds(/a*b/, 'a'.repeat(20_000), 0));

function milliseconds(expression: RegExp, text: string): number {
  // Of a machine that does other things, too, the time that was had.
  const start = process.cpuUsage();
  text.match(expression);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** The least of some tries: a busy host adds to the processor time, too. */
function leastMilliseconds(expression: RegExp, text: string, enough: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 5 && least > enough; tries += 1) {
    least = Math.min(least, milliseconds(expression, text));
  }
  return least;
}

test('the regular expressions of the source are found', () => {
  expect(patterns.length).toBeGreaterThan(500);
  const sources = patterns.map(({ source }) => source);
  // Put together of constants.
  expect(sources).toContainEqual(expect.stringMatching(/^\^pt_live_\[0-9A-Za-z\]\{\d+\}\$$/));
  expect(sources).toContainEqual(expect.stringContaining(String.raw`[\p{L}\p{M}\p{N}]&&[\p{scx=Han}`));
});

test('the regular expressions of the source take time that is linear in their text, or say how long it is at most', {
  timeout: 600_000,
}, () => {
  const slow = patterns
    .filter(({ charactersMax }) => charactersMax === null)
    .flatMap(({ place, source, flags }) => {
      const found = findBacktracking(source, flags);
      return found === null ? [] : [`${place} /${source}/${flags}: ${JSON.stringify(found)}`];
    });
  expect(slow).toEqual([]);
});

test('the regular expressions of the source are fast at the bound that they state', {
  timeout: 60_000,
}, () => {
  const max = millisecondsMax();
  const slow = patterns.flatMap(({ place, source, flags, charactersMax }) => {
    const found = charactersMax === null ? null : findBacktracking(source, flags);
    if (found === null || charactersMax === null) return [];
    const text = attackText(found, charactersMax);
    const taken = leastMilliseconds(new RegExp(source, flags), text, max);
    return taken > max ? [`${place}: ${Math.round(taken)} ms`] : [];
  });
  expect(slow).toEqual([]);
});

test.each([
  ['exponential', /^(a+)+$/],
  ['exponential', /^(a|a)*$/],
  ['exponential', /^(?:a?b?)*c/],
  ['exponential', /^s3([.-][a-z0-9-]+)*\.amazonaws\.com$/],
  ['polynomial', /^\s*\s*$/],
  ['polynomial', /\s+$/],
  ['polynomial', /a+b/],
  ['polynomial', /a[^b]*b/],
  ['polynomial', /a(?:[^b]*b)?/g],
  ['polynomial', /(?=.*x)y/],
  ['polynomial', /(?<=a+)b/],
  ['polynomial', /^[\d.]+?\s*(?:=)?\s*[?.]?\s*$/],
  ['polynomial', /a{2,1000}b/],
  ['polynomial', /[\w.]+@\w+/u],
  ['polynomial', /\p{L}+\p{Ll}+!/iu],
] as const)('the search for backtracking finds %s time of %s', (degree, { source, flags }) => {
  expect(findBacktracking(source, flags)?.degree).toBe(degree);
});

test.each([
  /a+/g,
  /^a+b/,
  /a+b/y,
  /\b\w+@/,
  /(?<!\S)\S+!/,
  /(?<!\w)\w+(?!\w)/g,
  /^[a-z]+(?:-[a-z]+)*$/,
  /```[\s\S]*?(?:```|$)/g,
  /\|.*\|/,
  /^\s*(.*)$/s,
  /"(?:[^"\\\n]|\\.){0,80}"/g,
  /\bfoo\b.{0,60}\bbar\b/,
  /^(?!x)[a-z]+:/,
  { source: '[[a-z]--[aeiou]]+', flags: 'gv' },
])('the search for backtracking finds none in %s', ({ source, flags }) => {
  expect(findBacktracking(source, flags)).toBeNull();
});

test('the search for backtracking names a text that takes long', () => {
  const found = findBacktracking('^(a|a)*$', '');
  expect(found).not.toBeNull();
  const short = milliseconds(/^(a|a)*$/, attackText(found as NonNullable<typeof found>, 10));
  const long = milliseconds(/^(a|a)*$/, attackText(found as NonNullable<typeof found>, 24));
  expect(long).toBeGreaterThan(10 * short);
});
