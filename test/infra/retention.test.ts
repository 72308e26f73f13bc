import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '#local/paths.ts';
import {
  EVERYTHING,
  flatten,
  grantsOf,
  type Resource,
  resourcesOf,
  synthesize,
  type Template,
} from './synthesize.ts';

/** The property that gives a resource a name of our choice, which CloudFormation cannot use twice. */
const nameOf: Readonly<Record<string, string | null>> = {
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::SQS::Queue': 'QueueName',
  'AWS::SecretsManager::Secret': 'Name',
  'AWS::Logs::LogGroup': 'LogGroupName',
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::IAM::Role': 'RoleName',
  'AWS::SNS::Topic': 'TopicName',
  'AWS::StepFunctions::StateMachine': 'StateMachineName',
  // The account's setting for API Gateway, which has no name and which another deployment overwrites.
  'AWS::ApiGateway::Account': null,
};

/** What is kept when its stack is deleted, by type and logical id. */
const keptOf = (templates: readonly Template[]): [string, Resource][] =>
  templates.flatMap((template) =>
    Object.entries(template.Resources).filter(
      ([, { DeletionPolicy = 'Delete' }]) => DeletionPolicy !== 'Delete',
    ),
  );

const stages = ['prod', 'production', 'dev'].map((stage) => {
  const { data, pipelines, api, operations } = synthesize(stage, EVERYTHING);
  return [stage, [data, pipelines, api, operations]] as const;
});

describe.each(stages)('the stage %s', (stage, templates) => {
  it('a stage can be deployed again after it was deleted: nothing that is kept has a name of its own', () => {
    for (const [id, { Type, Properties }] of keptOf(templates)) {
      const property = nameOf[Type];
      expect(property, `Say in this test which property names a ${Type} (${id})`).toBeDefined();
      if (property != null) expect(Properties[property], id).toBeUndefined();
    }
  });

  it('a stage keeps what cannot be made again, and nothing else', () => {
    const kept = new Set(keptOf(templates).map(([, { Type }]) => Type));
    const always = ['AWS::ApiGateway::Account', 'AWS::IAM::Role'];

    expect([...kept].sort()).toEqual(
      stage === 'dev'
        ? always
        : [...always, 'AWS::DynamoDB::Table', 'AWS::S3::Bucket', 'AWS::SQS::Queue'].sort(),
    );
  });

  it('a stage has no log group that is left behind or never forgets', () => {
    for (const template of templates) {
      for (const [id, { Properties, DeletionPolicy }] of resourcesOf(template, 'AWS::Logs::LogGroup')) {
        expect(Properties.RetentionInDays, id).toBe(stage === 'dev' ? 14 : 90);
        expect(DeletionPolicy, id).toBe('Delete');
      }
    }
  });
});

describe('what stays of a deleted stage', () => {
  const page = readFileSync(join(repositoryRoot, 'docs/operations/install.md'), 'utf8');
  const [section = ''] = /\n## Delete a stage\n[\s\S]*/.exec(page) ?? [];

  /** The command that removes a resource of a type. */
  const removedBy: Readonly<Record<string, string>> = {
    'AWS::ApiGateway::Account': 'aws apigateway update-account',
    'AWS::IAM::Role': 'aws iam delete-role',
    'AWS::DynamoDB::Table': 'aws dynamodb delete-table',
    'AWS::S3::Bucket': 'aws s3 rb',
    'AWS::SQS::Queue': 'aws sqs delete-queue',
  };

  it.each(stages)(
    'what stays of a deleted stage is named with the command that removes it (%s)',
    (_, templates) => {
      for (const [id, { Type }] of keptOf(templates)) {
        expect(section, `${Type} ${id}`).toContain(`\`${removedBy[Type]}`);
      }
    },
  );

  it('what stays of a deleted stage is one role, which API Gateway writes logs with', () => {
    const roles = stages.flatMap(([, templates]) =>
      keptOf(templates).filter(([, { Type }]) => Type === 'AWS::IAM::Role'),
    );

    for (const [id] of roles) expect(id).toMatch(/^ApiCloudWatchRole/);
    expect(section).toContain('-api-ApiCloudWatchRole…`');
  });

  it.each(stages)(
    'what stays of a deleted stage are the log groups that no stack has, each of them named (%s)',
    (_, templates) => {
      const own = new Set(
        templates.flatMap((template) =>
          resourcesOf(template, 'AWS::Logs::LogGroup').map(([, { Properties }]) =>
            flatten(Properties.LogGroupName),
          ),
        ),
      );
      for (const template of templates) {
        for (const [id, { Properties }] of resourcesOf(template, 'AWS::Lambda::Function')) {
          if (own.has(`/aws/lambda/${String(Properties.FunctionName)}`)) continue;
          expect(section, id).toContain(
            `-data-${id.replace(/CustomResourceProviderHandler[0-9A-F]{8}$/, '')}…\``,
          );
        }
        for (const [, role] of resourcesOf(template, 'AWS::IAM::Role')) {
          for (const { action, resource } of grantsOf(role)) {
            // Some begin with the name of the stage, which the page calls trial.
            const group = /:log-group:([^:*]+)/
              .exec(resource)?.[1]
              ?.replace(/tunesmith-\w+-$/, 'tunesmith-trial-…');
            if (action === 'logs:CreateLogGroup') expect(section, resource).toContain(`\`${group}\``);
          }
        }
        if (resourcesOf(template, 'AWS::ApiGateway::Account').length > 0) {
          expect(section).toContain('`/aws/apigateway/welcome`');
        }
      }
    },
  );
});
