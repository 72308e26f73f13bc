import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Config, loadConfig } from '#infra/config.ts';
import { readOutputs } from '#local/deployment.ts';
import { defaultTextModelId, embeddingModelId } from '#local/model/catalog.ts';
import { storeModelKey } from '#local/model-key.ts';
import { typescriptLoader } from '#local/paths.ts';
import { connectBedrock } from '#shared/models/adapters/bedrock.ts';
import { connectOpenAi } from '#shared/models/adapters/openai-compatible.ts';
import type { OptionalPart } from '#shared/platform/schema/optional-part.ts';
import { connectAccount } from './deploy/account.ts';
import { accountLooks, identityLook } from './deploy/account-checks.ts';
import { awsVariables, regionOfProfile } from './deploy/aws-environment.ts';
import { readArguments } from './deploy/command-line.ts';
import { takeLook } from './deploy/look.ts';
import { checkModels } from './deploy/model-check.ts';
import { type Finding, renderFindings } from './findings.mjs';

/**
 * `npm run deploy -- [-c stage=NAME …] [--profile NAME]`: `cdk bootstrap` and `cdk deploy` of all stacks with the
 * current AWS credentials, then every kind of request that the service sends to the model of each role, so that
 * rejected requests show now and not in the first run. With `--check` nothing is deployed: it reports what a deployment
 * would lack.
 */
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUTPUTS = join(ROOT, 'cdk.out', 'outputs.json');
const MODEL_CALLS_AT_ONCE = 4;

const given = readArguments(process.argv.slice(2));

/** The model name of `npm run local`, whose environment only has the URL. */
function localModel(): Record<string, string> {
  const url = process.env.TUNESMITH_MODEL_URL;
  if (!url || process.env.MODEL_BASE_URL) return {};
  return {
    MODEL_BASE_URL: url,
    MODEL_ID: process.env.LOCAL_MODEL ?? defaultTextModelId,
    MODEL_ID_EMBED: embeddingModelId,
  };
}

const readConfig = (): Config =>
  loadConfig((name) => given.context.get(name), { ...localModel(), ...process.env });

/** Lets all clients and the CDK command use the same account and region; returns the region. */
async function settleAws(): Promise<string> {
  const variables = await awsVariables(given.profile, process.env, regionOfProfile);
  Object.assign(process.env, variables);
  return variables.AWS_REGION ?? '';
}

async function findModels(config: Config, region: string): Promise<Finding[]> {
  const { timeoutSeconds } = config.model;
  const leftOut = new Map<string, OptionalPart[]>();
  const options = {
    connectionsMax: MODEL_CALLS_AT_ONCE,
    timeoutSeconds,
    onLeftOut: (modelId: string, part: OptionalPart) =>
      void leftOut.set(modelId, [...new Set([...(leftOut.get(modelId) ?? []), part])].sort()),
  };
  const endpoint =
    config.model.provider === 'bedrock'
      ? connectBedrock({ ...options, region, cachesPrompts: config.model.cachesPrompts })
      : connectOpenAi({
          ...options,
          baseUrl: config.model.baseUrl ?? '',
          apiKey: process.env.MODEL_API_KEY || undefined,
        });
  try {
    return await checkModels(config, endpoint, {
      region,
      timeoutSeconds,
      leftOut: (modelId) => leftOut.get(modelId) ?? [],
    });
  } finally {
    await endpoint.close();
  }
}

const failed = (name: string, error: unknown): Finding => ({
  state: 'missing',
  name,
  found: (error as Error).message,
});

/** Checks everything that a deployment needs, in order. */
async function examine(): Promise<Finding[]> {
  const findings: Finding[] = [];
  let region: string;
  try {
    region = await settleAws();
    const endpoint = process.env.AWS_ENDPOINT_URL;
    findings.push({ state: 'ok', name: 'Region', found: endpoint ? `${region} at ${endpoint}` : region });
  } catch (error) {
    return [failed('Region', error)];
  }
  const isEmulator = Boolean(process.env.AWS_ENDPOINT_URL);
  const account = connectAccount();
  const identity = await takeLook(identityLook(account), isEmulator);
  findings.push(identity);
  let config: Config;
  try {
    config = readConfig();
    findings.push({
      state: 'ok',
      name: 'Settings',
      found: `stage ${config.stage}, models from ${config.model.provider === 'bedrock' ? 'Amazon Bedrock' : config.model.baseUrl}`,
    });
  } catch (error) {
    return [...findings, failed('Settings', error)];
  }
  // Without credentials all other checks would fail in the same way.
  if (identity.state === 'missing') return findings;
  const looks = accountLooks(account, config).map((look) => takeLook(look, isEmulator));
  return [...findings, ...(await Promise.all(looks)), ...(await findModels(config, region))];
}

async function check(): Promise<void> {
  const findings = await examine();
  process.stdout.write(renderFindings(findings));
  const missing = findings.filter(({ state }) => state === 'missing').length;
  console.log(
    missing === 0 ? '\nReady: npm run deploy' : `\n${missing} to mend before npm run deploy works.`,
  );
  process.exitCode = missing === 0 ? 0 : 1;
}

/** Loads rows for augmentations, so that a new installation has some; a pool with rows is unchanged. */
function loadStarterPool(stage: string): void {
  const command = ['--import', typescriptLoader, join(ROOT, 'bin', 'admin.ts')];
  try {
    const load = ['--stage', stage, 'pool', 'load', '--if-empty'];
    execFileSync(process.execPath, [...command, ...load], { cwd: ROOT, stdio: 'inherit' });
  } catch {
    // The command has printed the reason. Everything except augmentation works.
    console.error('The starter pool was not loaded. Load it: npm run admin -- --stage NAME pool load');
    process.exitCode = 1;
  }
}

async function deploy(): Promise<void> {
  const config = readConfig();
  const region = await settleAws();
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'inherit' });
  // Changes nothing if the account and region are already bootstrapped.
  execFileSync('npx', ['cdk', 'bootstrap', ...given.forwarded], { cwd: ROOT, stdio: 'inherit' });
  execFileSync(
    'npx',
    [
      'cdk',
      'deploy',
      '--all',
      // Without a terminal no one can approve: `--require-approval never` is then the caller's decision.
      ...(given.saysApproval ? [] : ['--require-approval', 'broadening']),
      '--outputs-file',
      OUTPUTS,
      ...given.forwarded,
    ],
    { cwd: ROOT, stdio: 'inherit' },
  );
  const outputs = readOutputs(OUTPUTS);
  await storeModelKey(outputs, process.env.MODEL_API_KEY, {});
  const models = await findModels(config, region);
  process.stdout.write(`\n${renderFindings(models)}`);
  const canEmbed = models.some(({ name, state }) => name === 'Model: embed' && state === 'ok');
  if (canEmbed) loadStarterPool(config.stage);
  else console.log('\nThe starter pool is not loaded: it needs an embedding model that answers.');
  console.log(`\nThe API is at ${outputs.ApiUrl}`);
  console.log(
    `Make a key:  TABLE_NAME=${outputs.TableName} npm run --silent admin -- key create --team NAME --credits 1000`,
  );
  if (models.some(({ state }) => state === 'missing')) process.exitCode = 1;
}

await (given.checksOnly ? check() : deploy());
