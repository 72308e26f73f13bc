import { describe, expect, it } from 'vitest';
import { forgetAddress, readRehearsalArguments, refuseRehearsal } from '#bin/rehearse/arguments.ts';
import { rehearsalRows } from '#bin/rehearse/service.ts';
import { judgeHistory } from '#bin/rehearse/watch-alarm.ts';

it('The arguments of npm run rehearse name the stage', () => {
  expect(readRehearsalArguments(['--stage', 'trial', '--profile=work', '--keep'])).toEqual({
    stage: 'trial',
    profile: 'work',
    keep: true,
    take: false,
    ownGpu: false,
  });
});

it.each([[[]], [['--stage']], [['--keep']], [['--stage', 'trial', '--kep']], [['trial']]])(
  'The arguments of npm run rehearse are refused where they are not understood: %j',
  (given) => {
    expect(() => readRehearsalArguments(given)).toThrow(/--stage NAME/);
  },
);

it('A rehearsal gives its stages no address of the operator, which belongs to another stage', () => {
  const environment = { API_DOMAIN: 'api.example.org', API_CERTIFICATE_ARN: 'arn:aws:acm', STAGE: 'trial' };
  forgetAddress(environment);

  expect(environment).toEqual({ STAGE: 'trial' });
});

describe('A rehearsal, which deletes its stage,', () => {
  const stage = {
    name: 'trial',
    isRetained: false,
    isDeployed: false,
    isEmulated: false,
    endpoint: undefined,
  };

  it('A rehearsal, which deletes its stage is let near a stage that does not exist', () => {
    expect(refuseRehearsal(stage, { take: false })).toBeNull();
  });

  it('A rehearsal, which deletes its stage is let near no stage that keeps its data, whatever is said', () => {
    expect(refuseRehearsal({ ...stage, isRetained: true }, { take: true })).toMatch(/name another/);
  });

  it('A rehearsal, which deletes its stage takes a stage that exists only where that was said', () => {
    expect(refuseRehearsal({ ...stage, isDeployed: true }, { take: false })).toMatch(/--take/);
    expect(refuseRehearsal({ ...stage, isDeployed: true }, { take: true })).toBeNull();
  });

  it('A rehearsal, which deletes its stage takes no emulator for AWS', () => {
    const endpoint = 'http://127.0.0.1:4566';

    expect(refuseRehearsal({ ...stage, endpoint }, { take: true })).toMatch(/AWS_ENDPOINT_URL/);
    expect(refuseRehearsal({ ...stage, endpoint, isEmulated: true }, { take: false })).toBeNull();
  });
});

describe('The history of an alarm', () => {
  const raised = {
    HistoryItemType: 'StateUpdate',
    HistorySummary: 'Alarm updated from OK to ALARM',
  } as const;
  const told = {
    HistoryItemType: 'Action',
    HistorySummary: 'Successfully executed action arn:aws:sns:eu-central-1:1:topic',
  } as const;
  const untold = {
    HistoryItemType: 'Action',
    HistorySummary:
      'Failed to execute action arn:aws:sns:eu-central-1:1:topic. Received error: "not authorized"',
  } as const;

  it('The history of an alarm shows that its topic was told', () => {
    expect(judgeHistory([told, raised], false)).toMatchObject({ state: 'passed' });
  });

  it('The history of an alarm is waited for until both are in it', () => {
    expect(judgeHistory([], false)).toBeNull();
    expect(judgeHistory([raised], false)).toBeNull();
  });

  it('The history of an alarm shows that its topic may not be told', () => {
    expect(() => judgeHistory([untold, raised], false)).toThrow('not authorized');
  });

  it('The history of an alarm is enough without that on an emulator, which keeps no actions in it', () => {
    expect(judgeHistory([raised], true)).toMatchObject({ state: 'note' });
    expect(judgeHistory([], true)).toBeNull();
  });
});

it('The rows of a rehearsal are a hundred, each another one', () => {
  const [, ...rows] = rehearsalRows().trim().split('\n');

  expect(new Set(rows).size).toBe(100);
  expect(rehearsalRows(48).trim().split('\n').slice(1)).toEqual(rows.slice(0, 48));
});
