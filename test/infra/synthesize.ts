import { readFileSync } from 'node:fs';
import { App, type AppProps } from 'aws-cdk-lib';
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
  readonly api: Template;
  readonly operations: Template;
  readonly templateFiles: readonly string[];
}

/** Feature flags and the like, as `cdk` reads them. */
const cdkContext = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8')).context;

const assetRoot = createStubAssets();

export function configFor(stage: string, environment: Record<string, string> = {}): Config {
  return loadConfig(() => undefined, {
    STAGE: stage,
    ASSET_ROOT: assetRoot,
    ...(environment.MODEL_BASE_URL === undefined ? { MODEL_ID: 'vendor.text-model-v1:0' } : {}),
    ...environment,
  });
}

/** An app as `cdk` starts it, without what only people read. */
export function newApp(props: AppProps = {}): App {
  return new App({
    context: cdkContext,
    analyticsReporting: false,
    stackTraces: false,
    treeMetadata: false,
    ...props,
  });
}

/** The templates of a stage, from the same code that `cdk deploy` runs. */
export function synthesize(stage: string, environment: Record<string, string> = {}): Synthesized {
  const config = configFor(stage, environment);
  const app = newApp({ builtinCloudFormationValidation: false });
  const stacks = addStacks(app, config);
  const assembly = app.synth();
  const read = (name: string): Template => assembly.getStackArtifact(name).template as Template;
  return {
    config,
    data: read(stacks.data.artifactId),
    pipelines: read(stacks.pipelines.artifactId),
    api: read(stacks.api.artifactId),
    operations: read(stacks.operations.artifactId),
    templateFiles: assembly.stacks.map((stack) => stack.templateFullPath),
  };
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

/** Every pair of an action and a resource that a role allows. */
export function grantsOf(role: Resource): Grant[] {
  const { Policies, PolicyDocument } = role.Properties;
  const own = PolicyDocument === undefined ? [] : [{ PolicyDocument }];
  const policies = (Policies ?? own) as { PolicyDocument: { Statement: unknown[] } }[];
  return policies
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement as Record<string, unknown>[])
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
