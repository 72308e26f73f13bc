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
const BYTES_PER_WEIGHT = 2;
/** It loads its vocabulary from a network, which is not there. */
const isHosted = ({ id }: { readonly id: string }): boolean => !id.startsWith('openai/gpt-oss');

it.each(CATALOG.filter(isHosted))(
  '$id has an instance with room for its weights and a fifth more',
  (model) => {
    const hosting = hostingOf(model.id);

    expect(ROOM[hosting?.instanceType ?? ''] ?? 0).toBeGreaterThan(model.billions * BYTES_PER_WEIGHT * 1.2);
    expect(hosting?.reasoningParser !== undefined).toBe(model.train_with_reasoning);
  },
);

it.each(CATALOG.filter((model) => !isHosted(model)))('$id has none', ({ id }) => {
  expect(hostingOf(id)).toBeNull();
});

it('a model that is not known has none, whatever it is called', () => {
  expect([hostingOf('acme/base'), hostingOf('constructor')]).toEqual([null, null]);
});
