import { expect, it } from 'vitest';
import { ladderModel } from '#lab/effect/ladder.ts';
import { newCallMeter } from '#shared/models/decide/ask-model.ts';
import { ModelError } from '#shared/models/decide/port.ts';
import { calibrateBlind, measureBlind } from '#shared/witnesses/calibrate-blind.ts';
import { BLIND_KINDS } from '#shared/witnesses/decide/blind-answers.ts';
import { type BlindCalibration, blindCalibrationKeyOf } from '#shared/witnesses/decide/blind-calibration.ts';
import { blindRates, mayCorrect } from '#shared/witnesses/decide/blind-rates.ts';
import { askingInTests } from '#test/helpers/replying-model.ts';
import { createTrialStore } from '#test/helpers/trial-store.ts';

function memoryStore() {
  const saved: BlindCalibration[] = [];
  return {
    saved,
    ...createTrialStore(),
    findBlindCalibration: async () => saved.at(-1) ?? null,
    saveBlindCalibration: async (calibration: BlindCalibration) => void saved.push(calibration),
  };
}

it('a model that is always right is believed for every kind of question', async () => {
  const calibration = await measureBlind(ladderModel([], 1, 'independent'), askingInTests(), newCallMeter());

  expect(Object.keys(calibration.kinds).sort()).toEqual([...BLIND_KINDS].sort());
  for (const kind of BLIND_KINDS) {
    expect(mayCorrect(calibration, kind), kind).toBe(true);
    expect(blindRates(calibration, kind)?.differing.sensitivity, kind).toBeGreaterThan(0.95);
  }
});

it('a model that is wrong about one question in five in the same way each time is believed for none', async () => {
  const calibration = await measureBlind(ladderModel([], 0.8, 'systematic'), askingInTests(), newCallMeter());

  for (const kind of BLIND_KINDS) {
    expect(mayCorrect(calibration, kind), kind).toBe(false);
    expect(blindRates(calibration, kind)?.confirmed.falseAlarm, kind).toBeGreaterThan(0.1);
  }
});

it('a measurement that breaks off within a kind asks again only for the questions of it that were not answered', async () => {
  const store = memoryStore();
  const model = ladderModel([], 1, 'independent');
  let [calls, left] = [0, 60];
  const limited = {
    modelId: model.modelId,
    generate: async (request: Parameters<typeof model.generate>[0]) => {
      calls += 1;
      left -= 1;
      if (left < 0) throw new ModelError('exhausted', 'The quota is used up');
      return model.generate(request);
    },
  };
  const run = () => calibrateBlind(limited, { store, asking: askingInTests(), meter: newCallMeter() });

  await expect(run()).rejects.toMatchObject({ code: 'model_quota_exhausted' });
  expect(store.saved).toEqual([]);
  const answered = Object.keys(store.trials()).length;
  expect(answered).toBeGreaterThan(0);

  left = Number.POSITIVE_INFINITY;
  calls = 0;
  const completed = await run();
  const goneOn = calls;
  calls = 0;
  const anew = await measureBlind(limited, askingInTests(), newCallMeter());
  expect(completed).toEqual(anew);
  expect(goneOn).toBeLessThan(calls);
});

it('a measurement that breaks off goes on with the kinds that it lacks, and a whole one asks nothing again', async () => {
  const store = memoryStore();
  const model = ladderModel([], 1, 'independent');
  let calls = 0;
  const failing = (after: number) => ({
    modelId: model.modelId,
    generate: async (request: Parameters<typeof model.generate>[0]) => {
      calls += 1;
      if (calls > after) throw new ModelError('misconfigured', 'The model is gone');
      return model.generate(request);
    },
  });
  const run = (of: typeof model) =>
    calibrateBlind(of, { store, asking: askingInTests(), meter: newCallMeter() });

  await expect(run(failing(700))).rejects.toThrow();
  const done = Object.keys(store.saved.at(-1)?.kinds ?? {});
  expect(done.length).toBeGreaterThan(0);
  expect(done.length).toBeLessThan(BLIND_KINDS.length);
  // Short answers first: more kinds are there.
  expect(done).toEqual(BLIND_KINDS.slice(0, done.length));

  calls = 0;
  const whole = await run(failing(5000));
  expect(Object.keys(whole.kinds).sort()).toEqual([...BLIND_KINDS].sort());
  expect(whole).toMatchObject(blindCalibrationKeyOf(model.modelId));

  calls = 0;
  await run(failing(0));
  expect(calls).toBe(0);
});
