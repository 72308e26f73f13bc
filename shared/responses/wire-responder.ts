import type { UsageMeter } from '#shared/access/decide/usage-meter.ts';
import { createUsageMeter } from '#shared/access/meter-usage.ts';
import { createMeterRepository } from '#shared/access/store/meter.ts';
import { createTokenLimiter } from '#shared/access/store/token-limiter.ts';
import { addTeamEvent } from '#shared/events/wire.ts';
import { clock, theClock } from '#shared/models/wire.ts';
import { type Bound, need, operation, resource } from '#shared/platform/runtime/need.ts';
import { once } from '#shared/platform/runtime/once.ts';
import { noteIds, outgoingTrace } from '#shared/platform/runtime/trace.ts';
import { cursorKey, newId, theConnections, theIds, theRandom, theTable } from '#shared/platform/wire.ts';
import { fetchImage } from '#shared/tabular/wire.ts';
import { createToolServerClient, type ToolServerClient } from './adapters/mcp/tool-server-client.ts';
import type { DatasetSearch } from './decide/dataset-search.ts';
import { createHostedServers } from './decide/tool-catalog.ts';
import type { HostedServers, ToolServers } from './decide/tool-servers.ts';
import {
  measureAnswer,
  reportAnswer,
  reportUnbilled,
  reportUnsettled,
  reportUntold,
} from './measure-answers.ts';
import { type RespondInput, respond } from './respond.ts';
import { createResponseRepository } from './response-history.ts';
import type { ResponseEvent } from './schema/response.ts';
import { createApprovalRepository } from './store/approvals.ts';
import { tellFailures } from './tell-failures.ts';
import { answeringModels, stacks, toolCatalog } from './wire.ts';

/** The tool servers of the operator, with their stored credentials. */
export const hostedServers = /* @__PURE__ */ need<HostedServers>(
  { toolCatalog: true, connections: true },
  (use) => createHostedServers(use(toolCatalog), use(theConnections)),
);

const TOOL_CALLER = 'tasks/tools/call-tool-server';

/** Remote tool servers, called through their own function. The Lambda client is loaded on first use. */
export const theToolServers = /* @__PURE__ */ resource<ToolServers>('tool servers', ({ env }) => {
  const loaded = once(async () => {
    const { createToolServers } = await import('./adapters/tool-servers.ts');
    return createToolServers(env.functionName(TOOL_CALLER), { trace: outgoingTrace });
  });
  return {
    list: async (...asked) => (await loaded()).list(...asked),
    call: async (...asked) => (await loaded()).call(...asked),
    leave: async (server) => (await loaded()).leave(server),
  };
});

export const toolServers = /* @__PURE__ */ need({ invokes: [TOOL_CALLER] }, (use) => use(theToolServers));

/** A direct connection to tool servers: only for the function without other access. */
export const theToolServerClient = /* @__PURE__ */ resource<ToolServerClient>(
  'calls of tool servers',
  ({ env }) => {
    return createToolServerClient({
      guard: env.egressGuard(),
      trace: outgoingTrace,
    });
  },
);

export const toolServerClient = /* @__PURE__ */ need({ egress: true }, (use) => use(theToolServerClient));

const SEARCH = 'tasks/search/search-datasets';

/** Dataset search through the function with the index cache. The Lambda client is loaded with the first search. */
export const theDatasetSearch = /* @__PURE__ */ resource<DatasetSearch>('dataset search', ({ env }) => {
  const loaded = once(async () => {
    const { createDatasetSearch } = await import('./adapters/dataset-search.ts');
    return createDatasetSearch(env.functionName(SEARCH), { trace: outgoingTrace });
  });
  return {
    search: async (...asked) => (await loaded()).search(...asked),
    requireSearchable: async (...asked) => (await loaded()).requireSearchable(...asked),
  };
});

export const datasetSearch = /* @__PURE__ */ need({ invokes: [SEARCH] }, (use) => use(theDatasetSearch));

/** The meter that bills responses. */
export const usageMeter = /* @__PURE__ */ need<UsageMeter>({ table: 'write', credits: 'write' }, (use) =>
  createUsageMeter({
    meter: createMeterRepository(use(theTable)),
    limiter: createTokenLimiter(use(theTable)),
    newId: use(theIds),
    now: use(theClock).now,
    random: use(theRandom),
    onUnbilled: reportUnbilled,
  }),
);

/** What checks that a link is public. Loaded with the first link: most requests have none. */
export const theLinkCheck = /* @__PURE__ */ resource<(address: string) => Promise<void>>(
  'the check of links',
  ({ env }) => {
    const loaded = once(async () => {
      const { createLinkCheck } = await import('#shared/platform/adapters/egress/link-check.ts');
      return createLinkCheck({ allowed: env.egressAllow() });
    });
    return async (address) => (await loaded())(address);
  },
);

export const requirePublicLink = /* @__PURE__ */ need({ egress: true }, (use) => use(theLinkCheck));

/** Stored responses of a function that may need none: only a response that is stored or continued loads the S3 client. */
export const lazyResponses = /* @__PURE__ */ need(
  { bucket: { read: ['responses'], write: ['responses'] } },
  (use) => {
    const objects = once(async () => use((await import('#shared/platform/wire-bucket.ts')).theObjects));
    return createResponseRepository({
      read: async (...asked) => (await objects()).read(...asked),
      readAtMost: async (...asked) => (await objects()).readAtMost(...asked),
      head: async (...asked) => (await objects()).head(...asked),
      write: async (...asked) => (await objects()).write(...asked),
      remove: async (...asked) => (await objects()).remove(...asked),
    });
  },
);

/** Approvals of tool calls that a response waits for. */
export const approvals = /* @__PURE__ */ need({ table: 'write' }, (use) =>
  createApprovalRepository(use(theTable)),
);

/** What it takes to answer a request. */
const answering = {
  models: answeringModels,
  stacks,
  hostedServers,
  toolServers,
  datasetSearch,
  usage: usageMeter,
  responses: lazyResponses,
  approvals,
  approvalKey: cursorKey,
  requirePublicLink,
  fetchImage,
  newId,
  clock,
  addEvent: addTeamEvent,
};

type Asked = Pick<RespondInput, 'caller' | 'request' | 'sampling' | 'signal' | 'isCommitted' | 'beforeLong'>;

const onBegun = (responseId: string): void => noteIds({ response_id: responseId });

function answerRequest(
  { newId, clock, addEvent, ...parts }: Bound<typeof answering>,
  input: Asked,
): AsyncGenerator<ResponseEvent, void> {
  const { caller, signal } = input;
  const { now, sleep } = clock;
  const ports = { ...parts, newDigits: () => newId().replaceAll('-', ''), now, sleep };
  const reports = { onBegun, onFailure: reportAnswer, onUnbilled: reportUnsettled };
  const telling = { addEvent, now, onUntold: reportUntold };
  const events = respond(ports, { ...input, ...reports });
  return measureAnswer(tellFailures(telling, caller.team_id, events, signal), signal);
}

/** Answers a request; its outcome is counted, and a failure is an event of the team. */
export const responder = /* @__PURE__ */ operation(answering, answerRequest);
