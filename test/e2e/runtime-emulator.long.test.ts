import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { beforeAll, expect, test } from 'vitest';
import { bundlePath, endpointFunctionId, functionName } from '#infra/names.ts';
import { repositoryRoot } from '#local/paths.ts';
import { createAccessAdministration } from '#shared/access/store/access.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { createTable } from '#shared/platform/store/table.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { eventOf } from '#test/helpers/call.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { makeCaller } from '#test/helpers/records.ts';
import { hasGo, installRuntimeEmulator, startEmulatedFunction } from '#test/helpers/runtime-emulator.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

/**
 * The streaming functions as AWS runs them: their bundles, under AWS's own runtime client and emulator of the runtime interface, a
 * witness beside the emulator of the tests, whose runtime is its own. What they ask is the deployed stacks of the tests. AWS's
 * emulator hands a streamed answer over when it has ended, so when its parts come is shown by
 * `responses-streaming.cloud.test.ts`.
 */
const cloud = testCloud();
const TEAM = 'emulated-runtime';
const canRun = hasGo();
const INSTALLATION_MS = 10_800_000;
let caller: Caller;

beforeAll(async () => {
  if (!canRun) return;
  await installRuntimeEmulator();
  await createCloudAdmin(cloud).createKey(TEAM, '--credits', '1000');
  const team = await createAccessAdministration(createTable(cloud.tableName)).findTeamByName(TEAM);
  if (team === null) throw new Error('The team is not there.');
  caller = makeCaller({ team_id: team.team_id });
}, INSTALLATION_MS);

const asked = {
  'responses.create': {
    body: { model: 'scripted', input: 'count 3' },
    ends: 'event: response.completed',
  },
  'chat.completions.create': {
    body: { model: 'scripted', messages: [{ role: 'user', content: 'count 3' }] },
    ends: '"finish_reason":"stop"',
  },
} as const;

test.for(['responses.create', 'chat.completions.create'] as const)(
  'the bundle of %s answers under AWS’s own runtime client, streamed, at once, and a request that it refuses',
  async (id, { skip }) => {
    skip(!canRun, 'AWS’s emulator of the runtime interface is a Go module, and this machine has no Go.');
    const contract = contracts.find((each) => each.id === id);
    if (contract === undefined) throw new Error(`There is no endpoint ${id}.`);
    const functionId = endpointFunctionId(contract);
    const { Environment: deployed } = await new LambdaClient({}).send(
      new GetFunctionConfigurationCommand({ FunctionName: functionName('local', functionId) }),
    );
    await using running = await startEmulatedFunction(
      bundlePath(join(repositoryRoot, 'dist'), functionId),
      {
        ...deployed?.Variables,
        ...cloud.environment,
        AWS_LAMBDA_FUNCTION_NAME: functionName('local', functionId),
      },
      join(cloud.stateDirectory, 'logs', `runtime-emulator-${id}.log`),
    );
    const { body, ends } = asked[id];
    const post = (fields: object) =>
      running.invoke(eventOf(contract, { as: caller, body: { ...body, ...fields } }));

    const streamed = await post({ stream: true });
    expect(streamed.statusCode).toBe(200);
    expect(streamed.headers).toMatchObject({ 'content-type': 'text/event-stream; charset=utf-8' });
    expect(streamed.body).toContain(ends);
    expect(streamed.body.trimEnd().endsWith('data: [DONE]')).toBe(true);

    const whole = await post({ stream: false });
    expect(whole.statusCode).toBe(200);
    expect(whole.headers).toMatchObject({ 'content-type': 'application/json' });
    expect(JSON.stringify(JSON.parse(whole.body))).toContain('word0 word1 word2');

    const refused = await post({ model: randomUUID() });
    expect([refused.statusCode, JSON.parse(refused.body).code]).toEqual([404, 'model_not_found']);
  },
);
