import { own } from '#shared/platform/own.ts';
import type { RowsColumn } from '../../schema/rows-manifest.ts';
import { type CanonicalChunk, ChunkBuilder } from '../chunk-builder.ts';
import { fileEmpty } from '../file-error.ts';
import { nestsWithin } from '../measure-json.ts';
import { ObjectRows } from '../object-rows.ts';
import { ObjectScanner, scannedKey } from '../raw-object.ts';
import type { ReadWarning } from '../row-reader.ts';
import { type Conversation, type LeftOut, readConversation } from './conversation.ts';
import { isObject, type JsonObject, parseExactly, stringifyExactly } from './json-values.ts';
import { type Recorded, SPAN_COLUMNS, SpanReader } from './spans.ts';

/** A file of calls of models, told by the names of its columns. */
interface TraceForm {
  /** What its rows are, in a warning. */
  readonly records: string;
  /** Columns of which the file has at least one of each list. */
  readonly columns: readonly (readonly string[])[];
  /** Columns that become `messages` and `tools`; null where the row becomes columns of its own. */
  readonly replaces: readonly string[] | null;
  /** What the row recorded; absent of spans, which `SpanReader` reads. */
  readonly read?: (row: JsonObject) => Recorded['exchange'];
}

/**
 * A cell of a table of Langfuse. Its CSV has an empty text, or `null`, where there is none; that of older releases has every
 * text as a text of JSON, its id too.
 */
const cellOf = (row: JsonObject, name: string): unknown => {
  const value = own(row, name);
  const id = own(row, 'id');
  const isEncoded = typeof id === 'string' && id.startsWith('"');
  const cell = isEncoded && typeof value === 'string' ? (parseExactly(value) ?? value) : value;
  return cell === 'null' || cell === '' ? null : cell;
};

const FORMS: readonly TraceForm[] = [
  {
    records: 'batches of spans of OpenTelemetry',
    columns: [
      [
        'resourceSpans',
        'resource_spans',
        'scopeSpans',
        'scope_spans',
        'resourceLogs',
        'scopeLogs',
        'scope_logs',
      ],
    ],
    replaces: null,
  },
  {
    records: 'spans of OpenTelemetry',
    columns: [
      ['attributes'],
      ['spanId', 'span_id', 'context'],
      ['events', 'status', 'status_code', 'traceId'],
    ],
    replaces: null,
  },
  { records: 'spans of Phoenix', columns: [['context.span_id'], ['context.trace_id']], replaces: null },
  {
    records: 'observations of Langfuse',
    columns: [
      ['traceId', 'trace_id'],
      ['parentObservationId', 'parent_observation_id'],
      ['type'],
      ['input'],
      ['output'],
    ],
    replaces: ['input', 'output', 'toolDefinitions', 'tool_definitions'],
    read: (row) => {
      if (cellOf(row, 'type') !== 'GENERATION') return 'no calls of models';
      if (cellOf(row, 'level') === 'ERROR') return 'failed';
      const tools = cellOf(row, 'toolDefinitions') ?? cellOf(row, 'tool_definitions');
      return { input: cellOf(row, 'input'), output: cellOf(row, 'output'), tools };
    },
  },
  {
    records: 'items of a dataset of Langfuse',
    columns: [
      ['input'],
      ['expectedOutput', 'expected_output'],
      ['sourceTraceId', 'source_trace_id', 'datasetId'],
    ],
    replaces: ['input', 'expectedOutput', 'expected_output'],
    read: (row) => {
      if (cellOf(row, 'status') === 'ARCHIVED') return 'archived';
      const expected = cellOf(row, 'expectedOutput') ?? cellOf(row, 'expected_output');
      return { input: cellOf(row, 'input'), output: expected };
    },
  },
  {
    records: 'traces of Langfuse',
    columns: [
      ['input'],
      ['output'],
      ['sessionId', 'session_id'],
      ['userId', 'user_id'],
      ['tags'],
      ['timestamp'],
    ],
    replaces: ['input', 'output'],
    read: (row) => ({ input: cellOf(row, 'input'), output: cellOf(row, 'output') }),
  },
  {
    records: 'stored completions of OpenAI',
    columns: [['object'], ['choices'], ['model'], ['created']],
    replaces: ['messages', 'input', 'choices', 'tools'],
    read: (row) => {
      if (own(row, 'object') !== 'chat.completion') return 'no calls of models';
      const input = own(row, 'messages') ?? own(row, 'input');
      return { input, output: own(row, 'choices'), hasChoices: true, tools: own(row, 'tools') };
    },
  },
  {
    records: 'stored responses of OpenAI',
    columns: [['object'], ['output'], ['model'], ['created_at']],
    replaces: ['input', 'output', 'instructions', 'tools'],
    read: (row) => {
      if (own(row, 'object') !== 'response') return 'no calls of models';
      const status = own(row, 'status');
      if (status !== undefined && status !== 'completed') return 'failed';
      const [input, output, tools] = [own(row, 'input'), own(row, 'output'), own(row, 'tools')];
      return { input, output, system: own(row, 'instructions'), tools };
    },
  },
];

/** The form of a file with columns of these names; null if its rows are no calls of models. */
function formOf(names: readonly string[]): TraceForm | null {
  const known = new Set(names);
  const has = (some: readonly string[]): boolean => some.some((name) => known.has(name));
  return FORMS.find(({ columns }) => columns.every(has)) ?? null;
}

/** The columns of the rows that a file with columns of these names becomes: the same, unless it is one of traces. */
export function columnsOfRows(names: readonly string[]): readonly string[] {
  const form = formOf(names);
  if (form === null) return names;
  const { replaces } = form;
  const beside = replaces === null ? SPAN_COLUMNS : names.filter((name) => !replaces.includes(name));
  return ['messages', 'tools', ...beside];
}

/**
 * Makes conversations of the rows of a file of traces; rows of any other file pass as they are. The names of the first
 * rows decide. What is no row is counted with the reason.
 */
export class TraceRows {
  readonly #builder = new ChunkBuilder(() => `The conversation of row ${this.#records} (counting from 1)`);
  readonly #rows = new ObjectRows(this.#builder);
  readonly #source = new ObjectScanner({ lenient: true });
  readonly #scanner = new ObjectScanner();
  readonly #spans = new SpanReader();
  readonly #leftOut = new Map<LeftOut, number>();
  readonly #dropped = new Map<string, number>();
  #form: TraceForm | null = null;
  #isDecided = false;
  /** Records of the file. */
  #records = 0;
  /** Spans, or other calls, in them. */
  #calls = 0;

  /** @param names the columns of the rows so far */
  take(chunks: readonly CanonicalChunk[], names: readonly string[]): readonly CanonicalChunk[] {
    if (!this.#isDecided) this.#form = formOf(names);
    this.#isDecided = true;
    if (this.#form === null) return chunks;
    for (const { body } of chunks) this.#readLines(body, this.#form);
    return this.#builder.takeChunks();
  }

  /**
   * Ends the file.
   * @returns null if it is none of traces
   * @throws {ServiceError} `file_empty` if nothing in it is a call of a model with its messages
   */
  end(): {
    readonly rowCount: number;
    readonly columns: RowsColumn[];
    readonly warnings: ReadWarning[];
  } | null {
    if (this.#form === null) return null;
    for (const recorded of this.#spans.end()) this.#append(recorded, []);
    const { rowCount } = this.#builder;
    if (rowCount === 0) {
      throw fileEmpty(
        `The file holds ${this.#form.records}, and none of them is a call of a model with its messages: ${counted(this.#leftOut)}. ${HOW_TO_RECORD}`,
      );
    }
    this.#builder.finish();
    return {
      rowCount,
      columns: this.#rows.columns,
      warnings: [this.#warning(this.#form), ...this.#rows.warnings],
    };
  }

  /** The chunks of the rows that `end` has closed. */
  takeLast(): CanonicalChunk[] {
    return this.#builder.takeChunks();
  }

  /** The names of the columns so far. */
  get names(): string[] | null {
    return this.#form === null ? null : this.#rows.columns.map(({ name }) => name);
  }

  #warning({ records }: TraceForm): ReadWarning {
    const { rowCount } = this.#builder;
    const left = this.#calls - rowCount;
    const rows = `The file holds ${records}; ${rowCount} of ${this.#calls} became rows, each the conversation of a call of a model.`;
    const others = left === 0 ? '' : ` Left out: ${counted(this.#leftOut)}.`;
    const parts =
      this.#dropped.size === 0 ? '' : ` Parts of messages that were left out: ${counted(this.#dropped)}.`;
    return { code: 'traces_read', message: `${rows}${others}${parts}` };
  }

  #readLines(body: Buffer, form: TraceForm): void {
    let start = 0;
    for (let end = body.indexOf(0x0a); end !== -1; end = body.indexOf(0x0a, start)) {
      this.#readLine(body.subarray(start, end), form);
      start = end + 1;
    }
  }

  #readLine(line: Buffer, { replaces, read }: TraceForm): void {
    this.#records += 1;
    const row = parseExactly(line.toString('utf8'));
    if (!isObject(row)) {
      // A line is an object; one that nests as deep as a file may is a level too deep here.
      this.#append({ exchange: 'nested too deeply', fields: {} }, []);
      return;
    }
    if (replaces === null || read === undefined) {
      for (const recorded of this.#spans.read(row)) this.#append(recorded, written(recorded.fields));
      return;
    }
    this.#append({ exchange: read(row), fields: {} }, this.#othersOf(line, replaces));
  }

  /** The members of a row beside those that became its conversation, as they are written. */
  #othersOf(line: Buffer, replaced: readonly string[]): string[] {
    const scanner = this.#source;
    scanner.scan(line, 0, line.length);
    return Array.from({ length: scanner.count }, (_, index) => index).flatMap((index) => {
      const key = scannedKey(line, scanner, index);
      if (replaced.includes(key)) return [];
      // The columns of the conversation come first.
      const name = key === 'messages' || key === 'tools' ? `${key}_2` : key;
      const value = line.toString('utf8', scanner.valueStarts[index], scanner.valueEnds[index]);
      return [`${JSON.stringify(name)}:${value}`];
    });
  }

  #append({ exchange }: Recorded, others: readonly string[]): void {
    this.#calls += 1;
    const dropped: string[] = [];
    const found =
      typeof exchange === 'string' ? exchange : readConversation(exchange, (kind) => dropped.push(kind));
    if (typeof found === 'string') {
      add(this.#leftOut, found);
      return;
    }
    const { messages, tools }: Conversation = found;
    const members = [
      `"messages":${stringifyExactly(messages)}`,
      `"tools":${stringifyExactly(tools)}`,
      ...others,
    ];
    const line = `{${members.join(',')}}`;
    // What a text of JSON declares stands in a tool, and that in a list: it may be deeper than each text.
    if (!nestsWithin(line)) {
      add(this.#leftOut, 'nested too deeply');
      return;
    }
    for (const kind of dropped) add(this.#dropped, KIND.test(kind) ? kind : 'other');
    const text = Buffer.from(line, 'utf8');
    this.#scanner.scan(text, 0, text.length);
    this.#rows.append(text, this.#scanner, () => `row ${this.#builder.rowCount + 1}`);
  }
}

const HOW_TO_RECORD =
  'Record the messages (OpenTelemetry: OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT; stored completions: add those of /chat/completions/{id}/messages as "messages").';

const written = (fields: JsonObject): string[] =>
  SPAN_COLUMNS.map((name) => `${JSON.stringify(name)}:${JSON.stringify(own(fields, name) ?? null)}`);

/** Kinds that a warning names. */
const KINDS_NAMED = 8;

/** A kind that a file names is the name of a type, or is not repeated: warnings hold nothing of the rows. */
const KIND = /^[a-z]+(?:[ _-][a-z]+){0,5}$/i;
const KIND_CHARACTERS_MAX = 40;

function counted(counts: ReadonlyMap<string, number>): string {
  const named = [...counts].sort(([, a], [, b]) => b - a).map(([kind, count]) => `${count} ${kind}`);
  const more = named.length > KINDS_NAMED ? ', and others' : '';
  return `${named.slice(0, KINDS_NAMED).join(', ')}${more}`;
}

/** Counts by a kind that a file names, of which there may be many. */
function add<Kind extends string>(counts: Map<Kind, number>, kind: Kind): void {
  const short = kind.slice(0, KIND_CHARACTERS_MAX) as Kind;
  if (counts.size >= 100 && !counts.has(short)) return;
  counts.set(short, (counts.get(short) ?? 0) + 1);
}
