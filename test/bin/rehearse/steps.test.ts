import { expect, it } from 'vitest';
import { isSuccess, note, passed, renderResults, runSteps, type Step } from '#bin/rehearse/steps.ts';
import { type Progress, silentProgress } from '#local/progress.ts';

const step = (name: string, needs: readonly string[], run: Step['run'], minutesMax = 1): Step => ({
  name,
  needs,
  minutesMax,
  advice: `Mend ${name}.`,
  run,
});
const fine: Step['run'] = async () => passed('well');
const broken: Step['run'] = async () => {
  throw new Error('It broke.\nAt length.');
};

it('A rehearsal goes on after a failed step with what does not need it', async () => {
  const results = await runSteps(
    [
      step('deploy', [], fine),
      step('adapt', ['deploy'], broken),
      step('download', ['adapt'], fine),
      step('destroy', ['deploy'], fine),
    ],
    silentProgress,
  );

  expect(results.map(({ name, state }) => [name, state])).toEqual([
    ['deploy', 'passed'],
    ['adapt', 'failed'],
    ['download', 'left out'],
    ['destroy', 'passed'],
  ]);
  expect(isSuccess(results)).toBe(false);
});

it('A rehearsal is a success where a step had nothing to rehearse', async () => {
  const results = await runSteps(
    [step('train', [], async () => note('no trainer')), step('answer', ['train'], fine)],
    silentProgress,
  );

  expect(isSuccess(results)).toBe(true);
});

it('A rehearsal does not wait for a step for ever', async () => {
  const results = await runSteps(
    [step('train', [], () => new Promise(() => undefined), 0.0005), step('next', [], fine)],
    silentProgress,
  );

  expect(results[0]).toMatchObject({ state: 'failed', result: expect.stringContaining('not done within') });
  expect(results[1]?.state).toBe('passed');
});

it('A rehearsal tells of a failure as soon as it happens', async () => {
  const told: string[] = [];
  const progress: Progress = { ...silentProgress, note: (text) => void told.push(text) };

  await runSteps([step('adapt', [], broken)], progress);

  expect(told).toEqual(['It broke.\nAt length.']);
});

it('A rehearsal ends with a table of step, seconds, result and what to do', async () => {
  let at = 0;
  const now = () => {
    at += 500;
    return at;
  };
  const results = await runSteps(
    [step('deploy', [], fine), step('adapt', ['deploy'], broken), step('download', ['adapt'], fine)],
    silentProgress,
    now,
  );

  expect(renderResults(results)).toBe(
    [
      'Step      Seconds  Result                  What to do',
      'deploy        0.5  ok: well',
      'adapt         0.5  failed: It broke.       Mend adapt.',
      'download        –  left out: needs: adapt',
    ].join('\n'),
  );
});
