import { setMaxListeners } from 'node:events';
import { createGate } from '#shared/platform/gate.ts';
import { own, putOwn } from '#shared/platform/own.ts';
import type { Asking } from './decide/ask-model.ts';
import type { MeasurementKey, Trial, TrialStore } from './decide/trials.ts';

/**
 * Measures a model, so that a measurement that breaks off (an outage, a used-up quota, no time) is completed by later
 * ones: its answered trials are kept, and only the others are asked again. What is still being asked then is given up. As
 * many trials are asked at once as calls: if all had made their first call before any has made its last, none would be kept.
 * @throws what `measure` throws, when the trials are stored
 */
export async function measureInParts<T>(
  store: TrialStore,
  key: MeasurementKey,
  asking: Asking,
  measure: (trial: Trial) => Promise<T>,
): Promise<T> {
  const known = await store.findTrials(key);
  const answered: Record<string, unknown> = { ...known };
  const ending = new AbortController();
  const signals = asking.signal === undefined ? [ending.signal] : [asking.signal, ending.signal];
  const measuring = { ...asking, signal: AbortSignal.any(signals) };
  setMaxListeners(0, measuring.signal);
  const inTurn = createGate(asking.limit.concurrencyMax);
  try {
    return await measure(async (name, schema, ask) => {
      const kept = schema.safeParse(own(known, name));
      if (kept.success) return kept.data;
      const answer = await inTurn(() => ask(measuring));
      if (answer !== null) putOwn(answered, name, answer);
      return answer;
    });
  } catch (error) {
    ending.abort(error);
    await store.saveTrials(key, answered);
    throw error;
  }
}
