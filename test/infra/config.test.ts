import { expect, it } from 'vitest';
import { loadConfig } from '#infra/config.ts';
import { functionIds, functionName } from '#infra/names.ts';

const load = (environment: Record<string, string>, context: Record<string, string> = {}) =>
  loadConfig((key) => context[key], environment);

it('loadConfig needs nothing but the name of a model, and takes an embedding model that every Bedrock account can use', () => {
  const config = load({ MODEL_ID: 'vendor.model' });

  expect(config).toMatchObject({ stage: 'dev', emulated: false, emulatorUrl: null, retain: false });
  expect(config.model).toMatchObject({ provider: 'bedrock', baseUrl: null });
  expect(config.model.ids).toEqual({
    rewrite: 'vendor.model',
    answer: 'vendor.model',
    judge: 'vendor.model',
    translate: 'vendor.model',
    describe: 'vendor.model',
    respond: 'vendor.model',
    embed: 'amazon.titan-embed-text-v2:0',
  });
});

it('loadConfig says which setting names the missing model', () => {
  expect(() => load({})).toThrow(/MODEL_ID=… npm run deploy/);
  expect(() => load({ MODEL_ID_REWRITE: 'a', MODEL_ID_ANSWER: 'b' })).toThrow(/"judge".*MODEL_ID_JUDGE/s);
});

it('loadConfig takes the trainer that a stage can have, or those that are named', () => {
  expect(load({ MODEL_ID: 'm' }).trainers).toEqual(['gpu']);
  const local = { MODEL_ID: 'm', STAGE: 'local', AWS_ENDPOINT_URL: 'http://127.0.0.1:4566' };
  expect(load(local).trainers).toEqual(['embedded']);
  expect(load({ ...local, TRAINERS: 'embedded,gpu' }).trainers).toEqual(['embedded', 'gpu']);
  expect(() => load({ MODEL_ID: 'm', TRAINERS: 'gpus' })).toThrow(/TRAINERS.*embedded, gpu.*"gpus"/);
});

it('loadConfig lets a role have a model of its own', () => {
  const { ids } = load({ MODEL_ID: 'a', MODEL_ID_JUDGE: 'b' }).model;

  expect(ids).toMatchObject({ rewrite: 'a', judge: 'b' });
});

it('loadConfig takes a base URL for an OpenAI-compatible model, which has no embedding model unless one is named', () => {
  const { model } = load({ MODEL_ID: 'm', MODEL_BASE_URL: 'http://models.example/v1' });

  expect(model).toMatchObject({ provider: 'openai', baseUrl: 'http://models.example/v1' });
  expect(model.ids.embed).toBeUndefined();
  expect(() => load({ MODEL_ID: 'm', MODEL_PROVIDER: 'openai' })).toThrow(/MODEL_BASE_URL/);
  expect(() => load({ MODEL_ID: 'm', MODEL_PROVIDER: 'other' })).toThrow(/bedrock or openai/);
});

it('loadConfig takes the address of a web search, and refuses what is none', () => {
  expect(load({ MODEL_ID: 'm' }).search).toBeNull();
  expect(load({ MODEL_ID: 'm', SEARCH_BASE_URL: 'http://search.example' }).search).toEqual({
    baseUrl: 'http://search.example',
    concurrency: 8,
  });
  expect(() => load({ MODEL_ID: 'm', SEARCH_BASE_URL: 'search.example' })).toThrow(/SEARCH_BASE_URL/);
});

it('loadConfig prefers the context of the command line over the environment', () => {
  const config = load({ MODEL_ID: 'a', STAGE: 'one' }, { stage: 'two', model_id: 'b' });

  expect(config.stage).toBe('two');
  expect(config.model.ids.rewrite).toBe('b');
});

it('loadConfig keeps the data of production stages, and of a stage that is told to', () => {
  expect(load({ MODEL_ID: 'm', STAGE: 'prod' }).retain).toBe(true);
  expect(load({ MODEL_ID: 'm', STAGE: 'staging' }).retain).toBe(false);
  expect(load({ MODEL_ID: 'm', STAGE: 'again', RETAIN: 'true' }).retain).toBe(true);
  expect(load({ MODEL_ID: 'm', STAGE: 'prod', RETAIN: 'false' }).retain).toBe(false);
  expect(() => load({ MODEL_ID: 'm', RETAIN: 'yes' })).toThrow('RETAIN must be true or false, not "yes".');
});

it('loadConfig opens targets to imports where it is told to, and never in a production stage', () => {
  const allow = { MODEL_ID: 'm', EGRESS_ALLOW: '127.0.0.1:4571,hub.internal:8080' };

  expect(load({ MODEL_ID: 'm' }).imports).toEqual({
    huggingFaceUrl: 'https://huggingface.co',
    kaggleUrl: 'https://www.kaggle.com',
    googleSheetsUrl: 'https://docs.google.com',
    egressAllow: [],
  });
  expect(load(allow).imports.egressAllow).toEqual(['127.0.0.1:4571', 'hub.internal:8080']);
  for (const stage of ['prod', 'production']) {
    expect(() => load({ ...allow, STAGE: stage })).toThrow(/EGRESS_ALLOW.*127\.0\.0\.1:4571.*Unset it/s);
    expect(load({ MODEL_ID: 'm', STAGE: stage }).imports.egressAllow).toEqual([]);
  }
  for (const target of ['hub.internal', 'http://hub.internal:8080', '*:443', 'a:b']) {
    expect(() => load({ MODEL_ID: 'm', EGRESS_ALLOW: target }), target).toThrow(/host:port/);
  }
  for (const url of ['hub.internal', 'https://hub.internal/', 'https://hub.internal/api']) {
    expect(() => load({ MODEL_ID: 'm', KAGGLE_BASE_URL: url }), url).toThrow(/KAGGLE_BASE_URL must be/);
  }
});

it('loadConfig wants an address for the stages of an emulator', () => {
  expect(() => load({ MODEL_ID: 'm', STAGE: 'local' })).toThrow(/AWS_ENDPOINT_URL/);
  expect(load({ MODEL_ID: 'm', STAGE: 'local', AWS_ENDPOINT_URL: 'http://localhost:4566/' })).toMatchObject({
    emulated: true,
    emulatorUrl: 'http://localhost:4566',
  });
});

it.each(['Dev', '1a', 'a-b', 'abcdefghijklm', 'ä'])('loadConfig refuses %s as a stage', (stage) => {
  expect(() => load({ MODEL_ID: 'm', STAGE: stage })).toThrow(/-c stage=NAME/);
});

it('loadConfig takes an address for alarms, and nothing else for one', () => {
  expect(load({ MODEL_ID: 'm' }).alarmEmail).toBeNull();
  expect(load({ MODEL_ID: 'm' }, { alarm_email: 'ops@example.org' }).alarmEmail).toBe('ops@example.org');
  expect(() => load({ MODEL_ID: 'm', ALARM_EMAIL: 'ops' })).toThrow(/ALARM_EMAIL.*-c alarm_email=/);
});

it('loadConfig takes origins of pages and tags, and refuses what is none', () => {
  const config = load({ MODEL_ID: 'm', CORS_ORIGINS: 'https://a.example,http://localhost:5173' });
  expect(config.corsOrigins).toEqual(['https://a.example', 'http://localhost:5173']);
  expect(load({ MODEL_ID: 'm' }, { tags: 'team=data,owner=Ann Lee' }).tags).toEqual({
    team: 'data',
    owner: 'Ann Lee',
  });
  for (const origins of ['*', 'a.example', 'https://a.example/', 'https://a.example, https://b.example']) {
    expect(() => load({ MODEL_ID: 'm', CORS_ORIGINS: origins }), origins).toThrow(/CORS_ORIGINS must list/);
  }
  for (const tags of ['team', '=data', 'team=', 'aws:team=data']) {
    expect(() => load({ MODEL_ID: 'm', TAGS: tags }), tags).toThrow(/TAGS must list/);
  }
});

it('loadConfig keeps executions for functions only as it is told to', () => {
  expect(load({ MODEL_ID: 'm' }).concurrency).toEqual({
    authorizer: null,
    answers: null,
    events: null,
    webhooks: null,
  });
  const set = {
    AUTHORIZER_CONCURRENCY: '20',
    ANSWERS_CONCURRENCY: '100',
    EVENTS_CONCURRENCY: '30',
    WEBHOOKS_CONCURRENCY: '10',
  };
  expect(load({ MODEL_ID: 'm', ...set }).concurrency).toEqual({
    authorizer: 20,
    answers: 100,
    events: 30,
    webhooks: 10,
  });
  expect(() => load({ MODEL_ID: 'm', ANSWERS_CONCURRENCY: '0' })).toThrow(/ANSWERS_CONCURRENCY/);
});

it('loadConfig believes of no model that it sees images until it is told so', () => {
  expect(load({ MODEL_ID: 'm' }).model.seesImages).toBe(false);
  expect(load({ MODEL_ID: 'm', MODEL_SEES_IMAGES: 'true' }).model.seesImages).toBe(true);
  expect(() => load({ MODEL_ID: 'm', MODEL_SEES_IMAGES: 'yes' })).toThrow(/MODEL_SEES_IMAGES.*true or false/);
});

it('loadConfig has SageMaker train on AWS where a machine is named, and nowhere else', () => {
  const given = { MODEL_ID: 'm', SAGEMAKER_INSTANCE_TYPE: 'ml.g5.2xlarge' };

  expect(load({ MODEL_ID: 'm' }).sagemaker).toBeNull();
  expect(load(given).sagemaker).toEqual({
    instanceType: 'ml.g5.2xlarge',
    spot: true,
    hoursMax: 24,
    volumeGb: 200,
    network: null,
  });
  const own = { SAGEMAKER_SPOT: 'false', SAGEMAKER_MAX_HOURS: '2', SAGEMAKER_VOLUME_GB: '100' };
  expect(load({ ...given, ...own }).sagemaker).toMatchObject({ spot: false, hoursMax: 2, volumeGb: 100 });
  const emulator = { STAGE: 'local', AWS_ENDPOINT_URL: 'http://127.0.0.1:4566', TRAINERS: 'embedded,gpu' };
  expect(() => load({ ...given, ...emulator })).toThrow(/SAGEMAKER_INSTANCE_TYPE.*Unset it/s);
  expect(() => load({ ...given, TRAINERS: 'embedded' })).toThrow(/TRAINERS=gpu/);
});

it('loadConfig refuses machines that are not SageMaker’s, and trainings that outlast their state machine', () => {
  expect(() => load({ MODEL_ID: 'm', SAGEMAKER_INSTANCE_TYPE: 'g5.2xlarge' })).toThrow(/ml\.g5\.2xlarge/);
  expect(() => load({ MODEL_ID: 'm', SAGEMAKER_MAX_HOURS: '25' })).toThrow(/at most 24/);
  expect(() => load({ MODEL_ID: 'm', MODEL_QUOTA_WAIT_HOURS: '24' })).toThrow(/at most 23/);
});

it.each(['0', '-1', '1.5', 'many'])('loadConfig refuses %s as a number', (value) => {
  expect(() => load({ MODEL_ID: 'm', MODEL_CONCURRENCY: value })).toThrow(/MODEL_CONCURRENCY/);
});

it('loadConfig leaves room in every function name for the longest stage', () => {
  for (const id of functionIds) expect(functionName('abcdefghijkl', id).length).toBeLessThanOrEqual(64);
});
