import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Account } from '#bin/deploy/account.ts';
import { accountLooks, identityLook, judgeMemory, type Look } from '#bin/deploy/account-checks.ts';
import { takeLook } from '#bin/deploy/look.ts';
import { loadConfig } from '#infra/config.ts';
import { ROLES_OF_STACKS } from '#infra/roles.ts';

const configOf = (settings: Record<string, string> = {}) =>
  loadConfig(() => undefined, { STAGE: 'dev', MODEL_ID: 'vendor.model', ...settings });

const ENDPOINT_TYPES = ['ml.g6.xlarge', 'ml.g6e.xlarge', 'ml.g6e.12xlarge', 'ml.g6e.48xlarge'];
const quotasOf = (...values: number[]) =>
  new Map(values.map((value, n) => [ENDPOINT_TYPES[n] ?? '', value] as const));

/** An account that lacks nothing. */
const account: Account = {
  identity: async () => ({ account: '123456789012', arn: 'arn:aws:iam::123456789012:user/ann' }),
  stack: async () => ({ status: 'CREATE_COMPLETE', outputs: { BootstrapVersion: '29' } }),
  concurrency: async () => ({ quota: 1000, unreserved: 1000 }),
  reservedFor: async () => 0,
  methodSchema: async () => '{"ResponseTransferMode":{"enum":["BUFFERED","STREAM"]}}',
  roles: async () => ({ count: 30, quota: 1000 }),
  apiThrottle: async () => ({ requestsPerSecond: 10_000, burst: 5000 }),
  sagemakerQuota: async () => 1,
  endpointQuotas: async () => quotasOf(1, 1, 1, 1),
  importQuota: async () => 3,
  profiledModel: async () => ({ modelId: 'vendor.model', regions: 1 }),
  tokenQuotas: async () => [
    { name: 'On-demand model inference tokens per minute for Vendor Model', value: 4_000_000 },
    { name: 'Model invocation max tokens per day for Vendor Model', value: 5_760_000_000 },
    {
      name: 'On-demand model inference tokens per minute for Amazon Titan Text Embeddings V2',
      value: 300_000,
    },
    { name: 'Model invocation max tokens per day for Amazon Titan Text Embeddings V2', value: 432_000_000 },
  ],
  listBatchJobs: async () => {},
};

const findingsOf = async (
  changes: Partial<Account>,
  settings: Record<string, string> = {},
  region = 'eu-west-1',
) => {
  const looks = accountLooks({ ...account, ...changes }, configOf(settings), region);
  const findings = await Promise.all(looks.map((look) => takeLook(look, false)));
  return new Map(findings.map((finding) => [finding.name, finding]));
};

const GPU = { SAGEMAKER_INSTANCE_TYPE: 'ml.g5.2xlarge' };

it('The doctor of a deployment finds an account that lacks nothing ready', async () => {
  const findings = await findingsOf({}, GPU);

  expect([...findings.values()].map(({ state }) => state)).toEqual(Array(findings.size).fill('ok'));
});

it('The doctor of a deployment asks Amazon Bedrock for batch jobs where they are set, and names the permission that is lacking', async () => {
  const denied = Object.assign(new Error('no'), { name: 'AccessDeniedException' });
  const listBatchJobs = () => Promise.reject(denied);
  const set = { MODEL_BATCH_JOBS: 'true' };

  expect((await findingsOf({}, set)).get('Batch jobs')?.state).toBe('ok');
  expect((await findingsOf({ listBatchJobs }, set)).get('Batch jobs')).toMatchObject({
    state: 'missing',
    advice: expect.stringContaining('bedrock:ListModelInvocationJobs'),
  });
  expect((await findingsOf({ listBatchJobs })).has('Batch jobs')).toBe(false);
  const other = { ...set, MODEL_BASE_URL: 'http://models.example/v1' };
  expect((await findingsOf({ listBatchJobs }, other)).has('Batch jobs')).toBe(false);
});

it('The doctor of a deployment knows what keeping executions asks of the quota', async () => {
  const kept = { AUTHORIZER_CONCURRENCY: '20', ANSWERS_CONCURRENCY: '30' };

  // An answer, a chat completion and a wait of an agent hold functions of their own: 20 + 3 * 30.
  const enough = await findingsOf({ concurrency: async () => ({ quota: 230, unreserved: 230 }) }, kept);
  const fewer = await findingsOf({ concurrency: async () => ({ quota: 209, unreserved: 209 }) }, kept);
  const others = await findingsOf({ concurrency: async () => ({ quota: 260, unreserved: 200 }) }, kept);

  expect(enough.get('Concurrency')?.state).toBe('ok');
  expect(fewer.get('Concurrency')).toMatchObject({
    state: 'missing',
    advice: expect.stringContaining('raised to 210'),
  });
  expect(others.get('Concurrency')).toMatchObject({
    state: 'missing',
    found: expect.stringContaining('60 of them kept for other functions'),
    advice: expect.stringContaining('raised to 270'),
  });
});

it('The doctor of a deployment does not count what the stage itself keeps already', async () => {
  const kept = {
    AUTHORIZER_CONCURRENCY: '20',
    ANSWERS_CONCURRENCY: '80',
    EVENTS_CONCURRENCY: '30',
    WEBHOOKS_CONCURRENCY: '70',
  };
  const reserved = new Map([
    ['tunesmith-dev-api-authorizer', 20],
    ['tunesmith-dev-api-responses-create', 80],
    ['tunesmith-dev-api-chat-completions-create', 80],
    ['tunesmith-dev-api-mcp-call', 80],
    ['tunesmith-dev-api-events-list', 30],
    ['tunesmith-dev-consumers-deliver-webhook', 70],
  ]);
  const deployed = {
    concurrency: async () => ({ quota: 480, unreserved: 120 }),
    reservedFor: async (name: string) => reserved.get(name) ?? 0,
  };

  expect((await findingsOf(deployed, kept)).get('Concurrency')?.state).toBe('ok');
});

it('The doctor of a deployment knows how many roles an account has left for the stacks that are not there yet', async () => {
  const stage = ROLES_OF_STACKS.api + ROLES_OF_STACKS.pipelines;
  const stackOf = (absent: string) => async (name: string) =>
    name.endsWith(absent) ? null : { status: 'CREATE_COMPLETE', outputs: { BootstrapVersion: '29' } };
  const rolesOf = async (left: number, absent: string): Promise<string | undefined> => {
    const roles = async () => ({ count: 1000 - left, quota: 1000 });
    return (await findingsOf({ roles, stack: stackOf(absent) })).get('Roles')?.state;
  };

  expect(await rolesOf(ROLES_OF_STACKS.api, 'dev-api')).toBe('ok');
  expect(await rolesOf(ROLES_OF_STACKS.api - 1, 'dev-api')).toBe('missing');
  expect(await rolesOf(ROLES_OF_STACKS.pipelines, 'dev-pipelines')).toBe('ok');
  expect(await rolesOf(ROLES_OF_STACKS.pipelines - 1, 'dev-pipelines')).toBe('missing');
  // All stacks are there: the stage's own roles are counted already.
  expect(await rolesOf(0, 'none')).toBe('ok');
  const anew = await findingsOf({
    stack: async () => null,
    roles: async () => ({ count: 1001 - stage, quota: 1000 }),
  });
  expect(anew.get('Roles')).toMatchObject({
    state: 'missing',
    advice: expect.stringContaining('raised to 1001'),
  });
  expect((await findingsOf({ roles: async () => null })).get('Roles')?.state).toBe('note');
});

it('The doctor of a deployment says of a new account that it is for trying out, and deploys there', async () => {
  const findings = await findingsOf({ concurrency: async () => ({ quota: 10, unreserved: 10 }) });

  expect(findings.get('Concurrency')).toMatchObject({ state: 'note' });
});

it('The doctor of a deployment counts the workers of the largest map, and twenty executions for callers', async () => {
  const stateAt = async (quota: number) =>
    (await findingsOf({ concurrency: async () => ({ quota, unreserved: quota }) })).get('Concurrency')?.state;

  expect([await stateAt(119), await stateAt(120)]).toEqual(['note', 'ok']);
  const many = { MODEL_CONCURRENCY: String(64 * 100 + 1) };
  const { found } = (
    await findingsOf({ concurrency: async () => ({ quota: 120, unreserved: 120 }) }, many)
  ).get('Concurrency') ?? { found: '' };
  expect(found).toContain('121 keep callers and runs from waiting');
});

it('The doctor of a deployment knows that new accounts refuse functions above 3,008 MB', () => {
  expect(judgeMemory(3008).state).toBe('ok');
  expect(judgeMemory(3009).state).toBe('note');
});

it.each([
  ['none', null, 'note'],
  ['an old one', { status: 'UPDATE_COMPLETE', outputs: { BootstrapVersion: '5' } }, 'note'],
  ['one that was never whole', { status: 'ROLLBACK_COMPLETE', outputs: {} }, 'missing'],
  [
    'one whose update failed',
    { status: 'UPDATE_ROLLBACK_COMPLETE', outputs: { BootstrapVersion: '21' } },
    'ok',
  ],
] as const)('The doctor of a deployment knows the stack of the CDK: %s', async (_what, stack, state) => {
  expect((await findingsOf({ stack: async () => stack })).get('Bootstrap')?.state).toBe(state);
});

it('The doctor of a deployment names the quota of the training machine, and whether it is raised', async () => {
  const asked: string[] = [];
  const sagemakerQuota = async (name: string) => {
    asked.push(name);
    return 0;
  };

  const spot = await findingsOf({ sagemakerQuota }, GPU);
  await findingsOf({ sagemakerQuota }, { ...GPU, SAGEMAKER_SPOT: 'false' });

  expect(spot.get('Trainers')?.state).toBe('missing');
  expect(asked).toEqual([
    'ml.g5.2xlarge for spot training job usage',
    'ml.g5.2xlarge for training job usage',
  ]);
});

it('The doctor of a deployment asks for the instances of endpoints where trained models get some, and names the models that get none', async () => {
  const set = { TRAINED_MODELS: 'amazon_sagemaker' };
  const endpointsOf = async (...values: number[]) =>
    (await findingsOf({ endpointQuotas: async () => quotasOf(...values) }, set)).get('Endpoints');

  expect((await findingsOf({}, { TRAINED_MODELS: 'amazon_bedrock' })).has('Endpoints')).toBe(false);
  expect((await endpointsOf(1, 2, 3, 4))?.state).toBe('ok');
  expect(await endpointsOf(1, 1, 0)).toMatchObject({
    state: 'note',
    found: expect.stringContaining('ml.g6e.12xlarge: 0, ml.g6e.48xlarge: none here'),
    advice: expect.stringContaining('meta-llama/Llama-3.3-70B-Instruct'),
  });
  expect(await endpointsOf(0, 0, 0, 0)).toMatchObject({
    state: 'missing',
    advice: expect.stringContaining('leave amazon_sagemaker out'),
  });
});

it('The doctor of a deployment with both platforms asks for imported models, and for instances of what is not imported', async () => {
  const set = { TRAINED_MODELS: 'amazon_bedrock,amazon_sagemaker' };
  const found = await findingsOf({ endpointQuotas: async () => quotasOf(1, 0, 1, 0) }, set, 'us-east-1');

  expect(found.get('Imported models')).toMatchObject({ state: 'ok', found: expect.stringContaining(': 3') });
  // Bedrock takes Llama 70B there, and of the models for ml.g6e.xlarge all but Qwen.
  expect(found.get('Endpoints')).toMatchObject({
    state: 'note',
    advice: expect.stringContaining('Models trained from Qwen/Qwen3.5-9B cannot be deployed'),
  });
  const none = await findingsOf({ importQuota: async () => 0 }, set, 'us-east-1');
  expect(none.get('Imported models')?.state).toBe('missing');
  expect(
    (await findingsOf({ importQuota: async () => null }, set, 'us-east-1')).get('Imported models')?.state,
  ).toBe('note');
  expect((await findingsOf({}, set)).get('Imported models')).toMatchObject({
    state: 'note',
    found: expect.stringContaining('imports no models in eu-west-1'),
  });
});

it('The doctor of a deployment looks at the bootstrap that the command names', async () => {
  const asked: string[] = [];
  const stack = async (name: string) => {
    asked.push(name);
    return null;
  };
  const looks = accountLooks({ ...account, stack }, configOf({}), 'eu-west-1', 'OwnToolkit');
  await looks.find(({ name }) => name === 'Bootstrap')?.look(AbortSignal.timeout(1000));

  expect(asked).toEqual(['OwnToolkit']);
});

it('The doctor of a deployment counts what telemetry keeps, and not what it keeps already', async () => {
  const set = { OTLP_ENDPOINT: 'https://otlp.example', TELEMETRY_CONCURRENCY: '50' };
  const at = async (quota: number, own = 0) => {
    const changes = {
      concurrency: async () => ({ quota, unreserved: quota - own }),
      reservedFor: async (name: string) => (name.endsWith('forward-telemetry') ? own : 0),
    };
    return (await findingsOf(changes, set)).get('Concurrency');
  };

  expect(await at(149)).toMatchObject({
    state: 'missing',
    found: expect.stringContaining('TELEMETRY_CONCURRENCY keep 50, of at most 49'),
  });
  expect((await at(200))?.state).toBe('ok');
  expect((await at(200, 50))?.state).toBe('ok');
});

const looking = (look: Look['look'], seconds = 5): Look => ({
  name: 'Quota',
  permissions: ['quotas:Read'],
  seconds,
  look,
});
const refusing = (name: string, status: number, message = 'no') =>
  looking(async () => {
    throw Object.assign(new Error(message), { name, $metadata: { httpStatusCode: status } });
  });

it('A look ends in the time that it has, whoever does not answer', async () => {
  const started = performance.now();
  const finding = await takeLook(
    looking(() => new Promise(() => undefined), 0.05),
    false,
  );

  expect(finding).toMatchObject({ state: 'missing', found: 'no answer within 0.05 s' });
  expect(performance.now() - started).toBeLessThan(2000);
  await sleep(0);
});

it('A look names the permission that the caller lacks', async () => {
  for (const name of ['AccessDenied', 'AccessDeniedException', 'Forbidden']) {
    expect(await takeLook(refusing(name, 403), true)).toMatchObject({
      state: 'missing',
      advice: expect.stringContaining('quotas:Read'),
    });
  }
});

it('A look is no fault where an emulator lacks the service, and one on AWS', async () => {
  const look = refusing('UnknownError', 400, 'Unsupported service: servicequotas');

  expect(await takeLook(look, true)).toEqual({
    state: 'note',
    name: 'Quota',
    found: 'not offered by this endpoint',
  });
  expect((await takeLook(look, false)).state).toBe('missing');
});

it('A look asks for credentials where there are none, on an emulator too', async () => {
  for (const name of ['CredentialsProviderError', 'ExpiredToken', 'InvalidClientTokenId']) {
    expect(await takeLook(refusing(name, 403), true)).toMatchObject({
      state: 'missing',
      advice: expect.stringContaining('--profile'),
    });
  }
});

it('A look says who is asking', async () => {
  expect(await takeLook(identityLook(account), false)).toEqual({
    state: 'ok',
    name: 'Credentials',
    found: 'arn:aws:iam::123456789012:user/ann in account 123456789012',
  });
});
