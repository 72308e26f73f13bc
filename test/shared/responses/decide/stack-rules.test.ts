import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import {
  datasetsToSearch,
  requirePermittedServer,
  requireStack,
  stackModel,
  stackSlugOf,
} from '#shared/responses/decide/stack-rules.ts';
import { createMemoryStore } from '#test/helpers/memory-store.ts';
import { makeCaller, makeStack } from '#test/helpers/records.ts';

const [tickets, manuals, other] = [randomUUID(), randomUUID(), randomUUID()];
const stack = makeStack(makeCaller(), {
  tool_labels: ['calendar', 'search'],
  server_hosts: ['tools.example.org', 'tools.example.org:8443'],
  dataset_ids: [tickets, manuals],
});
const refusal = (attempt: () => unknown): unknown => {
  try {
    attempt();
    return 'permitted';
  } catch (error) {
    return error;
  }
};

test('a model that begins with stack: names a stack, and no other does', () => {
  expect(stackSlugOf('stack:support')).toBe('support');
  expect(stackSlugOf(stackModel(stack))).toBe(stack.slug);
  expect(stackSlugOf('stack:')).toBe('');
  expect(stackSlugOf('support')).toBeNull();
  expect(stackSlugOf('my-stack:support')).toBeNull();
});

test('a model that names a stack is that of the team', async () => {
  const { stacks } = createMemoryStore();
  await stacks.put(stack);

  expect(await requireStack(stacks, stack.team_id, stack.slug)).toEqual(stack);
});

test.each(['nothing', '', 'Support', '../support', 'support#', 'x'.repeat(64)])(
  'a model that names the stack %j, which the team has not, is a 404',
  async (slug) => {
    await expect(requireStack(createMemoryStore().stacks, stack.team_id, slug)).rejects.toMatchObject({
      code: 'stack_not_found',
      status: 404,
      details: [{ path: 'model' }],
    });
  },
);

test('a model of another team is refused word for word as one that is not there', async () => {
  const { stacks } = createMemoryStore();
  const missing = await requireStack(stacks, randomUUID(), stack.slug).catch((error: Error) => error);
  await stacks.put(stack);
  const foreign = await requireStack(stacks, randomUUID(), stack.slug).catch((error: Error) => error);

  expect(foreign).toMatchObject({ message: (missing as Error).message, code: 'stack_not_found' });
});

test('a model that cannot be a slug is not looked for', async () => {
  const find = vi.fn(async () => stack);

  await expect(requireStack({ find }, stack.team_id, 'A b')).rejects.toMatchObject({
    code: 'stack_not_found',
  });
  expect(find).not.toHaveBeenCalled();
});

test.each([
  { server_label: 'calendar' },
  { server_label: 'search', server_url: null },
  { server_label: 'mine', server_url: 'https://tools.example.org/mcp' },
  { server_label: 'mine', server_url: 'https://TOOLS.example.org:443/other?x=1' },
  { server_label: 'mine', server_url: 'https://tools.example.org:8443/' },
])('a tool server that the stack has is permitted: %j', (server) => {
  expect(refusal(() => requirePermittedServer(stack, server, 'tools[0]'))).toBe('permitted');
});

test.each([
  [{ server_label: 'mail' }, 'tools[2].server_label'],
  [{ server_label: 'Calendar' }, 'tools[2].server_label'],
  [{ server_label: 'calendar', server_url: 'https://evil.example/' }, 'tools[2].server_url'],
  [{ server_label: 'm', server_url: 'https://tools.example.org.evil.example/' }, 'tools[2].server_url'],
  [{ server_label: 'm', server_url: 'https://tools.example.org@evil.example/' }, 'tools[2].server_url'],
  [{ server_label: 'm', server_url: 'https://tools.example.org:9/' }, 'tools[2].server_url'],
  [{ server_label: 'm', server_url: 'nonsense' }, 'tools[2].server_url'],
])('a tool server that it has not is refused by name: %j', (server, path) => {
  expect(refusal(() => requirePermittedServer(stack, server, 'tools[2]'))).toMatchObject({
    code: 'tool_not_permitted',
    status: 403,
    details: [{ path }],
  });
});

test('a dataset search that names no datasets is over those of the stack', () => {
  expect(datasetsToSearch(stack, undefined, 'tools[0]')).toEqual([tickets, manuals]);
  expect(datasetsToSearch(stack, null, 'tools[0]')).toEqual([tickets, manuals]);
});

test('a dataset search is over those that it names, each once', () => {
  expect(datasetsToSearch(stack, [manuals, manuals], 'tools[0]')).toEqual([manuals]);
  expect(datasetsToSearch(null, [other], 'tools[0]')).toEqual([other]);
});

test('a dataset search over one that is not of the stack is refused, which is named', () => {
  expect(refusal(() => datasetsToSearch(stack, [tickets, other], 'tools[1]'))).toMatchObject({
    code: 'tool_not_permitted',
    message: expect.stringContaining(other),
    details: [{ path: 'tools[1].dataset_ids', allowed: [tickets, manuals] }],
  });
});

test.each([
  ['no stack and no dataset', null, undefined],
  ['a stack without datasets', { dataset_ids: [] }, undefined],
  ['an empty list', stack, []],
  ['an empty list and no stack', null, []],
])('a dataset search of %s is refused', (_what, given, named) => {
  expect(refusal(() => datasetsToSearch(given, named, 'tools[0]'))).toMatchObject({
    code: 'invalid_request',
    details: [{ path: 'tools[0].dataset_ids' }],
  });
});
