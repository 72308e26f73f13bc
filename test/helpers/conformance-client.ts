import { createToolServerClient } from '#shared/responses/adapters/mcp/tool-server-client.ts';
import { ToolServerError } from '#shared/responses/decide/tool-servers.ts';

/**
 * A process that the conformance suite of the Model Context Protocol drives as a client: it lists the tools of the server
 * whose address is its last argument, and calls those that the scenario names, or every one.
 */

interface Schema {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>;
  readonly required?: readonly string[];
}

const EXAMPLES: Readonly<Record<string, unknown>> = { string: 'x', number: 5, integer: 3, boolean: true };

const url = process.argv.at(-1) ?? '';
const { toolCalls } = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as {
  toolCalls?: { name: string; arguments: Record<string, unknown> }[];
};
const { host } = new URL(url);
const client = createToolServerClient({ guard: { allowed: [host] } });
const server = { label: 'conformance', url, authorization: null };
const { signal } = new AbortController();

const listing = await client.list(server, signal).catch((error: unknown) => {
  // A schema that refers to the network is no schema for a model; not following the reference is what is asked for.
  if (
    process.env.MCP_CONFORMANCE_SCENARIO === 'json-schema-ref-no-deref' &&
    error instanceof ToolServerError
  ) {
    process.exit(0);
  }
  throw error;
});
const { tools, session } = listing;
const focal = tools.find(({ input_schema: schema }) => '$defs' in schema)?.input_schema;

/** Something for each argument that a tool requires; a schema where it asks for one. */
function exampleOf({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  return Object.fromEntries(
    required.map((name) => [
      name,
      name === 'schema' ? focal : (EXAMPLES[properties[name]?.type ?? 'string'] ?? null),
    ]),
  );
}

const calls =
  toolCalls ?? tools.map(({ name, input_schema: schema }) => ({ name, arguments: exampleOf(schema) }));
// Tools that ask a person back fail, and the others are called all the same: the suite's own checks judge.
await Promise.allSettled(
  calls.map(({ name, arguments: args }) => {
    const inputSchema = tools.find((tool) => tool.name === name)?.input_schema ?? null;
    return client.call(server, { tool: name, inputSchema, args, session }, signal);
  }),
);
