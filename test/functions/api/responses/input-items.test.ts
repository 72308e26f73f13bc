import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/responses/input-items.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import type { StoredResponse } from '#shared/responses/decide/stored-response.ts';
import { createResponseRepository } from '#shared/responses/response-history.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { makeStored } from '#test/helpers/responses.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let stored: StoredResponse;
const list = (query: Record<string, string | readonly string[]> = {}) =>
  world.call(handler, { as: owner, params: { response_id: stored.response.id }, query });
const texts = (data: readonly Record<string, unknown>[]) =>
  data.map(({ content }) => (content as { text: string }[])[0]?.text);

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
  stored = makeStored(['one', 'two', 'three']);
  await createResponseRepository(world.objects).put(owner.team_id, stored);
});

test('the newest item comes first, each with an id, a type and its text as parts', async () => {
  const { body } = await list();

  expect(texts(body.data)).toEqual(['three', 'two', 'one']);
  expect(body).toMatchObject({
    object: 'list',
    has_more: false,
    first_id: stored.input[2]?.id,
    last_id: stored.input[0]?.id,
  });
  expect(body.data[0]).toMatchObject({ type: 'message', role: 'user', status: 'completed' });
});

test('pages of any size hold every item once, in either order', async () => {
  for (const order of ['asc', 'desc']) {
    for (const limit of ['1', '2', '100']) {
      const seen: unknown[] = [];
      let after: string | null = null;
      do {
        const { body }: Awaited<ReturnType<typeof list>> = await list({
          order,
          limit,
          ...(after === null ? {} : { after }),
        });
        seen.push(...texts(body.data));
        after = body.has_more ? body.last_id : null;
      } while (after !== null);
      expect(seen).toEqual(order === 'asc' ? ['one', 'two', 'three'] : ['three', 'two', 'one']);
    }
  }
});

test('what clients ask to include may be several things, which are no reason to refuse', async () => {
  const { body } = await list({
    'include[]': ['message.input_image.image_url', 'reasoning.encrypted_content'],
  });
  expect(texts(body.data)).toEqual(['three', 'two', 'one']);

  expect((await list({ order: ['asc', 'desc'] })).problem.details).toMatchObject([{ path: 'query.order' }]);
});

test('a page ends where more could not be answered, and says that there is more', async () => {
  const large = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => String(n).repeat(1_000_000));
  stored = makeStored(large);
  await createResponseRepository(world.objects).put(owner.team_id, stored);
  const first = await list({ order: 'asc' });
  const second = await list({ order: 'asc', after: String(first.body.last_id) });

  expect(texts(first.body.data)).toEqual(large.slice(0, 5));
  expect([first.body.has_more, first.body.last_id]).toEqual([true, stored.input[4]?.id]);
  expect(texts(second.body.data)).toEqual(large.slice(5));
  expect(second.body.has_more).toBe(false);
});

test('what Lambda answers is counted as it counts: quotes within quotes', async () => {
  stored = makeStored(['"'.repeat(900_000), '"'.repeat(900_000)]);
  await createResponseRepository(world.objects).put(owner.team_id, stored);

  expect((await list()).body).toMatchObject({ data: [{ id: stored.input[1]?.id }], has_more: true });
});

test('an item that cannot be answered at all is refused by a way around it', async () => {
  stored = makeStored(['one', 'x'.repeat(6_000_000), 'three']);
  await createResponseRepository(world.objects).put(owner.team_id, stored);
  const { id } = stored.input[1] ?? { id: '' };

  expect((await list({ order: 'asc' })).body).toMatchObject({ data: [{}], has_more: true });
  const { status, problem } = await list({ order: 'asc', after: stored.input[0]?.id ?? '' });
  expect([status, problem.code]).toEqual([422, 'response_too_large']);
  expect(problem.message).toContain(`after=${id}`);
  expect(texts((await list({ order: 'asc', after: id })).body.data)).toEqual(['three']);
});

test('a cursor that is no item of the response is a 400', async () => {
  expect((await list({ after: 'msg_other' })).problem).toMatchObject({
    statusCode: 400,
    code: 'cursor_invalid',
  });
});

test('the conversation before it comes first, input and output, and an item that was sent again once', async () => {
  const repository = createResponseRepository(world.objects);
  const [again] = stored.input;
  if (again === undefined) throw new Error('Nothing was stored.');
  const second = makeStored(['four'], { ancestors: [{ id: stored.response.id, bytes: 1 }] });
  const third = makeStored(['five'], {
    ancestors: [second, stored].map(({ response: { id } }) => ({ id, bytes: 1 })),
  });
  await repository.put(owner.team_id, second);
  await repository.put(owner.team_id, { ...third, input: [again, ...third.input] });
  const listed = async () =>
    texts(
      (
        await world.call(handler, {
          as: owner,
          params: { response_id: third.response.id },
          query: { order: 'asc' },
        })
      ).body.data,
    );

  expect(await listed()).toEqual(['one', 'two', 'three', 'Answer.', 'four', 'Answer.', 'five']);
  await repository.remove(owner.team_id, stored.response.id);
  expect(await listed()).toEqual(['four', 'Answer.', 'one', 'five']);
});
