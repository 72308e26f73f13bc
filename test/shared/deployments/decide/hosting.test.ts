import { expect, it } from 'vitest';
import { hostingOf } from '#shared/deployments/decide/hosting.ts';
import { CATALOG } from '#shared/training/decide/catalog.ts';

/** GB of the GPUs of an instance together: an L4 has 24, an L40S 48. */
const ROOM: Readonly<Record<string, number>> = {
  'ml.g6.xlarge': 24,
  'ml.g6e.xlarge': 48,
  'ml.g6e.12xlarge': 192,
  'ml.g6e.48xlarge': 384,
};
/** GPT-OSS has most of its weights in four bits, the others all in 16. */
const bytesPerWeight = (id: string): number => (id.startsWith('openai/gpt-oss') ? 0.6 : 2);

it.each(CATALOG)('$id has an instance with room for its weights and a fifth more', (model) => {
  const hosting = hostingOf(model.id);

  expect(ROOM[hosting?.instanceType ?? ''] ?? 0).toBeGreaterThan(
    model.billions * bytesPerWeight(model.id) * 1.2,
  );
  expect(hosting?.reasoningParser !== undefined).toBe(model.train_with_reasoning);
});

it('a model that is not known has none, whatever it is called', () => {
  expect([hostingOf('acme/base'), hostingOf('constructor')]).toEqual([null, null]);
});
