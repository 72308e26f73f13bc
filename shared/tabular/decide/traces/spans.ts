import { own } from '#shared/platform/own.ts';
import { type Exchange, type LeftOut, WRAPPERS_MAX } from './conversation.ts';
import { isObject, type JsonObject, numberText, parsedCell } from './json-values.ts';

/** A call of a model in a span or an event, with what the row says of it. */
export interface Recorded {
  readonly exchange: Exchange | LeftOut;
  readonly fields: JsonObject;
}

/** Columns of rows that were spans, behind `messages` and `tools`. */
export const SPAN_COLUMNS = [
  'model',
  'trace_id',
  'span_id',
  'name',
  'conversation_id',
  'service',
  'started_at',
];

const GENERATIONS: ReadonlySet<unknown> = new Set(['chat', 'text_completion', 'generate_content']);

/** Keys of a path that is written with dots; further ones are not followed. */
const PATH_MAX = 12;

/** Calls whose messages come one by one that may be open at once, and characters of all that is kept of them. */
const OPEN_MAX = 1000;
const OPEN_CHARACTERS_MAX = 32 * 1024 * 1024;

/** A call whose answer has not come yet. */
interface OpenCall {
  readonly turns: unknown[];
  readonly fields: JsonObject;
  characters: number;
}

/** The attributes of a span: named by paths with dots, or objects in one another. */
class Attributes {
  readonly #record: JsonObject;

  constructor(written: unknown) {
    const value = parsedCell(written);
    this.#record = Array.isArray(value) ? keyValues(value) : isObject(value) ? value : {};
  }

  /** An attribute; undefined if there is none. */
  get(path: string): unknown {
    const flat = own(this.#record, path);
    if (flat !== undefined && flat !== null) return flat;
    let value: unknown = this.#record;
    for (const key of path.split('.')) value = isObject(value) ? own(value, key) : undefined;
    return value ?? undefined;
  }

  /** A text that is not empty; null otherwise. */
  text(...paths: readonly string[]): string | null {
    for (const path of paths) {
      const value = this.get(path);
      if (typeof value === 'string' && value !== '') return value;
    }
    return null;
  }

  /** A list: one attribute, or one for each member of each element (`llm.tools.0.tool.json_schema`); undefined if there is none. */
  list(path: string): unknown {
    const whole = this.get(path);
    if (whole !== undefined) return whole;
    const root = new Map<string, unknown>();
    for (const [key, value] of Object.entries(this.#record)) {
      if (!key.startsWith(`${path}.`) || !/^\d/.test(key.slice(path.length + 1))) continue;
      put(root, key.slice(path.length + 1).split('.', PATH_MAX), value);
    }
    return root.size === 0 ? undefined : unfolded(root);
  }
}

function put(node: Map<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    node.set(key, value);
    return;
  }
  const inner = node.get(key);
  const next = inner instanceof Map ? inner : new Map<string, unknown>();
  node.set(key, next);
  put(next, rest, value);
}

function unfolded(node: unknown): unknown {
  if (!(node instanceof Map)) return node;
  const entries = [...(node as Map<string, unknown>)];
  if (!entries.every(([key]) => /^\d+$/.test(key))) {
    return Object.fromEntries(entries.map(([key, value]) => [key, unfolded(value)]));
  }
  return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, value]) => unfolded(value));
}

/** A list of OTLP's `{key, value}` as an object. */
function keyValues(list: readonly unknown[]): JsonObject {
  return Object.fromEntries(
    list.flatMap((each) => {
      const key = isObject(each) ? own(each, 'key') : undefined;
      return typeof key === 'string' ? [[key, anyValue(own(each as JsonObject, 'value'))]] : [];
    }),
  );
}

/** A value of OTLP, which names its type: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
function anyValue(value: unknown): unknown {
  if (!isObject(value)) return value;
  const any = (camel: string, snake: string): unknown => own(value, camel) ?? own(value, snake);
  const list = any('arrayValue', 'array_value');
  if (isObject(list)) {
    const values = own(list, 'values');
    return Array.isArray(values) ? values.map(anyValue) : [];
  }
  const map = any('kvlistValue', 'kvlist_value');
  if (isObject(map)) {
    const values = own(map, 'values');
    return Array.isArray(values) ? keyValues(values) : {};
  }
  return (
    any('stringValue', 'string_value') ??
    any('boolValue', 'bool_value') ??
    any('intValue', 'int_value') ??
    any('doubleValue', 'double_value')
  );
}

/** Reads the spans and log records of OpenTelemetry, whose messages may come one by one in several records. */
export class SpanReader {
  readonly #open = new Map<string, OpenCall>();
  #characters = 0;

  /** The calls of models in a row of the file: a batch of spans or of log records, or one span. */
  read(row: JsonObject, depth = 0): Recorded[] {
    if (depth > WRAPPERS_MAX) return [{ exchange: 'nested too deeply', fields: {} }];
    const batches = listOf(row, 'resourceSpans', 'resource_spans', 'batches');
    const logs = listOf(row, 'resourceLogs', 'resource_logs');
    if (batches !== null || logs !== null) {
      return [...(batches ?? []), ...(logs ?? [])].flatMap((batch) => this.read(batch, depth + 1));
    }
    const spans = listOf(row, 'scopeSpans', 'scope_spans', 'instrumentationLibrarySpans');
    const records = listOf(row, 'scopeLogs', 'scope_logs');
    if (spans === null && records === null) return [readSpan(row, null)];
    const resource = own(row, 'resource');
    const service = new Attributes(isObject(resource) ? own(resource, 'attributes') : null).text(
      'service.name',
    );
    return [
      ...(spans ?? []).flatMap((scope) =>
        (listOf(scope, 'spans') ?? []).map((span) => readSpan(span, service)),
      ),
      ...(records ?? []).flatMap((scope) =>
        (listOf(scope, 'logRecords', 'log_records') ?? []).flatMap((record) =>
          this.#readLog(record, service),
        ),
      ),
    ];
  }

  /** The calls whose answer never came. */
  end(): Recorded[] {
    const left = [...this.#open.values()];
    this.#open.clear();
    return left.map(({ turns, fields }) => ({ exchange: { input: turns, output: null }, fields }));
  }

  #readLog(record: JsonObject, service: string | null): Recorded[] {
    const attributes = new Attributes(own(record, 'attributes'));
    const name = own(record, 'eventName') ?? own(record, 'event_name') ?? attributes.text('event.name');
    const fields = fieldsOf(record, attributes, service);
    if (name === OPERATION_DETAILS) return [{ exchange: attributesExchange(attributes), fields }];
    const message = messageOfEvent(name, anyValue(own(record, 'body')));
    if (message === null) return [{ exchange: 'no calls of models', fields }];
    const key = `${fields.trace_id} ${fields.span_id}`;
    const known = this.#open.get(key);
    const open = known ?? { turns: [], fields, characters: 0 };
    if (name === CHOICE) {
      this.#close(key, open);
      return [{ exchange: { input: open.turns, output: message }, fields: open.fields }];
    }
    open.turns.push(message);
    const first = known === undefined ? key.length + JSON.stringify(fields).length : 0;
    const characters = JSON.stringify(message).length + first;
    open.characters += characters;
    this.#characters += characters;
    this.#open.set(key, open);
    return this.#dropOldest();
  }

  /** The oldest calls without an answer, where too many are open. */
  #dropOldest(): Recorded[] {
    const dropped: Recorded[] = [];
    while (this.#open.size > OPEN_MAX || this.#characters > OPEN_CHARACTERS_MAX) {
      const [[key, oldest] = ['', null]] = this.#open;
      if (oldest === null) break;
      this.#close(key, oldest);
      dropped.push({ exchange: { input: oldest.turns, output: null }, fields: oldest.fields });
    }
    return dropped;
  }

  #close(key: string, { characters }: OpenCall): void {
    this.#open.delete(key);
    this.#characters -= characters;
  }
}

function listOf(object: JsonObject, ...names: readonly string[]): JsonObject[] | null {
  for (const name of names) {
    const list = parsedCell(own(object, name));
    if (Array.isArray(list)) return list.filter(isObject);
  }
  return null;
}

function readSpan(span: JsonObject, service: string | null): Recorded {
  const attributes = new Attributes(own(span, 'attributes') ?? prefixed(span, 'attributes.'));
  const fields = fieldsOf(span, attributes, service);
  if (!isGeneration(span, attributes)) return { exchange: 'no calls of models', fields };
  if (hasFailed(span, attributes)) return { exchange: 'failed', fields };
  const events = listOf(span, 'events') ?? [];
  return { exchange: exchangeOf(attributes, events), fields };
}

/** The members of a flat row of Phoenix whose names begin so, without that. */
const prefixed = (row: JsonObject, prefix: string): JsonObject =>
  Object.fromEntries(
    Object.entries(row).flatMap(([key, value]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), parsedCell(value)]] : [],
    ),
  );

function isGeneration(span: JsonObject, attributes: Attributes): boolean {
  const kind = attributes.text('openinference.span.kind') ?? own(span, 'span_kind');
  if (typeof kind === 'string' && kind !== '') return kind === 'LLM';
  const vercel = attributes.text('ai.operationId');
  if (vercel !== null) return /\.do(?:Generate|Stream)$/.test(vercel);
  const operation = attributes.text('gen_ai.operation.name');
  if (operation !== null) return GENERATIONS.has(operation);
  const request = attributes.text('llm.request.type');
  if (request !== null) return request === 'chat' || request === 'completion';
  return attributes.text('gen_ai.request.model', 'gen_ai.response.model') !== null;
}

function hasFailed(span: JsonObject, attributes: Attributes): boolean {
  const status = own(span, 'status');
  const code = isObject(status)
    ? (own(status, 'code') ?? own(status, 'status_code'))
    : (own(span, 'status_code') ?? own(span, 'status.code') ?? status);
  return code === 2 || /(?:^|_)ERROR$/.test(String(code)) || attributes.text('error.type') !== null;
}

const OPERATION_DETAILS = 'gen_ai.client.inference.operation.details';
const CHOICE = 'gen_ai.choice';
const MESSAGE_ROLES: Readonly<Record<string, string>> = {
  'gen_ai.system.message': 'system',
  'gen_ai.user.message': 'user',
  'gen_ai.assistant.message': 'assistant',
  'gen_ai.tool.message': 'tool',
};

/** What a span recorded, in whichever version of the conventions. */
function exchangeOf(attributes: Attributes, events: readonly JsonObject[]): Exchange {
  const current = attributesExchange(attributes);
  if (current.input !== undefined || current.output !== undefined) return current;
  const named = events.map((event) => ({
    name: own(event, 'name'),
    attributes: new Attributes(own(event, 'attributes')),
    whole: own(event, 'attributes'),
  }));
  const details = named.find(({ name }) => name === OPERATION_DETAILS);
  if (details !== undefined) return attributesExchange(details.attributes);
  const listed = parsedCell(attributes.get('events'));
  const messages = Array.isArray(listed)
    ? listed.filter(isObject).map((event) => ({ name: own(event, 'event.name'), body: event }))
    : named.map(({ name, whole, attributes: given }) => {
        const content = parsedCell(given.get('gen_ai.event.content'));
        return { name, body: isObject(content) ? content : Array.isArray(whole) ? keyValues(whole) : whole };
      });
  const turns = messages.flatMap(({ name, body }) => {
    const message = name === CHOICE ? null : messageOfEvent(name, body);
    return message === null ? [] : [message];
  });
  const choice = messages.find(({ name }) => name === CHOICE);
  const tools = toolsOf(attributes);
  if (turns.length > 0 || choice !== undefined) {
    return { input: turns, output: choice === undefined ? null : messageOfEvent(CHOICE, choice.body), tools };
  }
  const ofEvents = (name: string, path: string): unknown =>
    named.find((event) => event.name === name)?.attributes.get(path);
  return {
    input: attributes.list('gen_ai.prompt') ?? ofEvents('gen_ai.content.prompt', 'gen_ai.prompt'),
    output:
      attributes.list('gen_ai.completion') ?? ofEvents('gen_ai.content.completion', 'gen_ai.completion'),
    hasChoices: true,
    tools,
  };
}

/** The messages in attributes: of the current conventions, of OpenInference, or of Vercel's AI SDK. */
function attributesExchange(attributes: Attributes): Exchange {
  const tools = toolsOf(attributes);
  const [input, output] = [attributes.get('gen_ai.input.messages'), attributes.get('gen_ai.output.messages')];
  if (input !== undefined || output !== undefined) {
    return { input, output, hasChoices: true, system: attributes.get('gen_ai.system_instructions'), tools };
  }
  const [asked, answered] = [attributes.list('llm.input_messages'), attributes.list('llm.output_messages')];
  if (asked !== undefined || answered !== undefined) {
    return { input: asked, output: answered, hasChoices: true, tools };
  }
  const [text, calls] = [
    attributes.text('ai.response.text'),
    parsedCell(attributes.get('ai.response.toolCalls')),
  ];
  const called = Array.isArray(calls) && calls.length > 0 ? { tool_calls: calls } : {};
  const hasAnswer = text !== null || 'tool_calls' in called;
  return {
    input: attributes.get('ai.prompt.messages'),
    output: hasAnswer
      ? { role: 'assistant', content: text, ...called }
      : attributes.get('ai.response.object'),
    tools,
  };
}

function toolsOf(attributes: Attributes): unknown {
  return (
    attributes.get('gen_ai.tool.definitions') ??
    attributes.list('llm.tools') ??
    attributes.list('llm.request.functions') ??
    attributes.get('ai.prompt.tools')
  );
}

/** The message of an event of the older conventions, which says its role by its name; null if it is none. */
function messageOfEvent(name: unknown, body: unknown): JsonObject | null {
  if (typeof name !== 'string') return null;
  const given = isObject(body) ? body : {};
  if (name === CHOICE) {
    const message = parsedCell(own(given, 'message'));
    return isObject(message)
      ? { role: 'assistant', content: null, ...message }
      : { role: 'assistant', content: message ?? own(given, 'content') ?? null, ...callsIn(given) };
  }
  const role = own(MESSAGE_ROLES, name);
  if (role === undefined) return null;
  const { id } = given;
  return {
    role,
    content: null,
    ...(role === 'tool' && id !== undefined ? { tool_call_id: id } : {}),
    ...given,
  };
}

const callsIn = (body: JsonObject): JsonObject =>
  own(body, 'tool_calls') === undefined ? {} : { tool_calls: own(body, 'tool_calls') };

function fieldsOf(record: JsonObject, attributes: Attributes, service: string | null): JsonObject {
  const context = own(record, 'context');
  const text = (...names: readonly string[]): string | null => {
    for (const name of names) {
      const value = own(record, name) ?? (isObject(context) ? own(context, name) : undefined);
      if (typeof value === 'string' && value !== '') return value;
    }
    return null;
  };
  const nanoseconds = own(record, 'startTimeUnixNano') ?? own(record, 'timeUnixNano');
  return {
    model: attributes.text('gen_ai.response.model', 'gen_ai.request.model', 'llm.model_name', 'ai.model.id'),
    trace_id: text('traceId', 'trace_id', 'context.trace_id'),
    span_id: text('spanId', 'span_id', 'context.span_id'),
    name: text('name'),
    conversation_id: attributes.text('gen_ai.conversation.id', 'session.id'),
    service,
    started_at: text('start_time') ?? isoOf(nanoseconds),
  };
}

/** Nanoseconds since 1970 as ISO 8601; null for anything else. */
function isoOf(nanoseconds: unknown): string | null {
  const text = numberText(nanoseconds);
  if (!/^\d{1,19}$/.test(text)) return null;
  return new Date(Number(BigInt(text) / 1_000_000n)).toISOString();
}
