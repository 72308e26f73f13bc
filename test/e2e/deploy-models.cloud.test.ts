import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PRESENT, type ReleaseRecord, releaseId, releasesIn } from '#bin/deploy/releases.ts';
import { repositoryRoot, typescriptLoader } from '#local/paths.ts';
import { createDeploymentRepository } from '#shared/deployments/store/deployments.ts';
import { createObjectStore, createS3Client } from '#shared/platform/adapters/object-store.ts';
import { createTable } from '#shared/platform/store/table.ts';
import { makeDeployment } from '#test/helpers/deploying.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const { environment, modelUrl, tableName, bucketName } = testCloud();
const deployments = createDeploymentRepository(createTable(tableName));
const releases = releasesIn(createObjectStore(bucketName, createS3Client(true)));
const record = makeDeployment({ experiment_id: randomUUID(), team_id: randomUUID() });

function run(...line: string[]): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, ...environment, MODEL_BASE_URL: modelUrl, MODEL_ID: 'scripted' };
    const child = execFile(
      process.execPath,
      ['--import', typescriptLoader, ...line],
      { cwd: repositoryRoot, env },
      (_error, stdout, stderr) => resolve({ status: child.exitCode ?? -1, text: stdout + stderr }),
    );
  });
}

beforeAll(async () => {
  await deployments.create(record, { experiment_ids: [record.experiment_id], version: 0 });
  for (const day of [1, 2]) {
    const release: ReleaseRecord = {
      ...PRESENT,
      id: releaseId(Date.UTC(2026, 10, day)),
      by: 'arn:aws:iam::000000000000:root',
      state: 'deployed',
      again: null,
      files: { 'Pipelines.template.json': JSON.stringify({ Resources: {} }) },
    };
    await releases.save(release);
  }
});

afterAll(() => deployments.remove(record));

it.each([[[]], [['--rollback']]])(
  'a stage with a model on an endpoint refuses npm run deploy %j without the platform of it, and tells the command that ends it',
  async (options) => {
    const { status, text } = await run('bin/deploy.ts', '-c', 'stage=local', ...options);

    expect(text).toContain(`${record.experiment_id} (amazon_sagemaker, ready`);
    expect(text).toContain('deployment delete --platform amazon_sagemaker');
    expect(text).toContain('Nothing was changed.');
    expect(status).toBe(1);
  },
);

it('the operator ends the models of a platform by one command', async () => {
  const { status } = await run('bin/admin.ts', 'deployment', 'delete', '--platform', 'amazon_sagemaker');

  expect(status).toBe(0);
  expect(await deployments.find(record.experiment_id)).toMatchObject({ status: 'deleting', reason: null });
});
