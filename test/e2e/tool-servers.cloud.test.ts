import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { expect, test } from 'vitest';
import { functionName } from '#infra/names.ts';
import { createToolServers } from '#shared/responses/adapters/tool-servers.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const CREDENTIAL = 'Bearer canary-of-the-cloud-5be1';
const cloud = testCloud();
const lambda = new LambdaClient({ endpoint: cloud.endpoint, region: 'us-east-1', maxAttempts: 1 });
const servers = createToolServers(functionName('local', 'tasks/tools/call-tool-server'), { client: lambda });
const open = new AbortController().signal;
const at = (url: string) => ({ label: 'scripted', url, authorization: CREDENTIAL });

test('the deployed function lists and calls, under a role that allows nothing', async () => {
  const server = at(cloud.toolServerUrl);

  expect((await servers.list(server, open)).tools.map(({ name }) => name)).toEqual(['echo', 'reveal']);
  expect(await servers.call(server, 'echo', { message: 'héllo' }, open)).toEqual({
    output: '{"message":"héllo"}',
    failed: false,
  });
});

test('it reaches nothing inside: not the cloud that it runs on, nor what is beside it', async () => {
  for (const url of [cloud.endpoint, cloud.searchUrl, 'http://127.0.0.1:1/', 'https://169.254.169.254/']) {
    await expect(servers.list(at(url), open), url).rejects.toMatchObject({ kind: 'refused' });
  }
});

test('the credential is in no log and in no answer, even of a server that reveals it', async () => {
  const server = at(cloud.toolServerUrl);

  expect((await servers.call(server, 'reveal', {}, open)).output).toBe('[credential]');
  await servers.call(server, CREDENTIAL, {}, open);

  const log = await readFile(join(cloud.stateDirectory, 'logs', 'emulator.log'), 'utf8');
  expect(log).toContain('tasks-tools-call-tool-server');
  expect(log).not.toContain('canary-of-the-cloud');
});
