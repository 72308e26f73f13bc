import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/responses/get.ts';
import { handler as listInputItems } from '#functions/api/responses/input-items.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { createResponseRepository } from '#shared/responses/response-history.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { makeStored } from '#test/helpers/responses.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
const get = (id: string, as = owner, query: Record<string, string | readonly string[]> = {}) =>
  world.call(handler, { as, params: { response_id: id }, query });

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
});

test('a stored response is answered as it was given', async () => {
  const stored = makeStored(['Hello']);
  await createResponseRepository(world.objects).put(owner.team_id, stored);

  expect((await get(stored.response.id)).body).toEqual(stored.response);
});

test('rows that a search found are answered to keys that may read rows', async () => {
  const stored = makeStored(['Hello']);
  await createResponseRepository(world.objects).put(owner.team_id, stored);
  const answers: Caller = { ...owner, scopes: ['responses'] };
  const include = 'file_search_call.results';

  expect((await get(stored.response.id, answers, { include })).problem.code).toBe('scope_missing');
  const items = await world.call(listInputItems, {
    as: answers,
    params: { response_id: stored.response.id },
    query: { include },
  });
  expect(items.problem.code).toBe('scope_missing');
  expect((await get(stored.response.id, answers)).status).toBe(200);
  expect((await get(stored.response.id, owner, { include })).status).toBe(200);
});

test('one that is more than can be answered at once is refused, and is when it is asked for with less', async () => {
  const search = { type: 'file_search_call', id: 'fs_1', status: 'completed', queries: ['x'], results: null };
  const text = 'x'.repeat(6_000_000);
  const found = { file_id: 'd', filename: 'a', score: 1, text, attributes: { dataset_id: 'd', row: 1 } };
  const stored = makeStored(['Hello']);
  await createResponseRepository(world.objects).put(owner.team_id, {
    ...stored,
    response: { ...stored.response, output: [search] as typeof stored.response.output },
    withheld: { fs_1: { results: [found] } },
  });

  const { status, problem } = await get(stored.response.id, owner, { include: 'file_search_call.results' });
  expect([status, problem.code]).toEqual([422, 'response_too_large']);
  expect(problem.message).toContain('Omit include');
  expect((await get(stored.response.id)).status).toBe(200);
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

test('what the request did not ask to see is answered where it is asked for now', async () => {
  const thought = { type: 'reasoning', id: 'rs_1', status: 'completed', summary: [], content: [] };
  const search = { type: 'file_search_call', id: 'fs_1', status: 'completed', queries: ['x'], results: null };
  const found = { file_id: 'd', filename: 'a', score: 1, text: 't', attributes: { dataset_id: 'd', row: 1 } };
  const stored = makeStored(['Hello']);
  const output = [{ ...thought, encrypted_content: null }, search] as typeof stored.response.output;
  await createResponseRepository(world.objects).put(owner.team_id, {
    ...stored,
    response: { ...stored.response, output },
    withheld: { rs_1: { encrypted_content: 'sealed' }, fs_1: { results: [found] } },
  });
  const outputWith = async (query: Record<string, string | readonly string[]>) =>
    (await get(stored.response.id, owner, query)).body.output;

  expect(await outputWith({})).toEqual(output);
  expect(await outputWith({ include: 'file_search_call.results' })).toEqual([
    output[0],
    { ...search, results: [found] },
  ]);
  expect(
    await outputWith({ 'include[]': ['reasoning.encrypted_content', 'file_search_call.results'] }),
  ).toEqual([
    { ...thought, encrypted_content: 'sealed' },
    { ...search, results: [found] },
  ]);
});

test.each([
  ['stream', 'true'],
  ['starting_after', '3'],
  ['include_obfuscation', 'true'],
  ['include', 'message.surprise'],
])(
  '%s=%s is refused by name, and what clients send where they do not stream is not',
  async (field, value) => {
    const stored = makeStored(['Hello']);
    await createResponseRepository(world.objects).put(owner.team_id, stored);

    const { status, problem } = await get(stored.response.id, owner, { [field]: value });

    expect([status, problem.code]).toEqual([400, 'invalid_request']);
    expect(problem.details[0]?.path).toContain(`query.${field}`);
    if (field === 'stream') expect(problem.details[0]?.message).toContain('where the response is created');
    expect((await get(stored.response.id, owner, { stream: 'false' })).status).toBe(200);
  },
);

test('rows that a search found are shown to keys with the scope of rows alone, however they came into the response', async () => {
  const found = { file_id: 'd', filename: 'a', score: 1, text: 'A row.', attributes: {} };
  const search = { type: 'file_search_call', id: 'fs_1', status: 'completed', queries: ['x'] };
  const stored = makeStored(['Hello']);
  const results = { ...search, results: [found] };
  await createResponseRepository(world.objects).put(owner.team_id, {
    ...stored,
    input: [...stored.input, { ...results, id: 'fs_0' }] as typeof stored.input,
    response: { ...stored.response, output: [results] as typeof stored.response.output },
  });
  const shown = async (scopes: Caller['scopes']) => {
    const as = { ...owner, scopes };
    const items = await world.call(listInputItems, { as, params: { response_id: stored.response.id } });
    return (
      JSON.stringify([(await get(stored.response.id, as)).body, items.body]).match(/A row\./g)?.length ?? 0
    );
  };

  expect(await shown(['responses', 'datasets:read'])).toBe(2);
  expect(await shown(['responses'])).toBe(0);
});
