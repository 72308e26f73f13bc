import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { handler } from '#functions/api/audit/list.ts';
import { createAuditLog } from '#shared/access/store/audit.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { DEFAULT_SCOPES } from '#shared/platform/schema/scope.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const ADA = 'arn:aws:sts::123456789012:assumed-role/Operator/ada';

let world: World;
let operator: Caller;

/** Entries of four times in three months, two of them at the same time. */
beforeEach(async () => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  world = createWorld(() => NOW);
  operator = await seedTeam(world.store, 0);
  const log = createAuditLog(world.table);
  for (const [id, at] of [
    ['too-old', '2024-03-31T00:00:00.000Z'],
    ['oldest', '2024-04-01T00:00:00.000Z'],
    ['january-a', '2026-01-31T23:59:59.999Z'],
    ['january-b', '2026-01-31T23:59:59.999Z'],
    ['march', '2026-03-01T11:00:00.000Z'],
  ] as const) {
    const given = JSON.stringify({ arguments: [id] });
    await log.begin({ entry_id: id, at, by: ADA, command: 'plan set', given, outcome: 'begun', error: null });
  }
  await log.end({ entry_id: 'march', at: '2026-03-01T11:00:00.000Z', outcome: 'failed', error: 'no' });
});

afterEach(() => void vi.useRealTimers());

const list = (query: Record<string, string> = {}, as = operator) => world.call(handler, { as, query });
const idsOf = (entries: readonly { entry_id: string }[]) => entries.map(({ entry_id }) => entry_id);

test('entries of two years come newest first, as the commands wrote them', async () => {
  const { body } = await list();

  expect(idsOf(body.entries)).toEqual(['march', 'january-b', 'january-a', 'oldest']);
  expect(body.entries[0]).toEqual({
    entry_id: 'march',
    at: '2026-03-01T11:00:00.000Z',
    by: ADA,
    command: 'plan set',
    given: '{"arguments":["march"]}',
    outcome: 'failed',
    error: 'no',
  });
  expect(body.next_cursor).toBeNull();
});

test('a page goes on where the one before ended, over months and between entries of the same time', async () => {
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const { body } = await list({ limit: '1', ...(cursor === null ? {} : { cursor }) });
    found.push(...idsOf(body.entries));
    cursor = body.next_cursor;
  } while (cursor !== null);

  expect(found).toEqual(['march', 'january-b', 'january-a', 'oldest']);
});

test('a key without the scope is refused, with every other one', async () => {
  const { status, problem } = await list({}, { ...operator, scopes: [...DEFAULT_SCOPES] });

  expect([status, problem.code]).toEqual([403, 'scope_missing']);
  expect(problem.message).toContain('audit');
});

test('a key of any team with the scope reads the same log, by cursors of its own', async () => {
  const other = strangerTo(operator);
  const { next_cursor: cursor } = (await list({ limit: '2' })).body;

  expect(idsOf((await list({}, other)).body.entries)).toHaveLength(4);
  for (const answer of [await list({ cursor: cursor ?? '' }, other), await list({ cursor: `x${cursor}` })]) {
    expect(answer.problem).toMatchObject({ statusCode: 400, code: 'cursor_invalid' });
  }
});

test.each(['0', '101', 'ten'])('a limit of %s is refused', async (limit) => {
  expect((await list({ limit })).problem.details[0]?.path).toBe('query.limit');
});
