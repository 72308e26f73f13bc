import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createArbiter,
  type JudgedAnswers,
  type PairVerdictOrDoubt,
} from '#shared/judging/decide/arbiter.ts';
import type { JudgeCalibration } from '#shared/judging/decide/calibration.ts';
import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { connectOpenAi, type OpenAiEndpoint } from '#shared/models/adapters/openai-compatible.ts';
import { systemClock } from '#shared/models/adapters/system-clock.ts';
import { createAdaptiveLimit } from '#shared/models/decide/adaptive-limit.ts';
import { newCallMeter } from '#shared/models/decide/ask-model.ts';
import { PAIR_KINDS } from '#shared/runs/schema/pair-kind.ts';
import { calibrationOf, figures } from '#test/helpers/calibrations.ts';
import { type ScriptedModel, startScriptedModel } from '#test/helpers/scripted-model.ts';

let model: ScriptedModel;
let endpoint: OpenAiEndpoint;

beforeAll(async () => {
  model = await startScriptedModel();
  endpoint = connectOpenAi({ baseUrl: model.url, connectionsMax: 4, timeoutSeconds: 5 });
});

afterAll(async () => {
  await endpoint.close();
  await model.close();
});

beforeEach(() => model.setScript({}));

const REQUEST = 'How do I keep my bread fresh?';
const GOOD =
  'Keep your bread in a paper bag at room temperature for two days. Slice and freeze what you do not eat, and toast it from frozen.';
const CARELESS = 'in a bag';

const SPANISH =
  'Guarda el pan en una bolsa de papel a temperatura ambiente durante dos días y congela lo que no comas.';

const newAsking = () => ({
  limit: createAdaptiveLimit({ concurrencyMax: 4, clock: systemClock, random: Math.random }),
  clock: systemClock,
  random: Math.random,
  attemptsMax: 2,
  serverErrorsMax: 2,
  outageSecondsMax: 5,
});

async function newArbiter(calibration: JudgeCalibration | null) {
  return createArbiter({
    judge: endpoint.model('scripted'),
    calibration,
    detectLanguage: await loadLanguageDetector(),
  });
}

const BELIEVED = calibrationOf('scripted');
/** Believed for all but what `CARELESS` and `GOOD` differ in. */
const OTHERWISE_BELIEVED = calibrationOf(
  'scripted',
  PAIR_KINDS.filter((kind) => kind !== 'form'),
);
/** Believed, but known to fall for what is new. */
const CREDULOUS = calibrationOf('scripted', [], {
  kinds: { form: figures({ accuracy_low: 0.8, false_acceptance: 0.1, false_acceptance_high: 0.4 }) },
});

describe('a comparison', () => {
  async function compare(
    answers: Partial<JudgedAnswers>,
    calibration: JudgeCalibration | null = BELIEVED,
  ): Promise<PairVerdictOrDoubt & { calls: number }> {
    const meter = newCallMeter();
    const arbiter = await newArbiter(calibration);
    const asked = { request: REQUEST, first: CARELESS, second: GOOD, ...answers };
    return { ...(await arbiter.compare(asked, newAsking(), meter)), calls: meter.calls };
  }

  it('a comparison is won by the answer that a believed judge names in both orders', async () => {
    expect(await compare({})).toEqual({ winner: 'second', calls: 2 });
    expect(await compare({ first: GOOD, second: CARELESS })).toEqual({ winner: 'first', calls: 2 });
  });

  it('a comparison is not put to a judge that is not believed for its kind', async () => {
    for (const calibration of [OTHERWISE_BELIEVED, null]) {
      expect(await compare({}, calibration)).toEqual({ winner: null, doubt: 'no_trusted_judge', calls: 0 });
    }
  });

  it('a comparison is undecided where the judge contradicts itself', async () => {
    model.setScript({ judge: 'front' });

    expect(await compare({})).toEqual({ winner: null, doubt: 'undecided', calls: 2 });
  });

  it('a comparison of a text with itself is undecided, without a call', async () => {
    expect(await compare({ second: CARELESS })).toEqual({ winner: null, doubt: 'undecided', calls: 0 });
  });

  it('a comparison is won by what is new only where the judge hardly ever falls for what is new', async () => {
    expect(await compare({ original: 'first' })).toMatchObject({ winner: 'second' });
    expect(await compare({ original: 'first' }, CREDULOUS)).toMatchObject({
      winner: null,
      doubt: 'undecided',
    });
    expect(await compare({ original: 'second' }, CREDULOUS)).toMatchObject({ winner: 'second' });
    expect(await compare({}, CREDULOUS)).toMatchObject({ winner: 'second' });
  });

  it('a comparison of two languages is won by the original, or else by that of the request, without a call', async () => {
    const answers = { first: SPANISH, second: GOOD };

    expect(await compare({ ...answers, original: 'first' })).toEqual({ winner: 'first', calls: 0 });
    expect(await compare(answers)).toEqual({ winner: 'second', calls: 0 });
    expect(await compare({ first: GOOD, second: SPANISH })).toEqual({ winner: 'first', calls: 0 });
    expect(await compare({ ...answers, request: '?' })).toMatchObject({ winner: null, doubt: 'undecided' });
  });

  it('a comparison is never won by a new answer in another language, whatever the judge would say', async () => {
    model.setScript({ reply: '{"winner":"B"}' });

    expect(await compare({ first: GOOD, second: SPANISH, original: 'first' })).toEqual({
      winner: 'first',
      calls: 0,
    });
  });

  it('a comparison is decided by nothing but the language where no judge is believed, however far apart the two are', async () => {
    const detectLanguage = await loadLanguageDetector();
    const texts = [
      GOOD,
      CARELESS,
      'Store your bread in a cool and dry place, and never in the fridge, where it goes stale sooner.',
      'Bewahre dein Brot bei Zimmertemperatur in einem Papierbeutel auf und friere den Rest in Scheiben ein.',
      'Das Brot bleibt in einem Kasten aus Holz länger frisch als in einer Tüte aus Plastik.',
      SPANISH,
      'ok',
      '42 42 42',
    ];
    const believed = { judge: endpoint.model('scripted'), calibration: calibrationOf('scripted', []) };
    const nobody = { judge: null, calibration: null };
    for (const options of [nobody, { ...nobody, judge: believed.judge }, believed]) {
      const arbiter = createArbiter({ ...options, detectLanguage });
      for (const request of [REQUEST, 'Wie halte ich mein Brot am besten frisch?', '?']) {
        const asked = detectLanguage(request);
        for (const first of texts) {
          for (const second of texts.filter((text) => text !== first)) {
            const [one, other] = [detectLanguage(first), detectLanguage(second)];
            const byLanguage = asked === one ? 'first' : asked === other ? 'second' : null;
            const expected =
              one === null || other === null || one === other
                ? { winner: null, doubt: 'no_trusted_judge' }
                : byLanguage === null
                  ? { winner: null, doubt: 'undecided' }
                  : { winner: byLanguage };
            expect(await arbiter.compare({ request, first, second }, {} as never, newCallMeter())).toEqual(
              expected,
            );
          }
        }
      }
    }
  });
});
