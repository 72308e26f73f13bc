import { expect, test } from 'vitest';
import * as schema from '#shared/pilots/schema/pilot.ts';
import {
  ARMS_MAX,
  type ArmDraft,
  armOf,
  draftsOf,
  launchOf,
  NEW_FORM,
  type PilotArm,
  pilotRequestOf,
  problemOfRows,
  problemsOfArms,
  refusedArms,
  SAMPLE_ROWS,
  withArm,
  withoutArm,
} from '../../../console/src/pilots/arms.ts';

const draft = (changes: Partial<ArmDraft> = {}): ArmDraft => ({
  id: 1,
  name: '',
  length: '',
  rephrase: '',
  reasoningTraces: false,
  preferencePairs: false,
  blueprint: '',
  ...changes,
});
const MAPPING = { prompt: 'question', completion: 'answer' };

test('an arm as it is sent leaves out what is as the service has it by default', () => {
  expect(armOf(draft({ name: '  ', blueprint: '  \n ' }))).toEqual({});
});

test('an arm as it is sent says everything that was chosen', () => {
  const arm = armOf(
    draft({
      name: ' Short ',
      length: 'minimal',
      rephrase: 'no',
      reasoningTraces: true,
      preferencePairs: true,
      blueprint: 'Be kind.',
    }),
  );

  expect(arm).toEqual({
    name: 'Short',
    recipe_specification: { recipes: { prompt_rephrase: false, reasoning_traces: true } },
    brand_controls: { length: 'minimal', blueprint: 'Be kind.' },
    training_type: 'preference_pairs',
  });
});

test('an arm as it is sent is what a proposed one was, after it is taken over', () => {
  const proposed: PilotArm[] = [
    { name: 'Default' },
    { name: 'Prompts as they are', recipe_specification: { recipes: { prompt_rephrase: false } } },
    { name: 'Prompts rephrased', recipe_specification: { recipes: { prompt_rephrase: true } } },
    { name: 'Length: concise', brand_controls: { length: 'concise' } },
    { name: 'Reasoning traces', recipe_specification: { recipes: { reasoning_traces: true } } },
    { name: 'Preference pairs', training_type: 'preference_pairs' },
  ];

  const drafts = draftsOf(proposed, [draft({ id: 4 })]);

  expect(drafts.map(armOf)).toEqual(proposed);
  expect(drafts.map(({ id }) => id)).toEqual([5, 6, 7, 8, 9, 10]);
});

test('the list of arms grows to what a pilot takes, with ids of their own', () => {
  let arms: readonly ArmDraft[] = [draft()];
  for (let n = 0; n < 2 * ARMS_MAX; n += 1) arms = withArm(arms);

  expect(arms.length).toBe(ARMS_MAX);
  expect(new Set(arms.map(({ id }) => id)).size).toBe(ARMS_MAX);
});

test('the list of arms loses the arm that is removed, and keeps the last one', () => {
  const arms = [draft({ id: 1 }), draft({ id: 2 })];

  expect(withoutArm(arms, 1).map(({ id }) => id)).toEqual([2]);
  expect(withoutArm([draft({ id: 7 })], 7).map(({ id }) => id)).toEqual([7]);
});

test('the list of arms names arms that do the same, whatever they are called', () => {
  const problems = problemsOfArms([
    draft({ name: 'One' }),
    draft({ name: 'Two', length: 'concise' }),
    draft({ name: 'Three', blueprint: ' ' }),
  ]);

  expect([...problems.keys()]).toEqual([3]);
  expect(problems.get(3)).toContain('arm 1');
});

test('the list of arms that a form begins with can be launched', () => {
  expect(problemsOfArms(NEW_FORM.arms).size).toBe(0);
});

test('the request of a pilot asks for a proposal and leaves the rows to the service, unless they are typed', () => {
  expect(pilotRequestOf(MAPPING, NEW_FORM)).toEqual({ column_mapping: MAPPING, arms: 'auto' });
  expect(pilotRequestOf(MAPPING, { ...NEW_FORM, sampleRows: ' 8 ' })).toMatchObject({ sample_rows: 8 });
});

test('the request of a pilot has the own arms in their order, and a key only when it is launched', () => {
  const request = pilotRequestOf(MAPPING, { ...NEW_FORM, isAuto: false });

  expect(request.arms).toEqual([
    { name: 'Default' },
    { name: 'Concise', brand_controls: { length: 'concise' } },
  ]);
  expect(request).not.toHaveProperty('job_specification');
  expect(schema.PilotRequest.safeParse(launchOf(request, 'once')).success).toBe(true);
  expect(launchOf(request, 'once')).toEqual({ ...request, job_specification: { idempotency_key: 'once' } });
});

test.each([
  ['', 60, true],
  ['2', 60, true],
  ['60', 60, true],
  ['61', 60, false],
  ['1', 60, false],
  ['200', 5000, true],
  ['201', 5000, false],
  ['8.5', 60, false],
  ['-8', 60, false],
  ['8e1', 60, false],
  ['eight', 60, false],
])('%j rows of %d are taken: %s', (typed, rowCount, isTaken) => {
  expect(problemOfRows(typed, rowCount) === undefined).toBe(isTaken);
});

test('the limits of the form are those of the service', () => {
  expect([ARMS_MAX, SAMPLE_ROWS.default, SAMPLE_ROWS.max]).toEqual([
    schema.ARMS_MAX,
    schema.SAMPLE_ROWS_DEFAULT,
    schema.SAMPLE_ROWS_MAX,
  ]);
});

test('what the service says of an arm stands at that arm', () => {
  const refused = refusedArms(
    new Map([
      ['arms.1', 'Does the same as arm 1.'],
      ['arms[0].name', 'Is too long.'],
      ['arms[0].brand_controls.blueprint', 'Is empty.'],
      ['column_mapping.prompt', 'Is unknown.'],
      ['arms', 'Is too long.'],
    ]),
  );

  expect([...refused]).toEqual([
    [2, 'Does the same as arm 1.'],
    [1, 'Is too long. Is empty.'],
  ]);
});
