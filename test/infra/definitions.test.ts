import { expect, test } from 'vitest';
import { expandPolicies, type MachineFile, type Policies } from '#infra/definitions.ts';

const throttled = { ErrorEquals: ['Throttled'], MaxAttempts: 12 };
const killed = { ErrorEquals: ['Killed'], MaxAttempts: 2 };
const own = { ErrorEquals: ['Own'], MaxAttempts: 1 };
const failed = { ErrorEquals: ['States.ALL'], Assign: { failure: 'why' } };

const policies: Policies = {
  Retry: { throttled: [throttled], transient: ['throttled', killed] },
  Catch: { fail: [failed] },
};

/** The state `Work` of a machine whose other state is `Give Up`, as it is deployed. */
function expanded(work: MachineFile['States'][string]): unknown {
  const machine = { StartAt: 'Work', States: { Work: work, 'Give Up': { Type: 'Fail' } } };
  return (expandPolicies('adapt', machine, policies).States as Record<string, unknown>).Work;
}

test('the name of a policy after Retry stands for its retriers', () => {
  expect(expanded({ Type: 'Task', Retry: 'transient', Next: 'Give Up' })).toEqual({
    Type: 'Task',
    Retry: [throttled, killed],
    Next: 'Give Up',
  });
});

test('the name of a policy in a list of retriers stands for its own, where it is', () => {
  expect(expanded({ Retry: ['throttled', own] })).toEqual({ Retry: [throttled, own] });
});

test('the name of a policy after Catch stands for its catchers, with the state that they go to', () => {
  expect(expanded({ Catch: { fail: 'Give Up' } })).toEqual({ Catch: [{ ...failed, Next: 'Give Up' }] });
});

test('the name of a policy counts inside of a map too', () => {
  const ItemProcessor = { States: { Item: { Retry: 'throttled', Catch: { fail: 'End' } }, End: {} } };

  expect(expanded({ ItemProcessor })).toEqual({
    ItemProcessor: {
      States: { Item: { Retry: [throttled], Catch: [{ ...failed, Next: 'End' }] }, End: {} },
    },
  });
});

test('retriers and catchers that are written out stay as they are', () => {
  const state = { Retry: [own], Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Give Up' }] };

  expect(expanded(state)).toEqual(state);
});

test('a synthesis fails and names the state where there is no such retry policy, with those that there are', () => {
  expect(() => expanded({ Retry: 'transent' })).toThrow(
    'adapt: Work: there is no policy "transent", only throttled, transient.',
  );
  expect(() => expanded({ Retry: [own, 'constructor'] })).toThrow('there is no policy "constructor"');
});

test('a synthesis fails and names the state where there is no such catch policy', () => {
  expect(() => expanded({ Catch: { ignore: 'Give Up' } })).toThrow(
    'adapt: Work: there is no policy "ignore", only fail.',
  );
});

test('a synthesis fails and names the state where a failure goes to a state that its machine has not', () => {
  expect(() => expanded({ Catch: { fail: 'Settle' } })).toThrow(
    'adapt: Work: what it catches goes to "Settle", which is no state of the machine.',
  );
  // States outside of a map are out of reach of those inside.
  const ItemProcessor = { States: { Item: { Catch: { fail: 'Give Up' } } } };
  expect(() => expanded({ ItemProcessor })).toThrow('adapt: Item: what it catches goes to "Give Up"');
});
