import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Config, loadConfig } from '#infra/config.ts';
import { awsEnvironmentOf, createAssetBucket } from '#local/aws-environment.ts';
import { buildKey, isBuilt, readOutputs } from '#local/deployment.ts';
import { defaultTextModelId, embeddingModelId } from '#local/model/catalog.ts';
import { storeModelKey } from '#local/model-key.ts';
import { typescriptLoader } from '#local/paths.ts';
import { connectBedrock } from '#shared/models/adapters/bedrock.ts';
import { connectOpenAi } from '#shared/models/adapters/openai-compatible.ts';
import { once } from '#shared/platform/runtime/once.ts';
import type { OptionalPart } from '#shared/platform/schema/optional-part.ts';
import { RELEASE } from '#shared/platform/schema/release.ts';
import { recorded } from './audit-trail.ts';
import { type Account, connectAccount } from './deploy/account.ts';
import { accountLooks, identityLook, judgeBootstrap } from './deploy/account-checks.ts';
import { awsVariables, regionOfProfile } from './deploy/aws-environment.ts';
import { readArguments } from './deploy/command-line.ts';
import { platformsOf, requireEndable } from './deploy/deployed-models.ts';
import { whileDrained } from './deploy/drain.ts';
import { guarded, unguarded } from './deploy/guard.ts';
import { takeLook } from './deploy/look.ts';
import { checkModels } from './deploy/model-check.ts';
import { connectPlace } from './deploy/place.ts';
import { placeLooks } from './deploy/place-checks.ts';
import { requirementLooks, requirementsOf } from './deploy/refusals.ts';
import { lacksOfRegion } from './deploy/region.ts';
import {
  PRESENT,
  previousOf,
  type ReleaseRecord,
  readAssembly,
  releaseId,
  requireKey,
  requireReadable,
  writeAssembly,
} from './deploy/releases.ts';
import { type DeployedStage, findStage } from './deploy/stage.ts';
import { type Finding, renderFindings } from './findings.mjs';

/**
 * `npm run deploy -- [-c stage=NAME …] [--profile NAME]`: `cdk bootstrap` and `cdk deploy` of all stacks with the
 * current AWS credentials, then every kind of request that the service sends to the model of each role, so that
 * rejected requests show now and not in the first run. `--drain` waits for what runs before the change, `--guard` lets alarms
 * take the change back, `--rollback` deploys the earlier release. With `--check` nothing is deployed: it reports what a
 * deployment would lack.
 */
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ASSEMBLY = join(ROOT, 'cdk.out');
const OUTPUTS = join(ASSEMBLY, 'outputs.json');
const MODEL_CALLS_AT_ONCE = 4;
const LOOK_MILLISECONDS = 20_000;

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
async function setAwsVariables(): Promise<string> {
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
    region = await setAwsVariables();
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
  const named = config.emulated
    ? []
    : placeLooks(
        connectPlace(),
        config,
        region,
        (await account.identity(AbortSignal.timeout(20_000))).account,
      );
  const find = once(() => findStage(account, config.stage, region));
  const looks = [
    ...accountLooks(account, config, region, given.toolkitStack),
    ...named,
    ...requirementLooks(requirementsOf(config, given.guardMinutes), find),
  ].map((look) => takeLook(look, isEmulator));
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

/** Runs a command of the project; its output goes to the terminal. @throws {Error} if it fails */
async function run(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit' });
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('exit', resolve);
  });
  if (status !== 0) throw new Error(`${command} ${args.slice(0, 2).join(' ')} failed (status ${status}).`);
}

/** Deploys stacks of the CDK's app, or of a folder that it made. */
const cdkDeploy = (...args: string[]): Promise<void> =>
  run('npx', [
    'cdk',
    'deploy',
    ...args,
    // Without a terminal no one can approve: `--require-approval never` is then the caller's decision.
    ...(given.saysApproval ? [] : ['--require-approval', 'broadening']),
    ...given.forwarded,
  ]);

/**
 * Deploys the stacks, all at once, or guarded: then alarms take back the machines and the functions of the API. The stacks of data and
 * of alarms are deployed before and after them.
 */
async function deployStacks(deployed: DeployedStage | null): Promise<void> {
  const { guardMinutes } = given;
  if (deployed === null && guardMinutes === null) return cdkDeploy('--all', '--outputs-file', OUTPUTS);
  const all = ['--all', '--outputs-file', OUTPUTS, ...unguarded(given.forwarded)];
  if (guardMinutes === null || deployed === null) return cdkDeploy(...all);
  await cdkDeploy('Data');
  const made = ['--app', ASSEMBLY];
  await cdkDeploy('Pipelines', 'Api', '--exclusively', ...made, ...guarded(deployed.guards, guardMinutes));
  await cdkDeploy(...made, ...all);
}

/** Makes a change, while nothing runs if that is asked for. */
async function change(deployed: DeployedStage | null, deployment: () => Promise<void>): Promise<void> {
  const { drainMinutes } = given;
  if (drainMinutes === null || deployed === null) return deployment();
  await whileDrained(deployed.drain, drainMinutes, deployment);
}

/**
 * Bootstraps the account and region for the CDK where nobody has, or with a version that is too old. One that is there may
 * be the account's own, and stays.
 */
async function prepareAccount(account: Account, config: Config): Promise<void> {
  const endpoint = process.env.AWS_ENDPOINT_URL;
  if (config.emulated && endpoint !== undefined) return createAssetBucket(awsEnvironmentOf(endpoint));
  const stack = await account.stack(given.toolkitStack, AbortSignal.timeout(LOOK_MILLISECONDS));
  const { state, found, advice } = judgeBootstrap(stack, config);
  if (state === 'missing') throw new Error(`${found}. ${advice}`);
  if (state === 'note') await run('npx', ['cdk', 'bootstrap', ...given.forwarded]);
}

async function deploy(): Promise<void> {
  const config = readConfig();
  const region = await setAwsVariables();
  const account = connectAccount();
  const before = await findStage(account, config.stage, region);
  for (const { require } of requirementsOf(config, given.guardMinutes)) await require(before);
  // Where the schema may not be read, CloudFormation says what is lacking.
  const schema = await account.methodSchema(AbortSignal.timeout(LOOK_MILLISECONDS)).catch(() => null);
  const lacking = lacksOfRegion(config, region, schema);
  if (lacking.length > 0) throw new Error(`Nothing was created. ${lacking.join(' ')}`);
  if (!isBuilt(buildKey())) await run('npm', ['run', '--silent', 'build']);
  await prepareAccount(account, config);
  const record = {
    ...PRESENT,
    id: releaseId(Date.now()),
    by: before?.caller ?? '',
    state: 'begun',
    again: null,
    files: {},
  } as const;
  const deployment = () =>
    change(before, async () => {
      await before?.releases.save(record);
      await deployStacks(before);
    });
  const told = { release: RELEASE, arguments: process.argv.slice(2) };
  if (before === null) await deployment();
  else await recorded(before.audit, 'deploy', told, deployment);
  const after = before ?? (await findStage(account, config.stage, region));
  // The table of a first deployment is there only now.
  if (before === null && after !== null) await recorded(after.audit, 'deploy', told, async () => undefined);
  await after?.releases.save({
    ...record,
    by: after.caller,
    state: 'deployed',
    files: readAssembly(ASSEMBLY),
  });
  const outputs = readOutputs(OUTPUTS);
  await storeModelKey(outputs, process.env.MODEL_API_KEY, {});
  const models = await findModels(config, region);
  process.stdout.write(`\n${renderFindings(models)}`);
  const canEmbed = models.some(({ name, state }) => name === 'Model: embed' && state === 'ok');
  if (canEmbed) loadStarterPool(config.stage);
  else console.log('\nThe starter pool is not loaded: it needs an embedding model that answers.');
  console.log(`\nRelease ${RELEASE} is deployed. The API is at ${outputs.ApiUrl}`);
  console.log(
    `Make a key:  TABLE_NAME=${outputs.TableName} npm run --silent admin -- key create --team NAME --credits 1000`,
  );
  if (models.some(({ state }) => state === 'missing')) process.exitCode = 1;
}

/** Deploys the machines, the functions and the alarms of the release before the present one again; the data stays. */
async function rollBack(): Promise<void> {
  const region = await setAwsVariables();
  const stage = given.context.get('stage') ?? (process.env.STAGE || 'dev');
  const deployed = await findStage(connectAccount(), stage, region);
  if (deployed === null)
    throw new Error(`The stage "${stage}" is not deployed here: name another (-c stage=NAME).`);
  const target = previousOf(await deployed.releases.list());
  requireReadable(deployed.dataFormat, target);
  requireKey(deployed.keyArn, target);
  requireEndable(stage, await deployed.models(), platformsOf(target));
  console.log(`Back to release ${target.release}, which was deployed at ${target.id} by ${target.by}.`);
  const folder = mkdtempSync(join(tmpdir(), 'tunesmith-release-'));
  const record: ReleaseRecord = {
    ...target,
    id: releaseId(Date.now()),
    by: deployed.caller,
    state: 'begun',
    again: target.id,
  };
  try {
    writeAssembly(folder, target);
    const told = { release: target.release, deployed_at: target.id, arguments: process.argv.slice(2) };
    await recorded(deployed.audit, 'deploy --rollback', told, () =>
      change(deployed, async () => {
        await deployed.releases.save(record);
        const stacks = ['Pipelines', 'Api', 'Operations', '--exclusively', '--app', folder];
        await cdkDeploy(...stacks, ...unguarded(given.forwarded));
      }),
    );
    await deployed.releases.save({ ...record, state: 'deployed' });
  } finally {
    rmSync(folder, { recursive: true });
  }
  console.log(`\nRelease ${target.release} is deployed.`);
}

const job = given.checksOnly ? check : given.rollsBack ? rollBack : deploy;
try {
  await job();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
