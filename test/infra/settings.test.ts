import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addStacks } from '#infra/app.ts';
import { loadConfig } from '#infra/config.ts';
import { MODEL_ROLES } from '#shared/platform/schema/model-role.ts';
import { createStubAssets } from './stub-assets.ts';
import { newApp } from './synthesize.ts';
import { violationsOf } from './violations.ts';

/** Settings that no operator of a stage on AWS gives: those of an emulator, and where a build lies. */
const INTERNAL = ['AWS_ENDPOINT_URL', 'EMULATED_MAP_CONCURRENCY', 'ASSET_ROOT'];

const docs = new URL('../../docs/', import.meta.url);
const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => readFileSync(new URL(name, docs), 'utf8'));

function documented(): string[] {
  const page = readFileSync(new URL('operations/configure.md', docs), 'utf8');
  const [, section = ''] = /\n## Settings\n(.*?)\n## /s.exec(page) ?? [];
  const names = [...section.matchAll(/^\| ((?:`[A-Z_<>]+`(?:, )?)+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([A-Z_<>]+)`/g)].map(([, name = '']) => name),
  );
  return names.flatMap((name) =>
    name.endsWith('_<ROLE>') ? MODEL_ROLES.map((role) => name.replace('<ROLE>', role.toUpperCase())) : [name],
  );
}

function fileOf(content: unknown): string {
  const path = join(mkdtempSync(join(tmpdir(), 'settings-')), 'list.json');
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const everywhere = {
  MODEL_ID: 'eu.vendor.text-model-v1:0',
  ...Object.fromEntries(MODEL_ROLES.map((role) => [`MODEL_ID_${role.toUpperCase()}`, `vendor.${role}-v1:0`])),
  RESPOND_MODELS: 'vendor.second-model-v1:0,us.vendor.third-model-v1:0',
  RESPOND_CATALOG: fileOf([{ id: 'vendor.listed-model-v1:0', display_name: 'Listed' }]),
  TOOL_CATALOG: fileOf([
    { server_label: 'weather', name: 'Weather', description: '', url: 'https://weather.test/mcp' },
  ]),
  MODEL_CONCURRENCY: '64',
  MODEL_CONTEXT_TOKENS: '131072',
  MODEL_SEES_IMAGES: 'true',
  MODEL_CACHES_PROMPTS: 'false',
  MODEL_TIMEOUT_SECONDS: '120',
  MODEL_OUTAGE_SECONDS: '300',
  MODEL_QUOTA_WAIT_HOURS: '12',
  SEARCH_BASE_URL: 'https://search.example',
  SEARCH_CONCURRENCY: '4',
  HUGGINGFACE_BASE_URL: 'https://hub.example',
  KAGGLE_BASE_URL: 'https://kaggle.example',
  GOOGLE_SHEETS_BASE_URL: 'https://sheets.example',
  EVALUATION_SAMPLE_ROWS: '50',
  UPLOAD_BYTES_MAX: '1073741824',
  UPLOADS_WAITING_BYTES_MAX: '1073741824',
  ALARM_EMAIL: 'ops@example.org',
  BACKUP_DAYS: '7',
  PERMISSIONS_BOUNDARY: 'developers',
  API_DOMAIN: 'api.example.org',
  API_CERTIFICATE_ARN: 'arn:aws:acm:eu-west-1:123456789012:certificate/0f-1',
  CORS_ORIGINS: 'https://app.example,http://localhost:5173',
  TAGS: 'team=data,cost-center=42',
  AUTHORIZER_CONCURRENCY: '20',
  ANSWERS_CONCURRENCY: '100',
  WORKERS_AT_ONCE: '4',
  KMS_KEY_ARN: 'arn:aws:kms:eu-west-1:123456789012:key/0f000000-0000-4000-8000-000000000000',
  VPC_SUBNETS: 'subnet-0123abcd,subnet-4567abcd',
  VPC_SECURITY_GROUPS: 'sg-0123abcd',
  EVENTS_CONCURRENCY: '30',
  WEBHOOKS_CONCURRENCY: '10',
  DETAILED_METRICS: 'true',
  PROBE: 'true',
  OTLP_ENDPOINT: 'https://collector.example',
  TELEMETRY_CONCURRENCY: '5',
  FIREWALL_REQUESTS: '30000',
  THROTTLE_REQUESTS_PER_SECOND: '50',
  THROTTLE_BURST: '100',
};

/** What is deployed with settings: together they give every setting that there is. */
const deployments: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Bedrock and SageMaker, with all there is': {
    ...everywhere,
    STAGE: 'dev',
    RETAIN: 'true',
    MODEL_PROVIDER: 'bedrock',
    MODEL_BATCH_JOBS: 'true',
    TRAINERS: 'gpu',
    SAGEMAKER_INSTANCE_TYPE: 'ml.g5.2xlarge',
    SAGEMAKER_SPOT: 'false',
    SAGEMAKER_MAX_HOURS: '12',
    SAGEMAKER_VOLUME_GB: '100',
    SAGEMAKER_SUBNETS: 'subnet-0123abcd,subnet-4567abcd',
    SAGEMAKER_SECURITY_GROUPS: 'sg-0123abcd',
    EGRESS_ALLOW: 'hub.internal:8080',
    TRAINED_MODELS: 'amazon_bedrock,amazon_sagemaker',
    TRAINED_MODELS_IDLE_DAYS: '30',
    TRAINED_MODELS_HOURS: '12',
    OBJECTIVES: 'true',
  },
  'a model behind a URL, in production': {
    ...everywhere,
    STAGE: 'prod',
    MODEL_PROVIDER: 'openai',
    MODEL_BASE_URL: 'https://models.example/v1',
    MODEL_RESPOND_API: 'responses',
    MODEL_BATCH_JOBS: 'true',
  },
  'nothing but a model behind a URL, a private API, and where alarms go': {
    STAGE: 'other',
    API_VPC_ENDPOINTS: 'vpce-0123abcd,vpce-4567abcd',
    MODEL_BASE_URL: 'http://models.example/v1',
    MODEL_ID: 'm',
    ALARM_EMAIL: 'ops@example.org',
  },
};

it('the settings of a deployment are on the page of operators, and each that is there is read', () => {
  const read = new Set<string>();
  // With those without which others have no meaning.
  const given: Record<string, string> = {
    MODEL_ID: 'm',
    SEARCH_BASE_URL: 'https://search.example',
    SAGEMAKER_INSTANCE_TYPE: 'ml.g5.2xlarge',
    TRAINED_MODELS: 'amazon_bedrock,amazon_sagemaker',
  };
  const environment = new Proxy(given, {
    get: (_, name: string) => {
      read.add(name);
      return given[name];
    },
  });
  loadConfig(() => undefined, environment);

  expect(documented().sort()).toEqual([...read].filter((name) => !INTERNAL.includes(name)).sort());
});

it('the settings of a deployment that pages give to the command are among them', () => {
  const given = pages.flatMap((page) => [...page.matchAll(/-c ([a-z_]+)=/g)].map(([, name = '']) => name));

  expect(given).toContain('alarm_email');
  expect(given.filter((name) => !documented().includes(name.toUpperCase()))).toEqual([]);
});

it('the settings of a deployment are all tried below', () => {
  const tried = new Set(Object.values(deployments).flatMap((settings) => Object.keys(settings)));

  expect(documented().filter((name) => !tried.has(name))).toEqual([]);
});

describe('what is deployed with', { timeout: 120_000 }, () => {
  const assets = createStubAssets();

  it.each(Object.entries(deployments))('what is deployed with %s breaks no rule', (_, settings) => {
    const app = newApp();
    // As from the command: `-c model_id=…`.
    const context = (key: string): string | undefined =>
      key === 'asset_root' ? assets : settings[key.toUpperCase()];
    addStacks(app, loadConfig(context, {}));

    expect(violationsOf(app)).toEqual([]);
  });
});
