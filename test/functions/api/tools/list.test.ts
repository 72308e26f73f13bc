import { expect, test } from 'vitest';
import { handler } from '#functions/api/tools/list.ts';
import { ToolCatalog } from '#shared/responses/schema/tool.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld } from '#test/helpers/world.ts';

const toolCatalog = ToolCatalog.parse([
  { server_label: 'weather', name: 'Weather', description: 'Says it', url: 'https://weather.test/mcp' },
  {
    server_label: 'mail',
    name: 'Mail',
    description: 'Sends it',
    url: 'https://mail.test/mcp',
    auth: 'connection',
    default_require_approval: 'always',
    required_scope: 'training',
  },
]);

test('the list of tools lists what the operator offers, and why one of it cannot be used', async () => {
  const world = createWorld();
  const owner = { ...(await seedTeam(world.store, 0)), scopes: ['responses' as const] };

  const { status, body } = await world.call(handler, { as: owner }, { toolCatalog });

  expect(status).toBe(200);
  expect(body).toEqual({
    object: 'list',
    data: [
      {
        server_label: 'weather',
        type: 'mcp',
        name: 'Weather',
        description: 'Says it',
        auth: 'none',
        connect: null,
        connect_path: null,
        mode: 'remote_mcp',
        default_require_approval: 'never',
        required_scope: 'responses',
        available: true,
        unavailable_reason: null,
      },
      {
        server_label: 'mail',
        type: 'mcp',
        name: 'Mail',
        description: 'Sends it',
        auth: 'connection',
        connect: 'secret',
        connect_path: null,
        mode: 'remote_mcp',
        default_require_approval: 'always',
        required_scope: 'training',
        available: false,
        unavailable_reason: 'requires_scope',
      },
    ],
  });
});
