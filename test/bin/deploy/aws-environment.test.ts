import { expect, it } from 'vitest';
import { awsVariables, NoRegionError } from '#bin/deploy/aws-environment.ts';
import { readArguments } from '#bin/deploy/command-line.ts';

const regions: Readonly<Record<string, string>> = { default: 'eu-west-1', work: 'eu-central-1' };
const variablesOf = (environment: Record<string, string>, profile?: string) =>
  awsVariables(profile, environment, async (name) => regions[name]);

it.each([
  ['of --profile before all', { AWS_PROFILE: 'other' }, 'work', 'eu-central-1', 'work'],
  ['of AWS_PROFILE', { AWS_PROFILE: 'work' }, undefined, 'eu-central-1', 'work'],
  ['of AWS_DEFAULT_PROFILE', { AWS_DEFAULT_PROFILE: 'work' }, undefined, 'eu-central-1', 'work'],
  ['of the usual profile', {}, undefined, 'eu-west-1', undefined],
  ['of AWS_DEFAULT_REGION', { AWS_DEFAULT_REGION: 'us-west-2' }, 'work', 'us-west-2', 'work'],
  [
    'of AWS_REGION before AWS_DEFAULT_REGION',
    { AWS_REGION: 'ap-south-1', AWS_DEFAULT_REGION: 'us-west-2' },
    undefined,
    'ap-south-1',
    undefined,
  ],
  ['of a variable that is not empty', { AWS_REGION: '' }, undefined, 'eu-west-1', undefined],
] as const)(
  'The variables by which every AWS client finds profile and region are those %s',
  async (_what, environment, profile, region, expected) => {
    expect(await variablesOf(environment, profile)).toEqual({
      AWS_REGION: region,
      AWS_DEFAULT_REGION: region,
      ...(expected === undefined ? {} : { AWS_PROFILE: expected }),
    });
  },
);

it('The variables by which every AWS client finds profile and region ask for a region where none is named, and take none by chance', async () => {
  await expect(variablesOf({ AWS_PROFILE: 'without' })).rejects.toThrow(NoRegionError);
});

it.each([
  [['-c', 'stage=dev', '--profile', 'work']],
  [['--context', 'stage=dev', '--profile=work']],
  [['--context=stage=dev', '--profile=work']],
  [['-c=stage=dev', '--profile', 'work']],
])('The arguments of npm run deploy are read as the CDK reads them: %j', (given) => {
  const { context, profile, forwarded, checksOnly } = readArguments(given);

  expect(Object.fromEntries(context)).toEqual({ stage: 'dev' });
  expect(profile).toBe('work');
  expect(forwarded).toEqual(given);
  expect(checksOnly).toBe(false);
  expect(readArguments([...given, '--require-approval', 'never']).saysApproval).toBe(true);
});

it('The arguments of npm run deploy may ask for checks alone, of which the CDK hears nothing', () => {
  expect(readArguments(['--check', '-c', 'tags=a=b,c=d'])).toEqual({
    context: new Map([['tags', 'a=b,c=d']]),
    profile: undefined,
    checksOnly: true,
    rollsBack: false,
    drainMinutes: null,
    guardMinutes: null,
    toolkitStack: 'CDKToolkit',
    saysApproval: false,
    forwarded: ['-c', 'tags=a=b,c=d'],
  });
});

it('The arguments of npm run deploy may drain, guard and roll back, of which the CDK hears nothing', () => {
  expect(readArguments(['--guard=30', '--no-rollback', '-c', 'stage=dev'])).toMatchObject({
    drainMinutes: null,
    guardMinutes: 30,
    rollsBack: false,
    forwarded: ['--no-rollback', '-c', 'stage=dev'],
  });
  expect(readArguments(['--rollback', '--drain=5'])).toMatchObject({
    rollsBack: true,
    drainMinutes: 5,
    forwarded: [],
  });
  expect(readArguments(['--drain'])).toMatchObject({ drainMinutes: 60, guardMinutes: null });
});

it('A deployment does not drain and guard at once, since the 503 of a drain sets off an alarm of the guard', () => {
  expect(() => readArguments(['--guard', '--drain=5'])).toThrow(/not both.*api-errors.*run list/);
});

it.each([
  ['--drain=0', '--drain takes whole minutes from 1 to 1440'],
  ['--drain=', '--drain takes'],
  ['--guard=181', '--guard takes whole minutes from 1 to 180'],
  ['--guard=ten', '--guard takes'],
])('The argument %s of npm run deploy is refused by name', (argument, message) => {
  expect(() => readArguments([argument])).toThrow(message);
});
