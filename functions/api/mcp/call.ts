import { answerMcp } from '#shared/mcp/adapters/mcp-handler.ts';
import { callTool } from '#shared/mcp/call-tool.ts';
import { callMcp } from '#shared/mcp/contracts.ts';
import { listResources, readResource } from '#shared/mcp/read-resource.ts';
import { COMPLETE_UPLOAD, callEndpoint, readCatalog, sendText } from '#shared/mcp/wire.ts';
import { clock } from '#shared/models/wire.ts';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { serveStream } from '#shared/platform/runtime/serve-stream.ts';
import { claims, newId } from '#shared/platform/wire.ts';

const onHeld = (error: unknown): void => logger.warn('place of a wait not given back', describeError(error));

export const handler = serveStream(
  callMcp,
  { callEndpoint, readCatalog, sendText, clock, claims: claims('write'), newId },
  null,
  async ({ input: { caller, body, headers, signal } }, { readCatalog, ...ports }) => {
    const { callEndpoint } = ports;
    const catalog = await readCatalog();
    const completeUpload = catalog.tools.find(({ name }) => name === COMPLETE_UPLOAD)?.endpoint;
    if (completeUpload === undefined) throw new Error(`The catalog has no tool ${COMPLETE_UPLOAD}.`);
    return answerMcp(
      {
        catalog,
        callTool: (tool, given, signal, onProgress) =>
          callTool({ ...ports, completeUpload, onHeld }, tool, {
            caller,
            given,
            signal,
            onProgress,
          }),
        listResources: (signal) => listResources(callEndpoint, catalog, caller, signal),
        readResource: (uri, signal) => readResource(callEndpoint, catalog, { uri, caller, signal }),
      },
      {
        headers,
        message: body,
        signal,
        onError: ({ name }) => logger.warn('a message of MCP was refused', { error_name: name }),
      },
    );
  },
);
