import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { handler } from '#functions/api/credits/answer.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { NOW, seedTeam } from '#test/helpers/records.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

const ANSWER = 'resp_0f6f1d5b8a103f0c5a522c0a4c538f4e';

let world: World;
let owner: Caller;

beforeEach(async () => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  world = createWorld();
  owner = await seedTeam(world.store, 10);
  await world.store.meter.record(
    {
      team_id: owner.team_id,
      response_id: ANSWER,
      model: 'a-model',
      input_tokens: 100,
      output_tokens: 40,
      cost_microcredits: 1300,
      billed_microcredits: 1000,
      admission_id: null,
      answered_at: new Date(NOW).toISOString(),
    },
    0,
  );
});

afterEach(() => {
  vi.useRealTimers();
});

const cost = (as: Caller, response_id = ANSWER) => world.call(handler, { as, params: { response_id } });

test('an answer shows its tokens, its cost and what was billed of it', async () => {
  const { status, body } = await cost(owner);

  expect(status).toBe(200);
  expect(body).toEqual({
    response_id: ANSWER,
    model: 'a-model',
    input_tokens: 100,
    output_tokens: 40,
    cost_credits: 0.0013,
    billed_credits: 0.001,
    answered_at: '2026-03-01T12:00:00.000Z',
  });
});

test('the cost of an answer is kept for 30 days', async () => {
  vi.setSystemTime(NOW + 30 * 86_400_000 - 1000);
  const kept = await cost(owner);
  vi.setSystemTime(NOW + 30 * 86_400_000 + 1000);
  const gone = await cost(owner);

  expect([kept.status, gone.status]).toEqual([200, 404]);
});

test('an answer of another team is not found, nor is one that was not billed', async () => {
  const answers = [await cost(strangerTo(owner)), await cost(owner, 'resp_other')];

  expect(answers.map(({ status, problem }) => [status, problem.code])).toEqual([
    [404, 'response_not_found'],
    [404, 'response_not_found'],
  ]);
});
