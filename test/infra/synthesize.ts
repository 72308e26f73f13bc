import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, type AppProps, NestedStack, type Stack } from 'aws-cdk-lib';
import { addStacks } from '#infra/app.ts';
import { type Config, loadConfig } from '#infra/config.ts';
import { createStubAssets } from './stub-assets.ts';

export interface Resource {
  readonly Type: string;
  readonly Properties: Record<string, unknown>;
  readonly DeletionPolicy?: string;
  readonly DependsOn?: readonly string[];
}

export interface Template {
  readonly Resources: Record<string, Resource>;
  readonly Outputs?: Record<string, { readonly Value: unknown }>;
}

export interface Synthesized {
  readonly config: Config;
  readonly data: Template;
  readonly pipelines: Template;
  /** With the resources of the stacks below it. */
  readonly api: Template;
  readonly operations: Template;
  /** Every template that CloudFormation gets, those of the stacks below others too. */
  readonly templateFiles: readonly string[];
  /** Tags by the name of the stack. */
  readonly tags: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Feature flags and the like, as `cdk` reads them. */
const cdkContext = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8')).context;

const assetRoot = createStubAssets();

/** The least that is set: a model of Bedrock. */
const LEAST = { MODEL_ID: 'vendor.text-model-v1:0' } as const;

const withLeast = (environment: Record<string, string>): Record<string, string> => ({
  ...(environment.MODEL_BASE_URL === undefined ? LEAST : {}),
  ...environment,
});

export function configFor(stage: string, environment: Record<string, string> = {}): Config {
  return loadConfig(() => undefined, { STAGE: stage, ASSET_ROOT: assetRoot, ...withLeast(environment) });
}

/** Leaves the bundles where they are; CDK copies every one of them otherwise. Templates name them by hash either way. */
const UNSTAGED = { 'aws:cdk:disable-asset-staging': true } as const;

/** An app as `cdk` starts it, without what only people read. */
export function newApp({ context = UNSTAGED, ...props }: AppProps = {}): App {
  return new App({
    context: { ...cdkContext, ...context },
    analyticsReporting: false,
    stackTraces: false,
    treeMetadata: false,
    ...props,
  });
}

/** What stages of settings that many files name are synthesized to: a synthesis takes seconds. */
const known = new Map<string, Synthesized>();

/** Settings with which everything is deployed that can be, for all files that need some of it. */
export const EVERYTHING: Record<string, string> = {
  ...LEAST,
  MODEL_ID_JUDGE: 'eu.vendor.judge-model-v1:0',
  MODEL_ID_EMBED: 'vendor.embed-model-v1',
  RESPOND_MODELS: 'vendor.second-model-v1:0',
  MODEL_BATCH_JOBS: 'true',
  TRAINED_MODELS: 'amazon_bedrock,amazon_sagemaker',
  SAGEMAKER_INSTANCE_TYPE: 'ml.g5.2xlarge',
  SAGEMAKER_SPOT: 'false',
  ALARM_EMAIL: 'ops@example.org',
  DETAILED_METRICS: 'true',
  PROBE: 'true',
  OTLP_ENDPOINT: 'https://collector.example/otlp',
};

/** Settings of an emulated stage whose model is no service of AWS. */
export const EMULATED: Record<string, string> = {
  AWS_ENDPOINT_URL: 'http://localhost:4566',
  MODEL_BASE_URL: 'http://localhost:1/v1',
  MODEL_ID: 'm',
};

/** Settings of which stages are kept for other files; each takes some megabytes. */
const KEPT = new Set(['MODEL_ID', 'MODEL_BASE_URL', 'AWS_ENDPOINT_URL', 'SAGEMAKER_INSTANCE_TYPE']);

/** The templates of a stage, from the same code that `cdk deploy` runs. No caller may change them. */
export function synthesize(stage: string, environment: Record<string, string> = {}): Synthesized {
  const settings = withLeast(environment);
  const isKept = environment === EVERYTHING || Object.keys(settings).every((name) => KEPT.has(name));
  if (!isKept) return synthesizeAnew(stage, environment);
  const key = JSON.stringify([stage, Object.entries(settings).sort()]);
  const found = known.get(key) ?? synthesizeAnew(stage, environment);
  known.set(key, found);
  return found;
}

/** The same, with the assets of the functions copied beside the templates. */
export function synthesizeWithAssets(stage: string, environment: Record<string, string>): Synthesized {
  return synthesizeAnew(stage, environment, {});
}

/** The result of `work` without stack traces, of which CDK takes thousands. If it fails, it runs again with them. */
function withoutStackTraces<T>(work: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } catch {
    Error.stackTraceLimit = stackTraceLimit;
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function synthesizeAnew(
  stage: string,
  environment: Record<string, string>,
  context: AppProps['context'] = UNSTAGED,
): Synthesized {
  const config = configFor(stage, environment);
  const { stacks, assembly } = withoutStackTraces(() => {
    const app = newApp({ builtinCloudFormationValidation: false, context });
    return { stacks: addStacks(app, config), assembly: app.synth() };
  });
  const read = (stack: Stack): Template => withNested(stack, assembly.directory);
  return {
    config,
    data: read(stacks.data),
    pipelines: read(stacks.pipelines),
    api: read(stacks.api),
    operations: read(stacks.operations),
    templateFiles: readdirSync(assembly.directory)
      .filter((file) => /(?<!assets)\.template\.json$/.test(file))
      .map((file) => join(assembly.directory, file)),
    tags: Object.fromEntries(assembly.stacks.map(({ stackName, tags }) => [stackName, tags])),
  };
}

/**
 * A template with the resources of the stacks below it in place of those stacks. What passes between them as parameters
 * and outputs is put where it is used, as if there were one template.
 */
function withNested(stack: Stack, directory: string): Template {
  const readTemplate = (of: Stack): Template =>
    JSON.parse(readFileSync(join(directory, of.templateFile), 'utf8')) as Template;
  const template = readTemplate(stack);
  const below = new Map(
    stack.node.children
      .filter((child) => child instanceof NestedStack)
      .map((nested) => [stack.resolve(nested.nestedStackResource?.logicalId) as string, nested]),
  );
  const outputs = new Map<string, unknown>();
  const resources = Object.entries(template.Resources).flatMap(([id, resource]) => {
    const found = below.get(id);
    if (found === undefined) return [[id, resource] as const];
    const nested = readTemplate(found);
    const given = (resource.Properties.Parameters ?? {}) as Record<string, unknown>;
    const put = <T>(value: T): T => replace(value, ({ Ref }) => given[String(Ref)]);
    for (const [name, { Value }] of Object.entries(nested.Outputs ?? {})) {
      outputs.set(`${id}.Outputs.${name}`, put(Value));
    }
    return Object.entries(put(nested.Resources));
  });
  const merged = Object.fromEntries(resources);
  if (Object.keys(merged).length !== resources.length) throw new Error('Two stacks use one logical id.');
  return {
    ...template,
    Resources: replace(merged, (node) => outputs.get([node['Fn::GetAtt']].flat().join('.'))),
  };
}

/** A value with each object in it replaced for which there is a replacement. */
function replace<T>(value: T, replacement: (node: Record<string, unknown>) => unknown): T {
  return JSON.parse(JSON.stringify(value), (_key, inner) =>
    typeof inner === 'object' && inner !== null ? (replacement(inner) ?? inner) : inner,
  );
}

export function resourcesOf(template: Template, type: string): [string, Resource][] {
  return Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);
}

/** Properties of the first resource of a type, of those whose logical id begins with `prefix`. */
export function propertiesOfFirst(template: Template, type: string, prefix = ''): Resource['Properties'] {
  const found = resourcesOf(template, type).find(([id]) => id.startsWith(prefix));
  if (found === undefined) throw new Error(`The template holds no ${type} ${prefix}`);
  return found[1].Properties;
}

/**
 * A CloudFormation value as one line of text: the table and the bucket of the data stack become `TABLE` and `BUCKET`
 * from wherever they are referred to, other references `<LogicalId>` or `<LogicalId.Attribute>`.
 */
export function flatten(value: unknown): string {
  if (typeof value === 'string') return value;
  const node = value as Record<string, unknown>;
  if ('Fn::Join' in node) {
    const [delimiter, items] = node['Fn::Join'] as [string, unknown[]];
    return items.map(flatten).join(delimiter);
  }
  if ('Fn::GetAtt' in node) return named((node['Fn::GetAtt'] as string[]).join('.'));
  if ('Fn::ImportValue' in node) return named(flatten(node['Fn::ImportValue']));
  if ('Ref' in node) return named(String(node.Ref));
  return JSON.stringify(value);
}

const PSEUDO: Readonly<Record<string, string>> = {
  'AWS::Partition': 'aws',
  'AWS::Region': 'REGION',
  'AWS::AccountId': 'ACCOUNT',
};

function named(reference: string): string {
  const shared = /(?:^|GetAtt|Ref)(Table|Bucket)[0-9A-F]{8}/.exec(reference);
  return shared?.[1]?.toUpperCase() ?? PSEUDO[reference] ?? `<${reference}>`;
}

export interface Grant {
  readonly sid: string;
  readonly action: string;
  readonly resource: string;
  readonly condition: string;
}

/** Every pair of an action and a resource that a role allows; what it denies is left out. */
export function grantsOf(role: Resource): Grant[] {
  const { Policies, PolicyDocument } = role.Properties;
  const own = PolicyDocument === undefined ? [] : [{ PolicyDocument }];
  const policies = (Policies ?? own) as { PolicyDocument: { Statement: unknown[] } }[];
  return policies
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement as Record<string, unknown>[])
    .filter(({ Effect }) => Effect === 'Allow')
    .flatMap((statement) =>
      [statement.Action].flat().flatMap((action) =>
        [statement.Resource].flat().map((resource) => ({
          sid: String(statement.Sid ?? ''),
          action: String(action),
          resource: flatten(resource),
          condition: statement.Condition === undefined ? '' : JSON.stringify(statement.Condition),
        })),
      ),
    );
}
