import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type CallToolResult, Server, type Tool } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { DOWNLOAD_FORMATS, type DownloadFormat } from '../download.ts';
import { dataOf } from '../errors.ts';
import { downloadTo } from '../node/download-to.ts';
import { uploadOf } from '../node/upload-of.ts';
import { upload } from '../upload.ts';
import type { Context } from './context.ts';

type Properties = NonNullable<Tool['inputSchema']['properties']>;

/** A tool that needs this machine's disk; the service has all others. */
interface LocalTool {
  readonly description: string;
  readonly properties: Properties;
  readonly required: readonly string[];
  run(context: Context, given: Readonly<Record<string, string>>, signal: AbortSignal): Promise<object>;
}

const text = (description: string): Properties[string] => ({ type: 'string', minLength: 1, description });

const localTools: Readonly<Record<string, LocalTool>> = {
  upload_file: {
    description:
      'Uploads a file of this machine, of any size, as a dataset. Then call get_dataset until its status is awaiting_input.',
    properties: {
      path: text(
        'Path of a table (CSV, TSV, JSON, JSON Lines, Parquet, XLSX, gzip files of these) or a document.',
      ),
      name: text('Name of the dataset. Default: that of the file.'),
    },
    required: ['path'],
    async run({ client, io: { fetch } }, { path = '', name }, signal) {
      const file = await uploadOf(path, signal);
      return upload(client, file, { signal, fetch, ...(name === undefined ? {} : { name }) });
    },
  },
  save_rows: {
    description: 'Downloads the rows of a dataset, of its current version, to a file of this machine.',
    properties: {
      dataset_id: text('Id of the dataset.'),
      path: text('Where to save the file; a file that is there is replaced.'),
      format: {
        type: 'string',
        enum: [...DOWNLOAD_FORMATS],
        description: 'Format of the file. Default: csv.',
      },
    },
    required: ['dataset_id', 'path'],
    async run({ client, io: { fetch } }, { dataset_id = '', path = '', format = 'csv' }, signal) {
      const source = { dataset_id, format: format as DownloadFormat };
      const { bytes } = await downloadTo(client, source, path, { signal, fetch });
      return { path, bytes };
    },
  },
};

const resultOf = (value: object, isError: boolean): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  isError,
});

/** Calls a tool of this machine. What is wrong with its arguments is its result, as that of the service's tools. */
async function callLocal(
  context: Context,
  { properties, required, run }: LocalTool,
  given: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const missing = required.find((name) => given[name] === undefined);
  const wrong = Object.entries(given).find(
    ([name, value]) => !Object.hasOwn(properties, name) || typeof value !== 'string',
  );
  if (missing !== undefined || wrong !== undefined) {
    const message =
      missing === undefined ? `${wrong?.[0]} is not a text, or no argument.` : `${missing} is missing.`;
    return resultOf({ code: 'invalid_request', message }, true);
  }
  try {
    return resultOf(await run(context, given as Record<string, string>, signal), false);
  } catch (error) {
    if (signal.aborted || !(error instanceof Error)) throw error;
    const { code = 'failed', message } = error as Error & { code?: string };
    return resultOf({ code, message }, true);
  }
}

function createServer(context: Context, remote: Client): Server {
  const server = new Server(remote.getServerVersion() ?? { name: 'tunesmith', version: 'unknown' }, {
    capabilities: { tools: {}, resources: {} },
    instructions: remote.getInstructions() ?? '',
  });
  server.setRequestHandler('tools/list', async ({ params }) => {
    const { tools, ...page } = await remote.listTools(params);
    const own = Object.entries(localTools).map(([name, { description, properties, required }]) => ({
      name,
      description,
      inputSchema: {
        type: 'object' as const,
        properties,
        required: [...required],
        additionalProperties: false,
      },
    }));
    return { ...page, tools: [...own, ...tools] };
  });
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { signal, _meta, notify } }) => {
    const local = Object.hasOwn(localTools, params.name) ? localTools[params.name] : undefined;
    if (local !== undefined) return callLocal(context, local, params.arguments ?? {}, signal);
    const { progressToken } = _meta ?? {};
    return remote.callTool(
      { name: params.name, arguments: params.arguments ?? {} },
      {
        signal,
        timeout: CALL_MILLISECONDS_MAX,
        ...(progressToken === undefined
          ? {}
          : {
              onprogress: (progress) =>
                void notify({
                  method: 'notifications/progress',
                  params: { ...progress, progressToken },
                }).catch(() => undefined),
            }),
      },
    );
  });
  server.setRequestHandler('resources/list', ({ params }) => remote.listResources(params));
  server.setRequestHandler('resources/templates/list', ({ params }) => remote.listResourceTemplates(params));
  server.setRequestHandler('resources/read', ({ params }) => remote.readResource({ uri: params.uri }));
  return server;
}

/** Longer than an answer of the service may take. */
const CALL_MILLISECONDS_MAX = 900_000;

/**
 * Serves the MCP server of the service over standard input and output, with tools for files of this machine besides. Ends
 * when the standard input ends, or with the signal.
 * @throws {TunesmithError} if the service refuses the key, or does not answer
 */
export async function serveMcp(context: Context): Promise<void> {
  const { baseUrl, apiKey, client, io } = context;
  // A wrong address or key is an error in the service's words, before an agent waits for an answer.
  await dataOf(client.GET('/api/v1/me', { signal: io.signal }));
  const remote = new Client({ name: 'tunesmith', version: '0.1.0' });
  const transport = new StreamableHTTPClientTransport(new URL(`${baseUrl.replace(/\/$/, '')}/mcp`), {
    fetch: io.fetch,
    requestInit: { headers: { authorization: `Bearer ${apiKey}` } },
  });
  await remote.connect(transport);
  const handle = serveStdio(() => createServer(context, remote));
  await new Promise<void>((resolve) => {
    process.stdin.once('close', resolve);
    process.stdin.once('end', resolve);
    io.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await handle.close();
  await remote.close();
}
