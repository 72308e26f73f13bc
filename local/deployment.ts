import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '#infra/config.ts';
import { runCommand } from './child.ts';
import { contentKey } from './content-key.ts';
import { localDirectory, repositoryRoot } from './paths.ts';

/** Inputs of the build. */
const buildSources = [
  'bin/build.ts',
  'bin/check',
  'clients/typescript/build.mjs',
  'clients/typescript/bundle-checker.mjs',
  'clients/typescript/src',
  'console',
  'functions',
  'infra/names.ts',
  'openapi.json',
  'package-lock.json',
  'shared',
  'trainer/gpu',
  'tsconfig.json',
];
/** Additional inputs of a synthesis. */
const synthesisSources = ['bin/app.ts', 'cdk.json', 'infra', 'permissions.json', 'statemachines'];

const buildRecord = join(repositoryRoot, 'dist', 'meta', 'content-key');

/** A hash of all inputs of the build. */
export function buildKey(): string {
  return contentKey(repositoryRoot, buildSources, process.version);
}

/** Whether `dist/` is up to date with these sources. */
export function isBuilt(key: string): boolean {
  if (!existsSync(join(repositoryRoot, 'dist', 'functions')) || !existsSync(buildRecord)) return false;
  return readFileSync(buildRecord, 'utf8') === key;
}

/** Records the sources of `dist/`; null during a build. */
export function recordBuild(key: string | null): void {
  if (key === null) rmSync(buildRecord, { force: true });
  else writeFileSync(buildRecord, key);
}

export interface DeploymentOptions {
  readonly stage: string;
  /** Directory of the outputs and the last deployment's key. */
  readonly stateDir: string;
  /** The complete environment of the deployment: AWS address, credentials, settings. */
  readonly environment: NodeJS.ProcessEnv;
}

export type StackOutputs = Readonly<Record<string, string>>;

/** A hash of all inputs of a deployment: build, sources, configuration, AWS address. */
export function deploymentKey(
  built: string,
  { stage, environment }: Omit<DeploymentOptions, 'stateDir'>,
): string {
  const config = loadConfig((name) => (name === 'stage' ? stage : undefined), environment);
  return contentKey(repositoryRoot, synthesisSources, JSON.stringify([built, config]));
}

/** The outputs of the last deployment, if it had this key; null otherwise. */
export function deployedOutputs(stateDir: string, key: string): StackOutputs | null {
  const record = recordPath(stateDir);
  if (!existsSync(record) || !existsSync(outputsPath(stateDir))) return null;
  return readFileSync(record, 'utf8') === key ? readOutputs(outputsPath(stateDir)) : null;
}

/** Forgets the last deployment, so that the next start deploys again. */
export function forgetDeployment(stateDir: string): void {
  rmSync(recordPath(stateDir), { force: true });
}

/**
 * Deploys all stacks with the CDK command.
 * @throws {CommandError} if it fails.
 */
export async function deploy(options: DeploymentOptions, key: string): Promise<StackOutputs> {
  const { stateDir } = options;
  mkdirSync(stateDir, { recursive: true });
  forgetDeployment(stateDir);
  rmSync(outputsPath(stateDir), { force: true });
  await runCdk('deploy', options, [
    '--all',
    ...['--require-approval', 'never'],
    ...['--outputs-file', outputsPath(stateDir)],
  ]);
  writeFileSync(recordPath(stateDir), key);
  return readOutputs(outputsPath(stateDir));
}

/**
 * Deletes all stacks of a stage.
 * @throws {CommandError} if it fails.
 */
export async function destroy(options: DeploymentOptions): Promise<void> {
  forgetDeployment(options.stateDir);
  await runCdk('destroy', options, ['--all', '--force']);
}

/**
 * Deletes the API stack, which has no data, with the stack that monitors it.
 * @throws {CommandError} if it fails.
 */
export async function removeApi(options: DeploymentOptions): Promise<void> {
  await runCdk('destroy', options, ['Operations', 'Api', '--force']);
}

/** Zipped assets lie in one folder for all clouds of the checkout, named by their hashes: they are the same in each. */
function shareZippedAssets(output: string): void {
  const shared = join(localDirectory, 'zipped-assets');
  const link = join(output, '.cache');
  for (const folder of [shared, output]) mkdirSync(folder, { recursive: true });
  if (!existsSync(link)) symlinkSync(shared, link);
}

async function runCdk(
  command: 'deploy' | 'destroy',
  { stage, stateDir, environment }: DeploymentOptions,
  args: readonly string[],
): Promise<void> {
  const output = join(stateDir, 'cdk.out');
  shareZippedAssets(output);
  await runCommand(
    process.execPath,
    [
      join(repositoryRoot, 'node_modules', 'aws-cdk', 'bin', 'cdk'),
      command,
      ...args,
      ...['--context', `stage=${stage}`],
      ...['--output', output],
      '--no-notices',
      '--ci',
    ],
    { what: `cdk ${command}`, environment, directory: repositoryRoot },
  );
}

/** An output of the deployed stacks; throws if it is missing. */
export function requireOutput(outputs: StackOutputs, name: string): string {
  const value = outputs[name];
  if (value === undefined) throw new Error(`The deployed stacks have no output ${name}.`);
  return value;
}

/** The outputs of all stacks, from the file that `cdk deploy --outputs-file` wrote. */
export function readOutputs(path: string): StackOutputs {
  const stacks = JSON.parse(readFileSync(path, 'utf8')) as Record<string, StackOutputs>;
  return Object.assign({}, ...Object.values(stacks));
}

const outputsPath = (stateDir: string): string => join(stateDir, 'outputs.json');
const recordPath = (stateDir: string): string => join(stateDir, 'deployed-key');
