import { describe, expect, test } from 'vitest';
import {
  type ArmResult,
  adaptRequestOfArm,
  adviceOnError,
  CERTAINTY,
  charactersWords,
  isRunnable,
  judgeWords,
  minutesWords,
  NEXT_STEP,
  type Pilot,
  progressWords,
  resultOf,
  settingsWords,
  statusWords,
  verdictWords,
  winRateWords,
} from '../../../console/src/pilots/words.ts';

const arm = (changes: Partial<ArmResult> = {}): ArmResult => ({
  arm: 1,
  name: 'Default',
  status: 'finished',
  rows: { done: 8, changed: 5, kept: 3, dropped: 0, failed: 0 },
  against_original: null,
  harm: null,
  characters: { before: null, after: null },
  tokens: { input: 0, output: 0, calls: 0 },
  whole_dataset: { credits: 1, minutes: null, tokens: null },
  ...changes,
});
const pilot = (changes: Partial<Pilot> = {}): Pilot => ({
  pilot_id: 'p',
  dataset_id: 'd',
  status: 'succeeded',
  sample_rows: 8,
  progress: { rows_done: 16, rows_total: 16, stage: null },
  column_mapping: { prompt: 'question' },
  arms: [arm(), arm({ arm: 2, name: 'Short' })],
  recommendation: { arm: 2, certainty: 'better_than_original', reason: '' },
  judge: null,
  credits_reserved: 1,
  credits_charged: 1,
  error: null,
  created_at: '2026-11-20T10:00:00.000Z',
  ended_at: null,
  ...changes,
});
const error = (code: string): Pilot['error'] => ({ message: '', code, level: 'error' });
const rate = (win_rate: number | null, interval: [number, number] | null = null, same = 0) => ({
  win_rate,
  interval,
  rows: 8,
  same,
});

test('a win rate is told with its interval, and not at all without a decided row', () => {
  expect(winRateWords(rate(0.7431, [0.6012, 0.8449]))).toBe('74 % (60 to 84 %)');
  expect(winRateWords(rate(null))).toBe('–');
});

test.each([
  [rate(0.8, [0.51, 0.95]), 'better than the originals'],
  [rate(0.8, [0.5, 0.95]), 'not shown to differ from the originals'],
  [rate(0.2, [0.1, 0.5]), 'not shown to differ from the originals'],
  [rate(0.2, [0.1, 0.49]), 'worse than the originals'],
  [rate(null, null, 7), 'no row is decided'],
  [rate(null, null, 8), 'all answers are the same'],
])('a win rate says no more than its interval: %j is %s', (of, words) => {
  expect(verdictWords(of, 'the originals')).toBe(words);
});

describe('a recommendation', () => {
  const of = (certainty: NonNullable<Pilot['recommendation']>['certainty']) => ({
    arm: certainty === 'nothing_shown' ? null : 1,
    certainty,
    reason: '',
  });

  test('a recommendation that there is none advises to leave the dataset as it is', () => {
    expect(CERTAINTY.nothing_shown).toContain('No arm');
    expect(NEXT_STEP.nothing_shown).toContain('Leave the dataset as it is');
    expect(NEXT_STEP.better_than_original).toContain('Adapt the dataset');
  });

  test('a recommendation stands in the list by the name of its arm', () => {
    expect(resultOf(pilot())).toMatchObject({ arm: { name: 'Short' }, words: 'recommended' });
    expect(resultOf(pilot({ recommendation: of('nothing_shown') }))).toEqual({
      arm: null,
      words: 'no arm is shown to be better',
    });
    expect(resultOf(pilot({ status: 'failed', recommendation: null })).words).toBe('no result');
    expect(
      resultOf(
        pilot({
          status: 'running',
          recommendation: null,
          progress: { rows_done: 1, rows_total: 3, stage: null },
        }),
      ).words,
    ).toBe('33 % of the rows');
  });
});

test('the adaptation by an arm leaves the choice to the pilot for the arm that it recommends, and names every other', () => {
  expect(adaptRequestOfArm(pilot(), 2)).toEqual({ pilot_id: 'p', language_expansion: null });
  expect(adaptRequestOfArm(pilot(), 1)).toEqual({ pilot_id: 'p', pilot_arm: 1, language_expansion: null });
  expect(adaptRequestOfArm(pilot({ recommendation: null }), 1)).toHaveProperty('pilot_arm', 1);
});

test('the adaptation by an arm is offered once the pilot has ended, for an arm that has delivered rows', () => {
  expect(isRunnable(pilot(), arm())).toBe(true);
  expect(isRunnable(pilot({ status: 'failed' }), arm())).toBe(true);
  expect(isRunnable(pilot({ status: 'running' }), arm())).toBe(false);
  const failed = { done: 8, changed: 0, kept: 0, dropped: 0, failed: 8 };
  expect(isRunnable(pilot(), arm({ rows: failed }))).toBe(false);
});

test('a cancelled pilot is no failed one', () => {
  expect(statusWords({ status: 'failed', error: error('run_cancelled') }).label).toBe('cancelled');
  expect(statusWords({ status: 'failed', error: error('model_unavailable') }).label).toBe('failed');
  expect(statusWords({ status: 'succeeded', error: null }).label).toBe('done');
});

test('settings are told in words, and those of a default run as that', () => {
  expect(settingsWords({})).toBe('as a run is by default');
  expect(
    settingsWords({
      brand_controls: { length: 'concise', blueprint: 'Be kind.' },
      recipe_specification: {
        recipes: { prompt_rephrase: false, reasoning_traces: true, deduplication: true },
      },
      training_type: 'preference_pairs',
    }),
  ).toBe(
    'concise answers, prompts stay as they are, reasoning traces, preference pairs, drops repeated rows, in the whole dataset only, a blueprint',
  );
});

test('progress is told over the rows of all arms', () => {
  const of = (rows_done: number, stage: 'measuring_judge' | null = null) =>
    progressWords({ progress: { rows_done, rows_total: 16, stage } });
  expect(of(0)).toContain('sample is drawn');
  expect(of(0, 'measuring_judge')).toContain('how far the judge model can be believed');
  expect(of(5)).toBe('5 of 16 rows adapted, over all arms.');
  expect(of(16)).toContain('compared');
});

test('figures that are not known are dashes', () => {
  expect(charactersWords({ before: 12, after: null })).toBe('–');
  expect(charactersWords({ before: null, after: 1200.5 })).toBe('1,201');
  expect(charactersWords({ before: 120, after: 85 })).toBe('120 → 85');
  expect(minutesWords(null)).toBe('time not known');
  expect(minutesWords(0.2)).toBe('less than a minute');
  expect(minutesWords(3)).toBe('about 3 min');
});

test('a judge that is believed for nothing decides nothing', () => {
  expect(judgeWords({ model: 'm', believed_for: [] })).toContain('only the checks decide');
  expect(judgeWords({ model: 'm', believed_for: ['shorter', 'other_form'] })).toContain(
    'shorter, other form',
  );
});

test('an error has an advice, or its message stands alone', () => {
  expect(adviceOnError('run_timed_out')).toContain('fewer rows');
  expect(adviceOnError('internal_error')).toBeNull();
  expect(adviceOnError('constructor')).toBeNull();
});
