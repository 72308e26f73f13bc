import { beforeEach, expect, test } from 'vitest';
import type { Caller } from '#shared/domain/access/caller.ts';
import { createResponseRepository } from '#shared/operations/response-history.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { makeStored } from '#test/helpers/responses.ts';
import { createWorld, type World } from '#test/helpers/world.ts';
import { handler } from '../../../../functions/api/responses/get.ts';

let world: World;
let owner: Caller;
const get = (id: string, as = owner) => world.call(handler, { as, params: { response_id: id } });

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
});

test('a stored response is answered as it was given', async () => {
  const stored = makeStored(['Hello']);
  await createResponseRepository(world.objects).put(owner.team_id, stored);

  expect((await get(stored.response.id)).body).toEqual(stored.response);
});

test('another team’s response, an expired one and none at all are the same 404', async () => {
  const repository = createResponseRepository(world.objects);
  const foreign = makeStored(['Hello']);
  const expired = makeStored(['Hello'], { expires_at_ms: Date.now() - 1 });
  const stranger = await seedTeam(world.store, 1);
  await repository.put(stranger.team_id, foreign);
  await repository.put(owner.team_id, expired);

  const ids = [foreign.response.id, expired.response.id, 'resp_none', '../../secret', `${owner.team_id}/x`];
  for (const id of ids) {
    const { status, problem } = await get(id);
    expect([status, problem.code], id).toEqual([404, 'response_not_found']);
    expect(problem.error).toMatchObject({ type: 'not_found_error', code: 'response_not_found' });
  }
});
