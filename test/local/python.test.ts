import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeMarkers, requireEnvironment } from '#local/python.ts';
import { isNewEnough } from '#local/python-version.mjs';

describe('a virtual environment', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'tunesmith-venv-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  // Ten seconds on a busy machine, since it unpacks pip.
  const made = { timeout: 600_000 };
  it(
    'a virtual environment is made anew if its creation was interrupted before it had pip',
    made,
    async () => {
      execFileSync('python3', ['-m', 'venv', '--without-pip', directory]);
      writeFileSync(join(directory, 'left'), '');

      await requireEnvironment(directory);

      execFileSync(join(directory, 'bin', 'python'), ['-m', 'pip', '--version']);
      expect(existsSync(join(directory, 'left'))).toBe(false);
    },
  );

  it('a virtual environment has the packages of its newest requirements, not of those that were installed before', () => {
    for (const name of ['installed-test-1', 'installed-test-2', 'installed-emulator-1']) {
      writeFileSync(join(directory, name), '');
    }

    removeMarkers(directory, 'installed-test-');

    expect(readdirSync(directory)).toEqual(['installed-emulator-1']);
  });
});

describe('the version of Python', () => {
  it.each(['Python 3.11.0', 'Python 3.14.1rc2', 'Python 4.0.0'])('%s is new enough', (line) => {
    expect(isNewEnough(line)).toBe(true);
  });

  it.each(['Python 3.10.14', 'Python 3.9.2', 'Python 2.7.18', '', 'pyenv: no such command'])(
    '%s is not',
    (line) => {
      expect(isNewEnough(line)).toBe(false);
    },
  );
});
