import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '#local/paths.ts';
import { DEFAULT_PLAN, Plan, planLimits } from '#shared/platform/schema/plan.ts';

test('a plan that was stored before runs had budgets limits neither tokens nor minutes', () => {
  const { tokens_per_run: _tokens, minutes_per_run: _minutes, ...stored } = DEFAULT_PLAN;

  expect(Plan.parse(stored)).toMatchObject({ tokens_per_run: null, minutes_per_run: null });
});

const sourcesOf = (folder: string): string[] =>
  readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/^platform\/(?:access|schema)\/plan\.ts$/.test(path))
    .map((path) => readFileSync(join(repositoryRoot, folder, path), 'utf8'));
const code = sourcesOf('shared').join('\n');
const tests = [
  ...sourcesOf('test/shared'),
  ...sourcesOf('test/functions'),
  ...sourcesOf('test/helpers'),
].join('\n');

test.each(planLimits())(
  'the limit %s of a plan is read where it is enforced, and a test lowers it',
  (limit) => {
    expect(code).toMatch(new RegExp(`plan\\.${limit}\\b|${limit}: \\w+ \\} = caller\\.plan|'${limit}'`));
    expect(tests).toMatch(new RegExp(`\\b${limit}: \\w`));
  },
);
