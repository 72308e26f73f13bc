import * as z from 'zod';
import { TraceHeaders } from '#shared/platform/schema/trace-headers.ts';
import { ListedTool } from './listed-tool.ts';

/** Requests and responses of the function that calls remote tool servers. */

const JsonObject = z.record(z.string(), z.unknown());

/** What a server knows a conversation with it by, so that the next call can take it up. Opaque to everyone else. */
export const ToolServerSession = z.discriminatedUnion('era', [
  z.object({ era: z.literal('modern'), discover: JsonObject }),
  z.object({ era: z.literal('legacy'), id: z.string().nullable(), version: z.string().nullable() }),
]);
export type ToolServerSession = z.infer<typeof ToolServerSession>;

const Server = z.object({ label: z.string(), url: z.string(), authorization: z.string().nullable() });

export const ToolServerRequest = z.discriminatedUnion('action', [
  z.object({ action: z.literal('list'), server: Server, trace: TraceHeaders.optional() }),
  z.object({
    action: z.literal('call'),
    server: Server,
    tool: z.string(),
    /** As the server listed it; null where it has not been listed. Newer servers want parts of arguments as headers. */
    input_schema: JsonObject.nullable(),
    args: JsonObject,
    session: ToolServerSession.nullable(),
    trace: TraceHeaders.optional(),
  }),
  z.object({
    action: z.literal('leave'),
    server: Server,
    session: ToolServerSession,
    trace: TraceHeaders.optional(),
  }),
]);
export type ToolServerRequest = z.infer<typeof ToolServerRequest>;

export const ListedTools = z.object({
  tools: z.array(ListedTool),
  /** What the listing says of tools that models are not offered; null if there are none. */
  left_out: z.string().nullable(),
  session: ToolServerSession,
});
export type ListedTools = z.infer<typeof ListedTools>;

export const CalledTool = z.object({ output: z.string(), failed: z.boolean(), session: ToolServerSession });
export type CalledTool = z.infer<typeof CalledTool>;

/** A server that fails is data here: what a function throws is logged, and this says which kind of failure it was. */
export const ToolServerReply = z.union([
  z.object({ listed: ListedTools }),
  z.object({ called: CalledTool }),
  z.object({ left: z.literal(true) }),
  z.object({
    error: z.object({
      kind: z.enum(['http_error', 'protocol_error', 'timeout', 'refused', 'too_large']),
      message: z.string(),
      code: z.int().nullable(),
    }),
  }),
]);
export type ToolServerReply = z.infer<typeof ToolServerReply>;
