import * as z from 'zod';

/**
 * A request or notification of JSON-RPC 2.0; the SDK of the protocol validates the rest of it. The server sends no requests,
 * so clients send no answers.
 */
export const McpMessage = z
  .strictObject({
    jsonrpc: z.literal('2.0').describe('Always `2.0`.'),
    id: z
      .union([z.string(), z.number()])
      .optional()
      .meta({ example: 1 })
      .describe('Id of the request, which its answer repeats; absent of a notification.'),
    method: z
      .string()
      .optional()
      .meta({ example: 'tools/list' })
      .describe('Method, such as `initialize`, `tools/list`, `tools/call` or `resources/read`.'),
    params: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ example: {} })
      .describe('Parameters of the method, as the protocol has them.'),
  })
  .meta({ id: 'McpMessage' });
export type McpMessage = z.infer<typeof McpMessage>;

export const McpReply = z
  .looseObject({
    jsonrpc: z.literal('2.0').describe('Always `2.0`.'),
    id: z
      .union([z.string(), z.number()])
      .nullable()
      .optional()
      .meta({ example: 1 })
      .describe('Id of the request.'),
    result: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ example: { tools: [] } })
      .describe('What the method answers; absent of an error.'),
  })
  .meta({ id: 'McpReply' });
