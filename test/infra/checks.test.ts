import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type App, Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { describe, expect, it } from 'vitest';
import { wildcardReasons } from '#infra/checks.ts';
import { distinctParts } from './distinct-parts.ts';
import { EVERYTHING, grantsOf, newApp, resourcesOf, synthesize } from './synthesize.ts';
import { violationsOf } from './violations.ts';

/** An app of which cdk-nag alone judges; CDK's own validation takes seconds. */
const newProbe = (): App => newApp({ builtinCloudFormationValidation: false });

function roleWith(app: App, statement: ConstructorParameters<typeof PolicyStatement>[0]): void {
  new Role(new Stack(app, 'Probe'), 'Role', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: {
      Uses: new PolicyDocument({ statements: [new PolicyStatement(statement ?? {})] }),
    },
  });
}

// What they find in stages, settings.test.ts says.
describe("cdk-nag's AwsSolutions and Serverless packs", { timeout: 300_000 }, () => {
  it("cdk-nag's AwsSolutions and Serverless packs find a bucket that is open", () => {
    const app = newProbe();
    new Bucket(new Stack(app, 'Probe'), 'Open');

    expect(violationsOf(app)).toContain('AwsSolutions-S10: Probe/Open/Resource');
  });

  it("cdk-nag's AwsSolutions and Serverless packs find a wildcard in a statement that has no reason", () => {
    const app = newProbe();
    roleWith(app, {
      sid: 'Unexplained',
      actions: ['s3:GetObject'],
      resources: ['arn:aws:s3:::elsewhere/*'],
    });

    expect(violationsOf(app)).toEqual([
      'AwsSolutions-IAM5[Resource::arn:aws:s3:::elsewhere/*]: Probe/Role/Resource',
    ]);
  });

  it("cdk-nag's AwsSolutions and Serverless packs find a wildcard in an action, whatever the statement", () => {
    const app = newProbe();
    roleWith(app, { sid: 'ReadObjects', actions: ['s3:*'], resources: ['arn:aws:s3:::elsewhere/*'] });

    expect(violationsOf(app)).toContain('AwsSolutions-IAM5[Action::s3:*]: Probe/Role/Resource');
  });
});

it('every reason for a wildcard is needed by some statement', () => {
  const { pipelines, api } = synthesize('dev', {
    ...EVERYTHING,
    SAGEMAKER_SUBNETS: 'subnet-0123abcd,subnet-4567abcd',
    SAGEMAKER_SECURITY_GROUPS: 'sg-0123abcd',
  });
  const used = new Set(
    [pipelines, api].flatMap((template) =>
      [
        ...resourcesOf(template, 'AWS::IAM::Role'),
        ...resourcesOf(template, 'AWS::IAM::ManagedPolicy'),
      ].flatMap(([, role]) =>
        grantsOf(role)
          .filter(({ resource }) => resource.includes('*'))
          .map(({ sid }) => sid),
      ),
    ),
  );

  expect(Object.keys(wildcardReasons).filter((sid) => !used.has(sid))).toEqual([]);
});

const PRIVATE = {
  VPC_SUBNETS: 'subnet-0123abcd,subnet-4567abcd',
  VPC_SECURITY_GROUPS: 'sg-0123abcd',
  API_VPC_ENDPOINTS: 'vpce-0123abcd',
  KMS_KEY_ARN: 'arn:aws:kms:eu-west-1:123456789012:key/0f000000-0000-4000-8000-000000000000',
};

describe('cfn-lint', () => {
  it('cfn-lint is given every part that is not like another, with references to what is left', () => {
    const functionOf = (name: string, role: string, runtime: string) => ({
      Type: 'AWS::Lambda::Function',
      Properties: { FunctionName: `tunesmith-dev-${name}`, Role: { Ref: role }, Runtime: runtime },
    });
    const role = { Type: 'AWS::IAM::Role', Properties: { Policies: [{ Statement: [{ Sid: 'A' }] }] } };
    const other = { Type: 'AWS::IAM::Role', Properties: { Policies: [{ Statement: [{ Sid: 'B' }] }] } };
    const long = functionOf('n'.repeat(64), 'RoleA', 'nodejs22.x');

    const { Resources } = distinctParts({
      Resources: {
        ...{ RoleA: role, RoleB: role, RoleC: other },
        FunctionA: functionOf('a', 'RoleA', 'nodejs22.x'),
        FunctionB: functionOf('b', 'RoleB', 'nodejs22.x'),
        FunctionC: functionOf('c', 'RoleB', 'nodejs20.x'),
        FunctionD: long,
      },
    });

    expect(Resources).toEqual({
      ...{ RoleA: role, RoleC: other },
      FunctionA: functionOf('a', 'RoleA', 'nodejs22.x'),
      FunctionC: functionOf('c', 'RoleA', 'nodejs20.x'),
      FunctionD: long,
    });
  });

  const file = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const command = file('.local/venv/bin/cfn-lint');
  // Linting takes seconds a template. One in which this version found nothing before is not linted again.
  const linted = file('.local/linted');
  const markOf = (template: string): string =>
    join(
      linted,
      createHash('sha256')
        .update(readFileSync(file('local/requirements-test.txt')))
        .update(readFileSync(template))
        .digest('hex'),
    );

  /** A template without what only tells its stage from another: names, and the days for which logs are kept. */
  const shapeOf = (template: string, stage: string): string =>
    readFileSync(template, 'utf8')
      .replaceAll(stage, 'STAGE')
      .replace(/"RetentionInDays":\s*\d+/g, '"RetentionInDays":1');

  it('cfn-lint finds nothing in the templates of a stage that is thrown away, and of one that is kept in a private network with a key of the operator', () => {
    if (!existsSync(command)) {
      throw new Error('cfn-lint is not installed: "npm test" installs it into .local/venv.');
    }
    const kept = synthesize('dev', EVERYTHING).templateFiles;
    const shapes = new Set(kept.map((template) => shapeOf(template, 'dev')));
    const others = synthesize('prod', { ...EVERYTHING, ...PRIVATE }).templateFiles.filter(
      (template) => !shapes.has(shapeOf(template, 'prod')),
    );
    const changed = [...kept, ...others].filter((template) => !existsSync(markOf(template)));
    if (changed.length === 0) return;

    const folder = mkdtempSync(join(tmpdir(), 'distinct-parts-'));
    const parts = changed.map((template, n) => {
      const path = join(folder, `${n}-${basename(template)}`);
      writeFileSync(path, JSON.stringify(distinctParts(JSON.parse(readFileSync(template, 'utf8'))), null, 1));
      return path;
    });
    // W3005: CDK states dependencies that references imply already.
    const result = spawnSync(command, ['--ignore-checks', 'W3005', '--', ...parts], { encoding: 'utf8' });

    expect(result.stdout + result.stderr).toBe('');
    expect(result.status).toBe(0);
    // If the linter finds something, they stay: it names their lines.
    rmSync(folder, { recursive: true });
    mkdirSync(linted, { recursive: true });
    for (const template of changed) writeFileSync(markOf(template), '');
    // Half a minute alone; in the background of the whole suite it gets what processor time is left.
  }, 1_200_000);
});
