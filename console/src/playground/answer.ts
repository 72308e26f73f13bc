import { words } from '../format.ts';

/** A citation of a row at a place of a text. */
export interface Citation {
  readonly datasetId: string;
  readonly datasetName: string;
  readonly row: number;
  /** Where in the text, in UTF-16 code units. */
  readonly index: number;
}

/** A row that a search has found. */
interface FoundRow {
  readonly datasetId: string;
  readonly datasetName: string;
  readonly row: number;
  readonly passage: number | null;
  readonly text: string;
}

/** A part of an answer, as it is shown. */
export type Item =
  | {
      readonly kind: 'message';
      readonly texts: readonly { readonly text: string; readonly citations: readonly Citation[] }[];
    }
  | { readonly kind: 'reasoning'; readonly text: string }
  | {
      readonly kind: 'search';
      readonly status: string;
      readonly queries: readonly string[];
      readonly results: readonly FoundRow[];
    }
  | {
      readonly kind: 'tools';
      readonly server: string;
      readonly names: readonly string[];
      readonly error: string | null;
    }
  | {
      readonly kind: 'call';
      readonly server: string;
      readonly name: string;
      readonly arguments: string;
      readonly output: string | null;
      readonly error: string | null;
      readonly status: string;
    }
  | ApprovalRequest
  | { readonly kind: 'other'; readonly type: string; readonly text: string };

/** A call of a tool that waits until a person has allowed or refused it. */
export interface ApprovalRequest {
  readonly kind: 'approval';
  readonly id: string;
  readonly server: string;
  readonly name: string;
  readonly arguments: string;
}

type AnswerStatus = 'waiting' | 'streaming' | 'completed' | 'incomplete' | 'failed' | 'stopped';

/** One response of a model, as far as it has come. */
export interface Answer {
  readonly id: string | null;
  readonly status: AnswerStatus;
  /** By their place in the output. */
  readonly items: readonly (Item | undefined)[];
  readonly usage: { readonly input: number; readonly output: number } | null;
  /** Why it failed or is incomplete, in the service's words. */
  readonly problem: string | null;
}

export const NO_ANSWER: Answer = { id: null, status: 'waiting', items: [], usage: null, problem: null };

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const indexOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

/** The answer after one more event of its stream. Events that it does not know leave it as it is. */
export function afterEvent(answer: Answer, event: unknown): Answer {
  if (!isFields(event)) return answer;
  const at = indexOf(event.output_index);
  switch (event.type) {
    case 'response.created':
    case 'response.in_progress':
      return { ...answer, id: textOrNull(fieldsOf(event.response).id) ?? answer.id, status: 'streaming' };
    case 'response.output_item.added':
    case 'response.output_item.done':
      return at === null ? answer : withItem(answer, at, itemOf(event.item));
    case 'response.content_part.added':
      return changed(answer, at, (item) =>
        item.kind === 'message' ? withText(item, indexOf(event.content_index) ?? 0, (text) => text) : item,
      );
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      return changed(answer, at, (item) =>
        item.kind === 'message'
          ? withText(item, indexOf(event.content_index) ?? 0, (part) => ({
              ...part,
              text: part.text + textOf(event.delta),
            }))
          : item,
      );
    case 'response.output_text.annotation.added': {
      const citation = citationOf(event.annotation);
      if (citation === null) return answer;
      return changed(answer, at, (item) =>
        item.kind === 'message'
          ? withText(item, indexOf(event.content_index) ?? 0, (part) => ({
              ...part,
              citations: [...part.citations, citation],
            }))
          : item,
      );
    }
    case 'response.reasoning_text.delta':
    case 'response.reasoning_summary_text.delta':
      return changed(answer, at, (item) =>
        item.kind === 'reasoning' ? { ...item, text: item.text + textOf(event.delta) } : item,
      );
    case 'response.file_search_call.searching':
      return changed(answer, at, (item) =>
        item.kind === 'search' ? { ...item, status: 'searching' } : item,
      );
    case 'response.completed':
    case 'response.incomplete':
    case 'response.failed':
      return answerOf(event.response);
    case 'error':
      return {
        ...answer,
        status: 'failed',
        problem:
          textOrNull(event.message) ?? textOrNull(fieldsOf(event.error).message) ?? 'The answer failed.',
      };
    default:
      return answer;
  }
}

/** The answer of a whole response object: the last event of a stream has one, and a service that does not stream sends one. */
export function answerOf(response: unknown): Answer {
  const { id, status, output, usage, error, incomplete_details: incomplete } = fieldsOf(response);
  const counted = isFields(usage) ? usage : null;
  const input = indexOf(counted?.input_tokens);
  const written = indexOf(counted?.output_tokens);
  return {
    id: textOrNull(id),
    status: status === 'failed' || status === 'incomplete' ? status : 'completed',
    items: listOf(output).map(itemOf),
    usage: input === null || written === null ? null : { input, output: written },
    problem: textOrNull(fieldsOf(error).message) ?? reasonWords(textOrNull(fieldsOf(incomplete).reason)),
  };
}

function reasonWords(reason: string | null): string | null {
  if (reason === null) return null;
  return reason === 'max_output_tokens'
    ? 'It has as many tokens as you allowed. Allow more to read on.'
    : `It ended early: ${words(reason)}.`;
}

/** The answer without what its stream did not end. */
export const stopped = (answer: Answer): Answer => ({ ...answer, status: 'stopped' });

function withItem(answer: Answer, at: number, item: Item): Answer {
  const items = [...answer.items];
  items[at] = item;
  return { ...answer, items };
}

function changed(answer: Answer, at: number | null, change: (item: Item) => Item): Answer {
  const item = at === null ? undefined : answer.items[at];
  return at === null || item === undefined ? answer : withItem(answer, at, change(item));
}

type Message = Extract<Item, { kind: 'message' }>;
type Part = Message['texts'][number];

const NO_TEXT: Part = { text: '', citations: [] };
/** Parts of one message; a stream that names a later one is not believed. */
const PARTS_MAX = 1000;

function withText(message: Message, at: number, change: (part: Part) => Part): Message {
  if (at > PARTS_MAX) return message;
  const texts = [...message.texts];
  while (texts.length <= at) texts.push(NO_TEXT);
  texts[at] = change(texts[at] ?? NO_TEXT);
  return { ...message, texts };
}

function itemOf(value: unknown): Item {
  const item = fieldsOf(value);
  switch (item.type) {
    case 'message':
      return {
        kind: 'message',
        texts: listOf(item.content).map((part) => {
          const { text, refusal, annotations } = fieldsOf(part);
          return {
            text: textOrNull(text) ?? textOf(refusal),
            citations: listOf(annotations).flatMap((each) => citationOf(each) ?? []),
          };
        }),
      };
    case 'reasoning':
      return {
        kind: 'reasoning',
        text: [...listOf(item.summary), ...listOf(item.content)]
          .map((part) => textOf(fieldsOf(part).text))
          .join('\n\n'),
      };
    case 'file_search_call':
      return {
        kind: 'search',
        status: textOf(item.status),
        queries: listOf(item.queries).map(textOf),
        results: listOf(item.results).flatMap((each) => foundOf(each) ?? []),
      };
    case 'mcp_list_tools':
      return {
        kind: 'tools',
        server: textOf(item.server_label),
        names: listOf(item.tools).map((tool) => textOf(fieldsOf(tool).name)),
        error: textOrNull(item.error),
      };
    case 'mcp_call':
      return {
        kind: 'call',
        server: textOf(item.server_label),
        name: textOf(item.name),
        arguments: textOf(item.arguments),
        output: textOrNull(item.output),
        error: textOrNull(item.error),
        status: textOf(item.status),
      };
    case 'mcp_approval_request':
      return {
        kind: 'approval',
        id: textOf(item.id),
        server: textOf(item.server_label),
        name: textOf(item.name),
        arguments: textOf(item.arguments),
      };
    default:
      return { kind: 'other', type: textOf(item.type), text: JSON.stringify(value, null, 2) ?? '' };
  }
}

function citationOf(value: unknown): Citation | null {
  const { type, dataset_id: datasetId, filename, row, index } = fieldsOf(value);
  const number = indexOf(row);
  if (type !== 'file_citation' || typeof datasetId !== 'string' || number === null) return null;
  return { datasetId, datasetName: textOf(filename) || datasetId, row: number, index: indexOf(index) ?? 0 };
}

function foundOf(value: unknown): FoundRow | null {
  const { filename, text, attributes } = fieldsOf(value);
  const { dataset_id: datasetId, row, passage } = fieldsOf(attributes);
  const number = indexOf(row);
  if (typeof datasetId !== 'string' || number === null) return null;
  return {
    datasetId,
    datasetName: textOf(filename) || datasetId,
    row: number,
    passage: indexOf(passage),
    text: textOf(text),
  };
}

/** The calls of an answer that wait for a person. */
export const approvalsOf = ({ items }: Answer): ApprovalRequest[] =>
  items.filter((item): item is ApprovalRequest => item?.kind === 'approval');

/** The citation of each mark `[n]` that stands in a text. */
export function marksOf({ text, citations }: Part): ReadonlyMap<number, Citation> {
  const marks = new Map<number, Citation>();
  for (const citation of citations) {
    const number = /^\[(\d{1,5})\]/.exec(text.slice(citation.index, citation.index + 8))?.[1];
    if (number !== undefined) marks.set(Number(number), citation);
  }
  return marks;
}

/** The rows that a text cites, each once, in the order of their first citation. */
export function sourcesOf(citations: readonly Citation[]): Citation[] {
  const sources = new Map<string, Citation>();
  for (const citation of citations) {
    const row = `${citation.datasetId} ${citation.row}`;
    if (!sources.has(row)) sources.set(row, citation);
  }
  return [...sources.values()];
}
