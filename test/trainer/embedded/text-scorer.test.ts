import { beforeEach, expect, test, vi } from 'vitest';
import { Adapter } from '#trainer/embedded/adapter.ts';
import { scoreTexts } from '#trainer/embedded/batch.ts';
import { projections } from '#trainer/embedded/network-shape.ts';
import { createRandom } from '#trainer/embedded/random.ts';
import { TextScorer } from '#trainer/embedded/text-scorer.ts';
import { createTinyNetwork, tinyShape } from './tiny-network.ts';

const network = await createTinyNetwork();
const score = vi.spyOn(network, 'score');
const text = (...tokens: number[]) => ({ tokens: Int32Array.from(tokens), start: 1 });
const texts = [text(1, 2, 3), text(4, 5)];
let adapter: Adapter;

beforeEach(() => {
  score.mockClear();
  adapter = new Adapter(tinyShape, { rank: 2, alpha: 4, modules: projections });
  adapter.randomize(createRandom(1));
});

/** Moves the adapter, as a step of the optimizer does. */
function learn(by: number): void {
  adapter.parameters.forEach((value, index) => {
    adapter.parameters[index] = value + by * Math.sin(index);
  });
}

test('an adapter that has learned nothing scores texts as the base does', async () => {
  const scorer = new TextScorer(network);
  scorer.setAdapter(adapter);
  const found = await scorer.score(texts);
  network.setFactors([]);
  const ofBase = await scoreTexts(network, texts);
  expect(found[0]).toBeCloseTo(ofBase[0] ?? 0, 4);
  expect(found[1]).toBeCloseTo(ofBase[1] ?? 0, 4);
});

test('a text is computed once as long as the adapter stays, whatever other texts are scored', async () => {
  const scorer = new TextScorer(network);
  learn(0.3);
  scorer.setAdapter(adapter);
  const [first] = await scorer.score(texts);
  const computed = score.mock.calls.length;
  expect(computed).toBeGreaterThan(0);
  await expect(scorer.score(texts.slice(0, 1))).resolves.toEqual(Float64Array.of(first ?? 0));
  expect(score).toHaveBeenCalledTimes(computed);

  const later = { ...text(1, 2, 3), start: 2 };
  const [again, other, fewerTargets] = await scorer.score([...texts, later, later]);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
  expect(fewerTargets).toBeGreaterThan(first ?? 0);
});

test('a changed adapter computes its texts anew, and the base is remembered', async () => {
  const scorer = new TextScorer(network);
  scorer.setAdapter(adapter);
  const ofBase = await scorer.score(texts);
  for (const by of [0.3, 0.1]) {
    learn(by);
    scorer.setAdapter(adapter);
    const found = await scorer.score(texts);
    expect(found).toEqual(await scoreTexts(network, texts));
    expect(found).not.toEqual(ofBase);
  }
  const computed = score.mock.calls.length;
  scorer.setAdapter(new Adapter(tinyShape, adapter.settings));
  await expect(scorer.score(texts)).resolves.toEqual(ofBase);
  expect(score).toHaveBeenCalledTimes(computed);
});
