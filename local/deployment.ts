import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '#infra/config.ts';
import { runCommand } from './child.ts';
import { contentKey } from './content-key.ts';
import { repositoryRoot } from './paths.ts';

/** What the build reads. */
const buildSources = [
  'bin/build.ts',
  'functions',
  'infra/names.ts',
  'openapi.json',
  'package-lock.json',
  'shared',
  'trainer',
  'tsconfig.json',
];
/** What a synthesis reads besides. */
const synthesisSources = ['bin/app.ts', 'cdk.json', 'infra', 'statemachines'];

const buildRecord = join(repositoryRoot, 'dist', 'meta', 'content-key');

/** A key of everything that the build reads. */
export function buildKey(): string {
  return contentKey(repositoryRoot, buildSources, process.version);
}

/** Whether `dist/` holds what a build of these sources would write. */
export function isBuilt(key: string): boolean {
  if (!existsSync(join(repositoryRoot, 'dist', 'functions')) || !existsSync(buildRecord)) return false;
  return readFileSync(buildRecord, 'utf8') === key;
}

/** Records of which sources `dist/` was built; null while it is being built. */
export function recordBuild(key: string | null): void {
  if (key === null) rmSync(buildRecord, { force: true });
  else writeFileSync(buildRecord, key);
}

export interface DeploymentOptions {
  readonly stage: string;
  /** Keeps the outputs, and what was deployed last. */
  readonly stateDir: string;
  /** The whole environment of the deployment: where AWS is, credentials, settings. */
  readonly environment: NodeJS.ProcessEnv;
}

export type StackOutputs = Readonly<Record<string, string>>;

/** A key of all that a deployment depends on: what was built, sources, configuration, address of AWS. */
export function deploymentKey(
  built: string,
  { stage, environment }: Omit<DeploymentOptions, 'stateDir'>,
): string {
  const config = loadConfig((name) => (name === 'stage' ? stage : undefined), environment);
  return contentKey(repositoryRoot, synthesisSources, JSON.stringify([built, config]));
}

/** The outputs of the last deployment, where it had this key; null otherwise. */
export function deployedOutputs(stateDir: string, key: string): StackOutputs | null {
  const record = recordPath(stateDir);
  if (!existsSync(record) || !existsSync(outputsPath(stateDir))) return null;
  return readFileSync(record, 'utf8') === key ? readOutputs(stateDir) : null;
}

/** Forgets the last deployment, so that the next start deploys. */
export function forgetDeployment(stateDir: string): void {
  rmSync(recordPath(stateDir), { force: true });
}

/**
 * Deploys all stacks with the CDK's command.
 * @throws {CommandError} when it fails.
 */
export async function deploy(options: DeploymentOptions, key: string): Promise<StackOutputs> {
  const { stage, stateDir, environment } = options;
  mkdirSync(stateDir, { recursive: true });
  forgetDeployment(stateDir);
  rmSync(outputsPath(stateDir), { force: true });
  await runCommand(
    process.execPath,
    [
      join(repositoryRoot, 'node_modules', 'aws-cdk', 'bin', 'cdk'),
      'deploy',
      '--all',
      ...['--require-approval', 'never'],
      ...['--context', `stage=${stage}`],
      ...['--output', join(stateDir, 'cdk.out')],
      ...['--outputs-file', outputsPath(stateDir)],
      '--no-notices',
      '--ci',
    ],
    { what: 'cdk deploy', environment, directory: repositoryRoot },
  );
  writeFileSync(recordPath(stateDir), key);
  return readOutputs(stateDir);
}

function readOutputs(stateDir: string): StackOutputs {
  const stacks = JSON.parse(readFileSync(outputsPath(stateDir), 'utf8')) as Record<string, StackOutputs>;
  return Object.assign({}, ...Object.values(stacks));
}

const outputsPath = (stateDir: string): string => join(stateDir, 'outputs.json');
const recordPath = (stateDir: string): string => join(stateDir, 'deployed-key');
