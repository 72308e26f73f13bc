import { expect, test } from 'vitest';
import { FAULT_KINDS } from './faults.ts';
import { createSeededRandom } from './random.ts';
import { describeSwarm, drawSwarm, PEOPLE_KINDS } from './swarm.ts';

const swarmOf = (seed: number) => drawSwarm(createSeededRandom(seed).fork('swarm'));
const swarms = Array.from({ length: 400 }, (_, seed) => swarmOf(seed));

test('a seed draws the same people and faults each time, and another one others', () => {
  expect(describeSwarm(swarmOf(7))).toBe(describeSwarm(swarmOf(7)));
  expect(new Set(swarms.map(describeSwarm)).size).toBe(swarms.length);
});

test('some seeds have one kind of people and a few faults that strike often, and others have all', () => {
  const rare = swarms.filter(({ kinds, rates }) => {
    const often = [...rates.values()].filter((rate) => rate > 0);
    return kinds.size === 1 && often.length < FAULT_KINDS.length / 3 && often.some((rate) => rate > 0.1);
  });
  const alone = new Set(rare.flatMap(({ kinds }) => [...kinds]));
  const whole = swarms.filter(
    ({ kinds, rates }) => kinds.size === PEOPLE_KINDS.length && [...rates.values()].every((rate) => rate > 0),
  );

  // Who listens alone hears nothing.
  expect(alone).toEqual(new Set(PEOPLE_KINDS.filter((kind) => kind !== 'listens')));
  expect(whole.length).toBeGreaterThan(10);
});

test('every kind of people and of faults comes without every other one in some seed', () => {
  const parts = [...PEOPLE_KINDS, ...FAULT_KINDS];
  const drawn = swarms.map(
    ({ kinds, rates }) => new Set<string>([...kinds, ...FAULT_KINDS.filter((kind) => rates.get(kind) !== 0)]),
  );
  const inseparable = parts.filter((part) =>
    parts.some((other) => other !== part && !drawn.some((has) => has.has(part) && !has.has(other))),
  );

  expect(inseparable).toEqual([]);
});
