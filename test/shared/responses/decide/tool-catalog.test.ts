import { describe, expect, test } from 'vitest';
import { createHostedServers, listHostedTools } from '#shared/responses/decide/tool-catalog.ts';
import { ToolCatalog } from '#shared/responses/schema/tool.ts';

const caller = { team_id: 'team-1', scopes: ['responses' as const] };
const entry = {
  server_label: 'weather',
  name: 'Weather',
  description: 'Says how the weather is',
  url: 'https://weather.test/mcp',
};
const catalogOf = (...entries: object[]) =>
  ToolCatalog.parse(entries.map((each, index) => ({ ...entry, server_label: `tool-${index}`, ...each })));

test('the catalog file fills in what an entry leaves out', () => {
  expect(ToolCatalog.parse([entry])).toEqual([
    {
      ...entry,
      auth: 'none',
      default_require_approval: 'never',
      required_scope: 'responses',
      enabled: true,
    },
  ]);
});

test.each([
  [[{ ...entry, server_label: 'Weather Station' }], 'server_label'],
  [[entry, entry], 'weather'],
  [[{ ...entry, url: 'weather.test' }], 'url'],
  [[{ ...entry, authorization: 'Bearer secret-of-the-file' }], 'authorization'],
  [[{ ...entry, required_scope: 'everything' }], 'required_scope'],
])('the catalog file is refused with what is wrong in it: %j', (file, named) => {
  const { success, error } = ToolCatalog.safeParse(file);

  expect(success).toBe(false);
  expect(JSON.stringify(error?.issues)).toContain(named);
  expect(JSON.stringify(error?.issues)).not.toContain('secret-of-the-file');
});

test('the list shows every server in the order of the file, and where none is reached', () => {
  const tools = listHostedTools(catalogOf({}, { logo_url: 'https://weather.test/logo.svg' }), caller);

  expect(tools).toEqual([
    {
      server_label: 'tool-0',
      type: 'mcp',
      name: 'Weather',
      description: 'Says how the weather is',
      auth: 'none',
      connect: null,
      connect_path: null,
      mode: 'remote_mcp',
      default_require_approval: 'never',
      required_scope: 'responses',
      available: true,
      unavailable_reason: null,
    },
    expect.objectContaining({ server_label: 'tool-1', logo_url: 'https://weather.test/logo.svg' }),
  ]);
  expect(JSON.stringify(tools)).not.toContain('/mcp');
});

test('the list says why a server cannot be used in place of hiding it', () => {
  const tools = listHostedTools(
    catalogOf(
      { enabled: false },
      { url: null },
      { required_scope: 'training' },
      { required_scope: 'responses' },
    ),
    caller,
  );

  expect(tools.map(({ available, unavailable_reason }) => [available, unavailable_reason])).toEqual([
    [false, 'disabled'],
    [false, 'not_implemented'],
    [false, 'requires_scope'],
    [true, null],
  ]);
});

test('the list says that a team’s operator stores its credential', () => {
  const [tool] = listHostedTools(catalogOf({ auth: 'connection' }), caller);

  expect(tool).toMatchObject({ auth: 'connection', connect: 'secret', connect_path: null });
});

describe('a hosted server', () => {
  const stored = new Map([
    ['platform tools/tool-1', 'Bearer operator'],
    ['team-1 tools/tool-2', 'Bearer team'],
    ['team-1 tool-3', 'Bearer of an import'],
  ]);
  const servers = (...entries: object[]) =>
    createHostedServers(
      catalogOf(...entries),
      async (owner, provider) => stored.get(`${owner} ${provider}`) ?? null,
    );

  test.each([
    ['none', 0, null],
    ['platform', 1, 'Bearer operator'],
    ['connection', 2, 'Bearer team'],
  ])('a hosted server with the right of %s (%i) comes with %s', async (auth, index, authorization) => {
    const found = await servers({ auth }, { auth }, { auth }).find(caller, `tool-${index}`, null);

    expect(found).toEqual({
      label: `tool-${index}`,
      url: 'https://weather.test/mcp',
      default_require_approval: 'never',
      authorization,
    });
  });

  test.each(['none', 'platform', 'connection', 'caller'])(
    'a hosted server with the right of %s comes with the credential that the caller sends, and nothing stored is read',
    async (auth) => {
      const found = await createHostedServers(catalogOf({ auth }), async () => {
        throw new Error('It was read.');
      }).find(caller, 'tool-0', 'Bearer own');

      expect(found.authorization).toBe('Bearer own');
    },
  );

  test.each([
    ['caller', 2, 'send it as authorization'],
    ['connection', 3, 'no credential of your team is stored'],
    ['platform', 3, 'no credential is stored'],
  ])(
    'a hosted server with the right of %s (%i) is refused where there is no credential',
    async (auth, index, why) => {
      const finding = servers({ auth }, { auth }, { auth }, { auth }).find(caller, `tool-${index}`, null);

      await expect(finding).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringMatching(new RegExp(`"tool-${index}".*${why}`)),
      });
    },
  );

  test('a hosted server brings no other team’s credential', async () => {
    const other = { ...caller, team_id: 'team-2' };

    await expect(servers({}, {}, { auth: 'connection' }).find(other, 'tool-2', null)).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  test.each([
    ['unknown', {}, 'unknown'],
    ['tool-0', { enabled: false }, 'disabled'],
    ['tool-0', { url: null }, 'not_implemented'],
    ['tool-0', { required_scope: 'training' }, 'requires_scope'],
  ])(
    'a hosted server that cannot be used is refused with the reason: %s %j',
    async (label, settings, reason) => {
      await expect(servers(settings).find(caller, label, 'Bearer own')).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining(`(${reason}); GET /tools`),
      });
    },
  );
});
