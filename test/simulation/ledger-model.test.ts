import { expect, test } from 'vitest';
import {
  type Action,
  actions,
  end,
  explore,
  type ModelSize,
  type ModelState,
  validate,
} from './ledger-model.ts';

const ONE_RUN: ModelSize = { runs: 1, credits: 2, granted: 2, attempts: 3, enders: 2 };

test('the model of the ledger holds its properties in every state that one run with two repetitions can reach', () => {
  expect(explore(ONE_RUN)).toEqual({ states: 10_582, transitions: 52_571, counterexample: null });
});

test('the model of the ledger holds its properties in every state that two runs of one balance can reach', {
  timeout: 300_000,
}, () => {
  const found = explore({ runs: 2, credits: 2, granted: 3, attempts: 2, enders: 1 });

  expect(found.counterexample).toBeNull();
  expect(found.states).toBeGreaterThan(300_000);
});

/** The protocol with further steps, which a fault would make possible. */
const withFault =
  (fault: (state: ModelState, n: number) => ModelState | null) =>
  (state: ModelState, size: ModelSize): Action[] => [
    ...actions(state, size),
    ...state.runs.flatMap((_, n) => {
      const next = fault(state, n);
      return next === null || next === state ? [] : [{ name: 'fault', next }];
    }),
  ];

const unmarked = (state: ModelState): ModelState => ({
  ...state,
  runs: state.runs.map((run) => ({ ...run, isMarked: false })),
});

const reactivated = (state: ModelState): ModelState => ({
  ...state,
  runs: state.runs.map((run) => ({ ...run, status: 'active' })),
});

test.each<[string, string, (state: ModelState, n: number) => ModelState | null]>([
  [
    'a launch that ends its run although a repetition was answered with it',
    'what a caller was told stays true',
    (state, n) => (state.attempts[n]?.[0] === 'failing' ? end(unmarked(state), n, 0, true) : null),
  ],
  [
    'an end that does not look whether the run has ended',
    'credits are conserved',
    (state, n) => (state.runs[n]?.status === 'ended' ? end(reactivated(state), n, 2) : null),
  ],
  [
    'an end that keeps the hold',
    'what is held are the holds',
    (state, n) => {
      const ended = end(state, n, 0);
      return ended === state ? null : { ...ended, held: state.held, available: state.available };
    },
  ],
])('the model of the ledger finds %s', (_, property, fault) => {
  expect(explore(ONE_RUN, withFault(fault)).counterexample).toMatchObject({
    property,
    way: expect.arrayContaining(['fault']),
  });
});

test('steps that the model of the ledger does not allow are named', () => {
  const step = (run: string, kind: 'launch' | 'end', credits: number) =>
    ({ team: 't', run, step: kind, credits, status: '' }) as const;

  expect(validate(3, [step('a', 'launch', 2), step('a', 'end', 1), step('b', 'launch', 2)])).toBeNull();
  expect(validate(3, [step('a', 'launch', 2), step('b', 'launch', 2)])).toContain('refuses to launch b');
  expect(validate(3, [step('a', 'launch', 2), step('a', 'end', 1), step('a', 'end', 1)])).toContain(
    'refuses to end a',
  );
  expect(validate(3, [step('a', 'launch', 2), step('a', 'end', 3)])).toContain(
    'a run is billed what it reserved at most',
  );
});
