import { expect, test } from 'vitest';
import type { TeamEvent } from '#shared/events/decide/event.ts';
import { createOutbox } from '#shared/events/store/outbox.ts';
import { CallerGone } from '#shared/platform/errors/caller-gone.ts';
import type { ResponseEvent } from '#shared/responses/schema/response.ts';
import { CreateResponseRequest } from '#shared/responses/schema/response-request.ts';
import { tellFailures } from '#shared/responses/tell-failures.ts';
import { theAnsweringModels } from '#shared/responses/wire.ts';
import { responder } from '#shared/responses/wire-responder.ts';
import { standIn } from '#test/helpers/memory-resources.ts';
import { NOW, seedTeam } from '#test/helpers/records.ts';
import { makeResponse } from '#test/helpers/responses.ts';
import { createScriptedAnswerer } from '#test/helpers/scripted-answerer.ts';
import { createWorld } from '#test/helpers/world.ts';

const last = (status: 'completed' | 'failed'): ResponseEvent => ({
  type: `response.${status}`,
  sequence_number: 1,
  response: {
    ...makeResponse(),
    id: 'resp_1',
    status,
    error: status === 'failed' ? { code: 'server_error', message: 'It broke.' } : null,
  },
});

async function tell(event: ResponseEvent, fails = false) {
  const written: [string, TeamEvent][] = [];
  const untold: unknown[] = [];
  const ports = {
    addEvent: async (team: string, each: TeamEvent) => {
      if (fails) throw new Error('throttled');
      written.push([team, each]);
    },
    now: () => NOW,
    onUntold: (error: unknown) => void untold.push(error),
  };
  const passed: ResponseEvent[] = [];
  const events = (async function* () {
    yield event;
  })();
  for await (const each of tellFailures(ports, 'team', events, new AbortController().signal))
    passed.push(each);
  expect(passed).toEqual([event]);
  return { written, untold };
}

test('a response that fails is an event of its team, before its caller hears of it', async () => {
  expect((await tell(last('failed'))).written).toMatchObject([
    ['team', { type: 'answer.failed', data: { response_id: 'resp_1', error_code: 'server_error' } }],
  ]);
  expect((await tell(last('completed'))).written).toEqual([]);
});

test('its caller is told all the same if the event cannot be written', async () => {
  expect((await tell(last('failed'), true)).untold).toMatchObject([{ message: 'throttled' }]);
});

test.each([
  ['is an event of its team', 'for another reason', new Error('The model is gone.'), 1],
  ['is none', 'because its caller has gone', new CallerGone(), 0],
])('a response that ends midway %s if it ends %s', async (_, __, reason, count) => {
  const ending = new AbortController();
  const model = createScriptedAnswerer([
    async function* (_request, signal) {
      yield { type: 'text', delta: 'Hello ' };
      ending.abort(reason);
      signal.throwIfAborted();
    },
  ]);
  const served = { find: async () => null, list: async () => ({ ids: [], failure: null }) };
  const world = createWorld(
    () => NOW,
    [
      standIn(theAnsweringModels, async () => ({
        answering: () => model,
        imported: () => model,
        onEndpoint: () => model,
        served,
      })),
    ],
  );
  const caller = await seedTeam(world.store, 10);
  const request = CreateResponseRequest.parse({ model: 'scripted', input: 'Hi' });

  const types: string[] = [];
  const asked = { caller, request, signal: ending.signal, isCommitted: () => true };
  for await (const { type } of world.use(responder)(asked)) types.push(type);

  expect(types.at(-1)).toBe('response.failed');
  const told = await createOutbox(world.table).list(caller.team_id, 10);
  expect(told.map(({ event }) => event.type)).toEqual(Array.from({ length: count }, () => 'answer.failed'));
});
