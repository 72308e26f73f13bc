import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/webhooks/create.ts';
import { handler as list } from '#functions/api/webhooks/list.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { WEBHOOKS_MAX } from '#shared/webhooks/decide/webhook.ts';
import { theUrlCheck } from '#shared/webhooks/wire.ts';
import { standIn } from '#test/helpers/memory-resources.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { RECEIVER } from '#test/helpers/webhooks.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 10);
});

const create = (body: Record<string, unknown> = {}, as = owner) =>
  world.call(handler, { as, body: { url: RECEIVER, ...body } });

test('a webhook is created with a secret of its own, which is in no item of the table', async () => {
  const { status, body } = await create({ event_types: ['run.ended'], description: 'Nightly' });
  const { body: other } = await create();

  expect(status).toBe(200);
  expect(body).toMatchObject({
    url: RECEIVER,
    event_types: ['run.ended'],
    description: 'Nightly',
    status: 'enabled',
    disabled_reason: null,
    failing_since: null,
    previous_secret_until: null,
  });
  expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(other.secret).not.toBe(body.secret);
  expect(JSON.stringify(world.table.items())).not.toContain(body.secret.slice('whsec_'.length));
});

test('a type of events that the key cannot read is refused', async () => {
  const { status, problem } = await create(
    { event_types: ['run.ended', 'training.ended'] },
    { ...owner, scopes: ['webhooks', 'datasets:read'] },
  );

  expect([status, problem.code]).toEqual([403, 'scope_missing']);
  expect(problem.message).toContain('training.ended');
});

test.each([
  'https://user:secret@hooks.example.com/',
  'https://hooks.example.com/#part',
  `https://hooks.example.com/${'x'.repeat(2000)}`,
])('the address %s is refused', async (url) => {
  const { status, problem } = await create({ url });

  expect([status, problem.code, problem.details[0]?.path]).toEqual([400, 'invalid_request', 'url']);
});

test('an address that callers may not name is refused, and nothing is created', async () => {
  const refusing = async () => {
    throw invalidField('url', 'is not reached: 10.0.0.1 is not a public address');
  };
  world = createWorld(Date.now, [standIn(theUrlCheck, refusing)]);

  expect((await create({ url: 'https://10.0.0.1/' })).status).toBe(400);
  expect(world.table.items()).toEqual([]);
});

test('a team has at most ten, however many are created at once', async () => {
  const answers = await Promise.all(Array.from({ length: WEBHOOKS_MAX + 5 }, () => create()));

  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.map(({ problem }) => problem.code)).toEqual(
    Array.from({ length: 5 }, () => 'webhooks_limit_reached'),
  );
  expect((await world.call(list, { as: owner })).body.webhooks).toHaveLength(WEBHOOKS_MAX);
});
