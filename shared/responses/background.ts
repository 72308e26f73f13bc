import { background } from '#shared/platform/pipelines/background.ts';
import { task } from '#shared/platform/pipelines/pipeline.ts';
import { SearchReply, SearchRequest } from './schema/dataset-search.ts';
import { ToolServerReply, ToolServerRequest } from './schema/tool-server-call.ts';

/** Searches datasets; the function for `POST /responses` invokes it and waits. */
export const searchDatasets = background({
  id: 'tasks/search/search-datasets',
  trigger: { kind: 'invoke' },
  ...task({
    input: SearchRequest,
    output: SearchReply,
    // Caches indexes between searches: see the size of the cache in its handler.
    memoryMb: 3008,
    timeoutSeconds: 60,
    answerBytesMax: 4 * 1024 * 1024,
  }),
});

/**
 * Calls remote tool servers, whose addresses callers name: it has no table, bucket, secret or model. It is only
 * invoked synchronously, because its input contains credentials, and Lambda stores the input of asynchronous
 * invocations.
 */
export const callToolServer = background({
  id: 'tasks/tools/call-tool-server',
  trigger: { kind: 'invoke' },
  ...task({
    input: ToolServerRequest,
    output: ToolServerReply,
    memoryMb: 512,
    timeoutSeconds: 150,
    answerBytesMax: 5 * 1024 * 1024,
  }),
});
