import { expect, it } from 'vitest';
import { configFor, flatten, resourcesOf, synthesize } from './synthesize.ts';

const rolesOf = (settings: Record<string, string>) => {
  const { data, pipelines, api, operations } = synthesize('dev', settings);
  return [data, pipelines, api, operations].flatMap((template) => resourcesOf(template, 'AWS::IAM::Role'));
};

it('a permissions boundary is on every role of a stage, those of the CDK among them, and on none without the setting', () => {
  const bounded = rolesOf({ PERMISSIONS_BOUNDARY: 'team/developers' });

  expect(bounded.length).toBeGreaterThan(200);
  for (const [id, { Properties }] of bounded) {
    expect(flatten(Properties.PermissionsBoundary), id).toBe('arn:aws:iam::ACCOUNT:policy/team/developers');
  }
  for (const [id, { Properties }] of rolesOf({})) expect(Properties.PermissionsBoundary, id).toBeUndefined();
});

it('a permissions boundary that is no name of a policy is refused by name', () => {
  expect(() => configFor('dev', { PERMISSIONS_BOUNDARY: 'a policy' })).toThrow(
    'PERMISSIONS_BOUNDARY must be the name of a policy of the account, not "a policy".',
  );
});
