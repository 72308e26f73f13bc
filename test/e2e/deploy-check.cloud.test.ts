import { execFile } from 'node:child_process';
import { expect, it } from 'vitest';
import { repositoryRoot, typescriptLoader } from '#local/paths.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const { environment, modelUrl } = testCloud();

function check(changes: NodeJS.ProcessEnv = {}): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    const env = {
      ...process.env,
      ...environment,
      MODEL_BASE_URL: modelUrl,
      MODEL_ID: 'scripted',
      MODEL_ID_EMBED: 'scripted-embedding',
      ...changes,
    };
    const child = execFile(
      process.execPath,
      ['--import', typescriptLoader, 'bin/deploy.ts', '--check'],
      { cwd: repositoryRoot, env },
      (_error, stdout, stderr) => resolve({ status: child.exitCode ?? -1, text: stdout + stderr }),
    );
  });
}

it('npm run deploy -- --check finds the local cloud ready', async () => {
  const { status, text } = await check();

  expect(text).not.toContain('MISSING');
  expect(text).toMatch(/Credentials +arn:aws:iam::000000000000:root/);
  expect(text).toMatch(/Concurrency +100 executions at once/);
  expect(text).toMatch(/Model: judge +scripted answers: /);
  expect(text).toMatch(/Model: respond +scripted answers: stream/);
  expect(status).toBe(0);
});

it('npm run deploy -- --check says what is missing, and ends with another status', async () => {
  const { status, text } = await check({ AUTHORIZER_CONCURRENCY: '20' });

  expect(text).toMatch(/MISSING +Concurrency .*keep 20/);
  expect(status).toBe(1);
});

it('npm run deploy -- --check says what an emulator does not have, and asks for nothing there', async () => {
  const { status, text } = await check({
    STAGE: 'dev',
    SAGEMAKER_INSTANCE_TYPE: 'ml.g5.2xlarge',
  });

  expect(text).toMatch(/note +Trainers +not offered by this endpoint/);
  expect(status).toBe(0);
});

it('npm run deploy -- --check says who is not let in, in the time that it has', async () => {
  const { status, text } = await check({ AWS_ACCESS_KEY_ID: 'nobody', AWS_SECRET_ACCESS_KEY: 'nobody' });

  expect(text).toMatch(/MISSING +Credentials/);
  expect(status).toBe(1);
});
