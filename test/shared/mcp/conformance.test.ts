import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallEndpoint } from '#shared/mcp/decide/ports.ts';
import type { Catalog, CatalogTool } from '#shared/mcp/schema/catalog.ts';
import { theCatalog, theEndpoints } from '#shared/mcp/wire.ts';
import { endpointsOf } from '#test/helpers/mcp.ts';
import { catalogOfTests } from '#test/helpers/mcp-catalog.ts';
import { startMcpServer } from '#test/helpers/mcp-conformance-server.ts';
import { standIn } from '#test/helpers/memory-resources.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { ConformanceSuite } from '#test/helpers/run-conformance.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

/** The schema that the suite wants to find again, keyword by keyword. */
const KEYWORDS = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const endpoint = (function_id: string): CatalogTool['endpoint'] => ({
  function_id,
  method: 'GET',
  path: '/of-the-suite',
  path_names: ['dataset_id'],
  query_names: [],
  has_body: false,
});

/** The tools and the resource that the suite asks for by name, beside those of the service. */
async function withSuiteTools(): Promise<Catalog> {
  const { tools, resources, guide } = await catalogOfTests();
  const tool = (name: string, input_schema: CatalogTool['input_schema']): CatalogTool => ({
    ...(tools[0] as CatalogTool),
    name,
    input_schema,
    endpoint: endpoint(name),
    required: [],
  });
  return {
    guide,
    tools: [
      ...tools,
      tool('test_simple_text', { type: 'object' }),
      tool('test_error_handling', { type: 'object' }),
      tool('json_schema_2020_12_tool', KEYWORDS),
    ],
    resources: [
      ...resources,
      {
        name: 'template',
        title: 'Template',
        description: 'Of the suite.',
        template: 'test://template/{dataset_id}/data',
        endpoint: endpoint('template'),
      },
    ],
  };
}

let suite: ConformanceSuite;
let server: Awaited<ReturnType<typeof startMcpServer>>;
beforeAll(async () => {
  const [, callOwn] = endpointsOf(() => world) as unknown as [unknown, CallEndpoint];
  const call: CallEndpoint = async (asked, caller, request, signal) =>
    asked.function_id.startsWith('api/')
      ? callOwn(asked, caller, request, signal)
      : {
          status: asked.function_id === 'test_error_handling' ? 400 : 200,
          text: JSON.stringify(request.params),
        };
  const world: World = createWorld(undefined, [
    standIn(theEndpoints, call),
    standIn(theCatalog, withSuiteTools),
  ]);
  suite = new ConformanceSuite();
  server = await startMcpServer(world, await seedTeam(world.store, 100));
}, 60_000);
afterAll(() => {
  suite[Symbol.dispose]();
  server[Symbol.dispose]();
});

/** Scenarios with the revisions of the protocol under which they are run. */
const scenarios: readonly (readonly [string, ...string[]])[] = [
  ['server-initialize', '2025-06-18', '2025-11-25'],
  ['server-stateless', '2026-07-28'],
  ['ping', '2025-06-18', '2025-11-25'],
  ['tools-list', '2025-06-18', '2025-11-25', '2026-07-28'],
  ['tools-call-simple-text', '2025-06-18', '2025-11-25', '2026-07-28'],
  ['tools-call-error', '2025-06-18', '2025-11-25', '2026-07-28'],
  ['json-schema-2020-12', '2025-11-25', '2026-07-28'],
  ['server-sse-multiple-streams', '2026-07-28'],
  ['resources-list', '2025-06-18', '2025-11-25', '2026-07-28'],
  ['resources-templates-read', '2025-06-18', '2025-11-25', '2026-07-28'],
  ['sep-2164-resource-not-found', '2026-07-28'],
  ['caching', '2026-07-28'],
  ['http-header-validation', '2026-07-28'],
  ['input-required-result-unsupported-methods', '2026-07-28'],
];

/** What the suite asks of servers that offer more, or differ on purpose. */
const notOffered: readonly (readonly [RegExp, string])[] = [
  [
    /^server-session-lifecycle$|^server-sse-polling$/,
    'there are no sessions: any process answers any message',
  ],
  [/^logging-|^tools-call-with-logging$/, 'logs are for operators'],
  [/^completion-|^prompts-/, 'there are no prompts'],
  [/^tools-call-(?:image|audio|embedded-resource|mixed-content)$/, 'tools answer JSON'],
  [/^tools-call-(?:sampling|elicitation)$|^elicitation-|^input-required-/, 'callers are asked nothing'],
  [/^tools-call-with-progress$/, 'a wait tells its looks, not a share: test/functions/api/mcp/call.test.ts'],
  [/^resources-read-(?:text|binary)$/, 'wants resources of its own at fixed addresses'],
  [/^resources-(?:un)?subscribe$/, 'changes are told by events and webhooks'],
  [/^sep-2640-|^tasks-/, 'extensions'],
  [
    /^dns-rebinding-protection$/,
    'the gateway knows its hosts, and so does the front of a laptop: test/local/front.test.ts',
  ],
  [/^http-custom-header-server-validation$/, 'no argument is a header'],
];

/** Checks of scenarios above that want a tool or prompts which the server does not have. */
const ofOthers = new Set([
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-server-no-log-without-loglevel',
  'sep-2549-prompts-list-caching-hints',
]);

for (const [scenario, ...revisions] of scenarios) {
  for (const revision of revisions) {
    test(`the server passes ${scenario} of ${revision}`, { timeout: 60_000 }, async () => {
      const checks = await suite.checksOf(scenario, revision, 'server', '--url', server.url);
      const judged = checks.filter(({ id }) => !ofOthers.has(id));

      expect(judged.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')).toEqual([]);
      expect(judged.filter(({ status }) => status === 'SUCCESS')).not.toEqual([]);
    });
  }
}

test('no scenario of the suite for servers is left out without a reason', async () => {
  const listed = await suite.scenarios('--server');
  const left = listed
    .filter((name) => !scenarios.some(([scenario]) => scenario === name))
    .filter((name) => !notOffered.some(([pattern]) => pattern.test(name)));

  expect(listed.length).toBeGreaterThan(50);
  expect(left).toEqual([]);
}, 60_000);
