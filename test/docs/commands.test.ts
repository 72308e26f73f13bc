import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createAdminProgram } from '#bin/admin-program.ts';
import { readArguments } from '#bin/deploy/command-line.ts';
import { repositoryRoot } from '#local/paths.ts';
import { listPages, readPage } from '#test/helpers/pages.ts';

const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>;
};

/** The options of `npm run deploy` that are its own; all others are the CDK's. */
const OF_DEPLOY = /^--(?:check|rollback|drain|guard)(?:=.*)?$/;
const OF_CDK = [
  '-c',
  '--context',
  '--profile',
  '--toolkit-stack-name',
  '--require-approval',
  '--rollback-trigger-alarm-arns',
];

interface Line {
  readonly page: string;
  readonly script: string;
  readonly words: readonly string[];
}

/** Every `npm run` of the pages, up to what the shell does with it. */
const lines: Line[] = listPages().flatMap((page) =>
  [...readPage(page).matchAll(/npm run (?:--silent )?([\w:-]+)(?: -- ([^`\n#&|)\\>;]*))?/g)].map(
    ([, script = '', words = '']) => ({
      page,
      script,
      words: words.trim().split(/\s+/).filter(Boolean),
    }),
  ),
);

const optionsIn = (words: readonly string[]): string[] =>
  words.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.replace(/[=.,:].*$/, ''));

/** What is wrong with a line of `npm run admin`; null if nothing. */
function faultOf(program: Command, words: readonly string[]): string | null {
  const [first, , ...others] = words;
  const left = first === '--stage' ? others : words;
  let command = program;
  for (const word of left) {
    const next = command.commands.find((each) => [each.name(), ...each.aliases()].includes(word));
    if (next === undefined) break;
    command = next;
  }
  // A noun alone, such as `stack`, names its commands.
  if (command === program && left.length > 0 && !left[0]?.startsWith('--')) return `no command ${left[0]}`;
  const [stray] = left.slice(1);
  if (command.commands.length > 0 && stray !== undefined && /^[a-z-]+$/.test(stray))
    return `no command ${stray}`;
  const known = new Set([
    '--help',
    ...[program, command].flatMap(({ options }) => options.map(({ long }) => long ?? '')),
  ]);
  const unknown = optionsIn(left).find((option) => !known.has(option));
  return unknown === undefined ? null : `${command.name()} has no ${unknown}`;
}

test('every command that a page names is a script of the package', () => {
  expect(lines.length).toBeGreaterThan(100);
  expect(lines.filter(({ script }) => scripts[script] === undefined)).toEqual([]);
});

test('every command of operators that a page names exists, with its options', () => {
  const program = createAdminProgram({ connect: () => ({}) } as never);
  const admin = lines.filter(({ script }) => script === 'admin');
  const faults = admin.flatMap(({ page, words }) => {
    const fault = faultOf(program, words);
    return fault === null ? [] : [`${page}: admin ${words.join(' ')}: ${fault}`];
  });

  expect(admin.length).toBeGreaterThan(40);
  expect(faults).toEqual([]);
});

test('every deployment that a page names is one that the command reads', () => {
  const deployments = lines.filter(({ script }) => script === 'deploy');
  const faults = deployments.flatMap(({ page, words }) => {
    readArguments(words.map((word) => word.replace(/=[A-Z]+$/, '=5')));
    const unknown = optionsIn(words).filter((word) => !OF_DEPLOY.test(word) && !OF_CDK.includes(word));
    return unknown.map((word) => `${page}: deploy has no ${word}`);
  });

  expect(deployments.length).toBeGreaterThan(20);
  expect(faults).toEqual([]);
});
