import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/responses/delete.ts';
import { handler as get } from '#functions/api/responses/get.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { createResponseRepository } from '#shared/responses/response-history.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { makeStored } from '#test/helpers/responses.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
});

test('a deleted response is gone with its input, and nothing of it stays in the bucket', async () => {
  const { response, ...rest } = makeStored(['Hello']);
  await createResponseRepository(world.objects).put(owner.team_id, { response, ...rest });
  const request = { as: owner, params: { response_id: response.id } };

  const { body } = await world.call(handler, request);

  expect(body).toEqual({ id: response.id, object: 'response.deleted', deleted: true });
  expect(world.objects.keys()).toEqual([]);
  expect((await world.call(get, request)).problem.code).toBe('response_not_found');
  expect((await world.call(handler, request)).problem.code).toBe('response_not_found');
});

test('another team’s response is not deleted', async () => {
  const stored = makeStored(['Hello']);
  const stranger = await seedTeam(world.store, 1);
  await createResponseRepository(world.objects).put(stranger.team_id, stored);

  const { problem } = await world.call(handler, { as: owner, params: { response_id: stored.response.id } });

  expect(problem.code).toBe('response_not_found');
  expect(world.objects.keys()).toHaveLength(1);
});
