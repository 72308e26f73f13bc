import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';
import { repositoryRoot, typescriptLoader } from '#local/paths.ts';

test('a stage is rehearsed from its first deployment to its last deletion', async () => {
  // Of this process, which has read where the cloud of the tests is, the rehearsal takes no notice.
  const own = Object.entries(process.env).filter(([name]) => !/^(AWS_|MODEL_|STAGE$|TABLE_NAME$)/.test(name));
  const { status, text } = await new Promise<{ status: number; text: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      ['--import', typescriptLoader, 'bin/rehearse.ts', '--stage', 'localtrial'],
      { cwd: repositoryRoot, env: Object.fromEntries(own) },
      (_error, stdout, stderr) => resolve({ status: child.exitCode ?? -1, text: stdout + stderr }),
    );
  });

  expect(text).toMatch(/^Deploy again +[\d.]+ +ok: /m);
  expect(text).toMatch(/^Train +[\d.]+ +ok: 28 steps/m);
  expect(text).toContain('Everything passed');
  expect(status, text).toBe(0);
});
