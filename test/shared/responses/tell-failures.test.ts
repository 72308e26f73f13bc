import { expect, test } from 'vitest';
import type { TeamEvent } from '#shared/events/decide/event.ts';
import type { ResponseEvent } from '#shared/responses/schema/response.ts';
import { tellFailures } from '#shared/responses/tell-failures.ts';
import { NOW } from '#test/helpers/records.ts';
import { makeResponse } from '#test/helpers/responses.ts';

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
  for await (const each of tellFailures(ports, 'team', events)) passed.push(each);
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
