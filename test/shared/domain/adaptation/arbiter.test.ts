import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectOpenAi, type OpenAiEndpoint } from '#shared/adapters/model/openai-compatible.ts';
import { systemClock } from '#shared/adapters/model/system-clock.ts';
import { CLEAR_MARGIN, createArbiter } from '#shared/domain/adaptation/arbiter.ts';
import { DEFAULT_LENGTH } from '#shared/domain/adaptation/length.ts';
import { loadLanguageDetector } from '#shared/domain/evaluation/detect-language.ts';
import { measureRequest, scoreByMetrics } from '#shared/domain/evaluation/metrics.ts';
import { createAdaptiveLimit } from '#shared/domain/model/adaptive-limit.ts';
import { newCallMeter } from '#shared/domain/model/ask-model.ts';
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

async function isWorse(
  original: string,
  candidate: string,
  { judge = true, embedder = false }: { judge?: boolean; embedder?: boolean } = {},
) {
  const arbiter = createArbiter({
    judge: judge ? endpoint.model('scripted') : null,
    embedder: embedder ? endpoint.embeddings('scripted') : null,
    detectLanguage: await loadLanguageDetector(),
  });
  const asking = {
    limit: createAdaptiveLimit({ concurrencyMax: 4, clock: systemClock, random: Math.random }),
    clock: systemClock,
    random: Math.random,
    attemptsMax: 2,
    serverErrorsMax: 2,
    outageSecondsMax: 5,
  };
  const meter = newCallMeter();
  const comparison = { request: REQUEST, original, candidate, length: DEFAULT_LENGTH };
  return { isWorse: await arbiter.isWorse(comparison, asking, meter), calls: meter.calls };
}

describe('accept or keep', () => {
  it('follows a trusted judge, who is asked in both orders', async () => {
    expect(await isWorse(CARELESS, GOOD)).toEqual({ isWorse: false, calls: 2 });
    expect(await isWorse(GOOD, CARELESS)).toEqual({ isWorse: true, calls: 2 });
  });

  it('follows the metrics where the judge contradicts itself', async () => {
    model.setScript({ judge: 'front' });

    expect((await isWorse(CARELESS, GOOD)).isWorse).toBe(false);
    expect((await isWorse(GOOD, CARELESS)).isWorse).toBe(true);
  });

  it('follows the metrics where no judge is trusted, without a call', async () => {
    expect(await isWorse(CARELESS, GOOD, { judge: false })).toEqual({ isWorse: false, calls: 0 });
    expect(await isWorse(GOOD, CARELESS, { judge: false })).toEqual({ isWorse: true, calls: 0 });
  });

  it('takes relevance from embeddings where there is a model for them', async () => {
    expect(await isWorse(CARELESS, GOOD, { judge: false, embedder: true })).toEqual({
      isWorse: false,
      calls: 1,
    });
  });

  it('accepts what scores the same', async () => {
    expect((await isWorse(GOOD, GOOD, { judge: false })).isWorse).toBe(false);
  });

  it('never accepts another language, whatever the judge says', async () => {
    model.setScript({ reply: '{"winner":"B"}' });
    const spanish =
      'Guarda el pan en una bolsa de papel a temperatura ambiente durante dos días y congela lo que no comas.';

    expect(await isWorse(GOOD, spanish)).toEqual({ isWorse: true, calls: 0 });
  });

  it('decides as the metrics of both answers do, in whatever languages the request and the answers are', async () => {
    const detectLanguage = await loadLanguageDetector();
    const texts = [
      GOOD,
      CARELESS,
      'Store your bread in a cool and dry place, and never in the fridge, where it goes stale sooner.',
      'Bewahre dein Brot bei Zimmertemperatur in einem Papierbeutel auf und friere den Rest in Scheiben ein.',
      'Das Brot bleibt in einem Kasten aus Holz länger frisch als in einer Tüte aus Plastik.',
      'Guarda el pan en una bolsa de papel a temperatura ambiente durante dos días y congela lo que no comas.',
      'ok',
      '42 42 42',
    ];
    const requests = [REQUEST, 'Wie halte ich mein Brot am besten frisch?', '?'];
    const arbiter = createArbiter({ judge: null, embedder: null, detectLanguage });
    const scoreOf = (request: string, answer: string): number =>
      scoreByMetrics({
        request: measureRequest(request, detectLanguage),
        answer,
        length: DEFAULT_LENGTH,
        detectLanguage,
        relevance: undefined,
      }).score;
    for (const request of requests) {
      for (const first of texts) {
        for (const second of texts) {
          const gain = scoreOf(request, second) - scoreOf(request, first);
          const expected = Math.abs(gain) < CLEAR_MARGIN ? null : gain > 0 ? 'second' : 'first';
          const answers = { request, first, second, length: DEFAULT_LENGTH };
          expect(await arbiter.clearWinner(answers, {} as never, newCallMeter())).toBe(expected);
        }
      }
    }
  });
});
