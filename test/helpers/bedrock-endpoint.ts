import { createServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import { vi } from 'vitest';
import { type BedrockOptions, connectBedrock } from '#shared/models/adapters/bedrock.ts';

export interface ConverseRequest {
  readonly path: string;
  readonly body: Record<string, unknown>;
  /** Settles when the client has left before the answer was whole. */
  readonly left: Promise<void>;
}

export type ConverseReply = (stream: ServerHttp2Stream, request: ConverseRequest) => void | Promise<void>;

/** A server that speaks as Amazon Bedrock does (HTTP/2, binary event streams), and gives the reply of a test. */
export interface BedrockEndpoint {
  readonly url: string;
  readonly requests: readonly ConverseRequest[];
  reply(reply: ConverseReply): void;
  /** Has the model refuse `temperature`, or `outputConfig`, as some models do. */
  refuse(...fields: readonly ('temperature' | 'outputConfig')[]): void;
  /** Sessions that were opened so far. */
  readonly sessionsOpened: number;
  /** Closes all sessions, as the other side of a frozen function does. */
  closeSessions(): void;
  close(): Promise<void>;
}

export async function startBedrockEndpoint(): Promise<BedrockEndpoint> {
  const requests: ConverseRequest[] = [];
  const sessions = new Set<ServerHttp2Session>();
  let refusedFields: readonly string[] = [];
  let sessionsOpened = 0;
  let reply: ConverseReply = (stream) => stream.respond({ ':status': 500 }, { endStream: true });
  const server = createServer();
  server.on('session', (session) => {
    sessions.add(session);
    sessionsOpened += 1;
    session.once('close', () => sessions.delete(session));
  });
  server.on('stream', (stream, headers) => {
    const left = new Promise<void>((resolve) => stream.once('aborted', () => resolve()));
    // A client that leaves resets its stream.
    stream.on('error', () => {});
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.once('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>;
      const request = { path: headers[':path'] ?? '', body, left };
      requests.push(request);
      const fault = faultOf(body, refusedFields);
      void (fault === null ? reply : refusing(fault))(stream, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    reply: (next) => {
      reply = next;
    },
    refuse: (...fields) => {
      refusedFields = fields;
    },
    get sessionsOpened() {
      return sessionsOpened;
    },
    closeSessions: () => {
      for (const session of sessions) session.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        for (const session of sessions) session.destroy();
        server.close(() => resolve());
      }),
  };
}

/**
 * Starts a stand-in, and connects to it as the service does to Amazon Bedrock. The environment that leads there is the
 * test's to restore (`vi.unstubAllEnvs`). By default an answer has the time that it takes on a busy machine.
 */
export async function connectBedrockEndpoint(timeoutSeconds = 20, options: Partial<BedrockOptions> = {}) {
  const server = await startBedrockEndpoint();
  vi.stubEnv('AWS_ENDPOINT_URL_BEDROCK_RUNTIME', server.url);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  return {
    server,
    bedrock: connectBedrock({ region: 'eu-west-1', timeoutSeconds, connectionsMax: 2, ...options }),
  };
}

/** Begins an answer. */
export function beginEvents(stream: ServerHttp2Stream): void {
  stream.respond({ ':status': 200, 'content-type': 'application/vnd.amazon.eventstream' });
}

/** One event, as `application/vnd.amazon.eventstream` frames it. */
export const event = (type: string, payload: object): Buffer =>
  frame({ ':message-type': 'event', ':event-type': type, ':content-type': 'application/json' }, payload);

/** An error inside a stream. */
export const exception = (type: string, message: string): Buffer =>
  frame(
    { ':message-type': 'exception', ':exception-type': type, ':content-type': 'application/json' },
    { message },
  );

const frame = (headers: Readonly<Record<string, string>>, payload: object): Buffer =>
  rawFrame(headers, Buffer.from(JSON.stringify(payload)));

/** One event with these bytes. */
export function rawFrame(headers: Readonly<Record<string, string>>, body: Buffer): Buffer {
  const header = Buffer.concat(
    Object.entries(headers).map(([name, value]) => {
      const size = Buffer.alloc(2);
      size.writeUInt16BE(Buffer.byteLength(value));
      // 7 is the type of strings.
      return Buffer.concat([
        Buffer.of(name.length),
        Buffer.from(name),
        Buffer.of(7),
        size,
        Buffer.from(value),
      ]);
    }),
  );
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(8 + 4 + header.length + body.length + 4, 0);
  prelude.writeUInt32BE(header.length, 4);
  const checked = Buffer.concat([prelude, checksum(prelude), header, body]);
  return Buffer.concat([checked, checksum(checked)]);
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return sum;
}

/** Streams the events. */
export const streamingEvents =
  (...events: readonly Buffer[]): ConverseReply =>
  (stream) => {
    beginEvents(stream);
    stream.end(Buffer.concat(events));
  };

/** Refuses a request in these words. */
export const refusing =
  (message: string): ConverseReply =>
  (stream) => {
    stream.respond({
      ':status': 400,
      'content-type': 'application/json',
      'x-amzn-errortype': 'ValidationException',
    });
    stream.end(JSON.stringify({ message }));
  };

/** One whole answer. */
export const answering =
  (text: string): ConverseReply =>
  (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/json' });
    stream.end(
      JSON.stringify({
        output: { message: { role: 'assistant', content: [{ text }] } },
        stopReason: 'end_turn',
        usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
      }),
    );
  };

/**
 * What Bedrock refuses of a request to Converse, in its words: inference parameters out of their range, and JSON schemas
 * beyond the documented subset (user guide, "Get validated JSON results from models"; the wording of refusals as users
 * report it). Null where it takes the request.
 */
export function faultOf(body: Record<string, unknown>, refused: readonly string[]): string | null {
  const { inferenceConfig = {}, outputConfig } = body as {
    inferenceConfig?: { temperature?: number; topP?: number; maxTokens?: number };
    outputConfig?: { textFormat?: { structure?: { jsonSchema?: { schema?: string } } } };
  };
  const { temperature, maxTokens } = inferenceConfig;
  if (temperature !== undefined && refused.includes('temperature')) {
    return 'The model returned the following errors: `temperature` is deprecated for this model.';
  }
  if (temperature !== undefined && (temperature < 0 || temperature > 1)) {
    return `Value ${temperature} at 'inferenceConfig.temperature' failed to satisfy constraint: Member must have value less than or equal to 1`;
  }
  if (maxTokens !== undefined && maxTokens < 1)
    return "Value at 'inferenceConfig.maxTokens' must be at least 1";
  if (outputConfig === undefined) return null;
  if (refused.includes('outputConfig')) return 'This model does not support outputConfig.textFormat.';
  const text = outputConfig.textFormat?.structure?.jsonSchema?.schema;
  if (typeof text !== 'string') return 'outputConfig.textFormat.structure.jsonSchema.schema must be a string';
  const fault = schemaFault(JSON.parse(text) as Record<string, unknown>);
  return fault === null
    ? null
    : `The model returned the following errors: output_config.format.schema: ${fault}`;
}

const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  any: [
    'type',
    'enum',
    'const',
    'description',
    'title',
    'default',
    '$ref',
    '$defs',
    'definitions',
    'anyOf',
    'allOf',
  ],
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items', 'minItems'],
  string: ['format'],
};

function schemaFault(schema: Record<string, unknown>): string | null {
  const { type } = schema;
  const known = [...(KEYWORDS.any ?? []), ...(KEYWORDS[String(type)] ?? [])];
  const unknown = Object.keys(schema).filter((keyword) => !known.includes(keyword));
  if (unknown.length > 0) return `For '${type}' type, properties ${unknown.join(', ')} are not supported`;
  if (type === 'object' && schema.additionalProperties !== false) {
    return "For 'object' type, 'additionalProperties' must be explicitly set to false";
  }
  if (schema.minItems !== undefined && schema.minItems !== 0 && schema.minItems !== 1) {
    return "For 'array' type, 'minItems' values other than 0 or 1 are not supported";
  }
  const inner = [
    ...Object.values((schema.properties ?? {}) as Record<string, unknown>),
    ...Object.values((schema.$defs ?? {}) as Record<string, unknown>),
    ...(schema.items === undefined ? [] : [schema.items]),
    ...((schema.anyOf ?? []) as unknown[]),
    ...((schema.allOf ?? []) as unknown[]),
  ];
  for (const each of inner) {
    const fault = schemaFault(each as Record<string, unknown>);
    if (fault !== null) return fault;
  }
  return null;
}
