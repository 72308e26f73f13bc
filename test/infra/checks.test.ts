import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type App, Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { describe, expect, it } from 'vitest';
import { addStacks } from '#infra/app.ts';
import { addChecks, wildcardReasons } from '#infra/checks.ts';
import { configFor, grantsOf, newApp, resourcesOf, synthesize } from './synthesize.ts';

const sagemaker = { SAGEMAKER_INSTANCE_TYPE: 'ml.g5.2xlarge' } as const;

interface Report {
  readonly pluginReports: readonly {
    readonly violations: readonly {
      readonly ruleName: string;
      readonly violatingConstructs: readonly { readonly constructPath: string }[];
    }[];
  }[];
}

/** What the rule packs find in an app, errors and warnings, as `rule: construct`. Errors stop the synthesis. */
function violationsOf(app: App): string[] {
  addChecks(app);
  try {
    app.synth();
  } catch (error) {
    if ((error as Error).name !== 'ValidationFailed') throw error;
  }
  const report = JSON.parse(readFileSync(join(app.outdir, 'validation-report.json'), 'utf8')) as Report;
  return report.pluginReports.flatMap(({ violations }) =>
    violations.flatMap(({ ruleName, violatingConstructs }) =>
      violatingConstructs.map(({ constructPath }) => `${ruleName}: ${constructPath}`),
    ),
  );
}

function roleWith(app: App, statement: ConstructorParameters<typeof PolicyStatement>[0]): void {
  new Role(new Stack(app, 'Probe'), 'Role', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: {
      Uses: new PolicyDocument({ statements: [new PolicyStatement(statement ?? {})] }),
    },
  });
}

describe("cdk-nag's AwsSolutions and Serverless packs", { timeout: 120_000 }, () => {
  it.each([
    ['dev', { MODEL_ID: 'vendor.model-v1:0', ...sagemaker }],
    ['prod', { MODEL_ID: 'us.vendor.model-v1:0' }],
    ['other', { MODEL_BASE_URL: 'http://models.example/v1', MODEL_ID: 'm' }],
  ] as const)('find nothing in the stage %s', (stage, environment) => {
    const app = newApp();
    addStacks(app, configFor(stage, environment));

    expect(violationsOf(app)).toEqual([]);
  });

  it('find a bucket that is open', () => {
    const app = newApp();
    new Bucket(new Stack(app, 'Probe'), 'Open');

    expect(violationsOf(app)).toContain('AwsSolutions-S10: Probe/Open/Resource');
  });

  it('find a wildcard in a statement that has no reason', () => {
    const app = newApp();
    roleWith(app, {
      sid: 'Unexplained',
      actions: ['s3:GetObject'],
      resources: ['arn:aws:s3:::elsewhere/*'],
    });

    expect(violationsOf(app)).toEqual([
      'AwsSolutions-IAM5[Resource::arn:aws:s3:::elsewhere/*]: Probe/Role/Resource',
    ]);
  });

  it('find a wildcard in an action, whatever the statement', () => {
    const app = newApp();
    roleWith(app, { sid: 'ReadObjects', actions: ['s3:*'], resources: ['arn:aws:s3:::elsewhere/*'] });

    expect(violationsOf(app)).toContain('AwsSolutions-IAM5[Action::s3:*]: Probe/Role/Resource');
  });
});

it('every reason for a wildcard is needed by some statement', () => {
  const { pipelines, api } = synthesize('dev', sagemaker);
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

describe('cfn-lint', () => {
  const command = fileURLToPath(new URL('../../.local/venv/bin/cfn-lint', import.meta.url));

  it('finds nothing in the templates of a stage that is kept and of one that is not', () => {
    if (!existsSync(command)) {
      throw new Error('cfn-lint is not installed: "npm test" installs it into .local/venv.');
    }
    const files = [synthesize('dev', sagemaker), synthesize('prod')].flatMap(
      ({ templateFiles }) => templateFiles,
    );

    // W3005: CDK states dependencies that references imply already.
    const result = spawnSync(command, ['--ignore-checks', 'W3005', '--', ...files], { encoding: 'utf8' });

    expect(result.stdout + result.stderr).toBe('');
    expect(result.status).toBe(0);
  }, 120_000);
});
