import type {
  ColumnMapping,
  ConfiguredColumnMapping,
  RawColumnMapping,
} from '../../schema/column-mapping.ts';
import type { RowsColumn } from '../../schema/rows-manifest.ts';

/** A form in which people have their rows, with the mapping that follows from it. */
export interface KnownForm {
  readonly name: 'openai' | 'sharegpt' | 'alpaca' | 'trl' | 'opentelemetry' | 'langfuse';
  readonly column_mapping: ConfiguredColumnMapping;
}

/** Whether the cells of a column are conversations; false of a column that was not looked at. */
export const isConversation = ({ profile }: RowsColumn): boolean =>
  profile !== undefined && profile.not_chat === null && !profile.is_empty;

/** Recognises the form of a file by the names of its columns and by which of them hold conversations; null if it is none. */
export function findForm(columns: readonly RowsColumn[]): KnownForm | null {
  const names = new Set(columns.map(({ name }) => name));
  const has = (...wanted: readonly string[]): boolean => wanted.every((name) => names.has(name));
  const chats = columns.filter(isConversation).map(({ name }) => name);
  const context = (...wanted: readonly string[]): string[] => wanted.filter((name) => names.has(name));
  const form = (
    name: KnownForm['name'],
    mapping: Omit<ConfiguredColumnMapping, 'context'>,
    beside: string[] = [],
  ) => ({
    name,
    column_mapping: { ...mapping, context: beside },
  });
  const pair = { chosen: 'chosen', rejected: 'rejected' };
  if (has('chosen', 'rejected')) {
    if (has('prompt')) return form('trl', { prompt: 'prompt', ...pair });
    if (has('instruction')) return form('alpaca', { prompt: 'instruction', ...pair }, context('input'));
    if (has('conversations')) return form('sharegpt', { prompt: 'conversations', ...pair });
    // Whole conversations, whose turns before the last reply are the prompt.
    return chats.includes('chosen') ? form('trl', { prompt: 'chosen', ...pair }) : null;
  }
  if (has('input', 'preferred_output', 'non_preferred_output')) {
    return form('openai', {
      prompt: 'input',
      chosen: 'preferred_output',
      rejected: 'non_preferred_output',
    });
  }
  if (chats.includes('messages')) {
    const isSpan = has('trace_id', 'span_id');
    const isLangfuse = has('parentObservationId') || has('sourceTraceId') || has('sessionId', 'userId');
    return form(isSpan ? 'opentelemetry' : isLangfuse ? 'langfuse' : 'openai', { chat: 'messages' });
  }
  const speakers = ['conversations', 'conversation'].find((name) => chats.includes(name));
  if (speakers !== undefined) return form('sharegpt', { chat: speakers });
  if (has('instruction', 'output')) {
    return form('alpaca', { prompt: 'instruction', completion: 'output' }, context('input'));
  }
  // One text that a chat template has rendered.
  if (chats.includes('text')) return form('trl', { chat: 'text' });
  return has('prompt', 'completion') ? form('trl', { prompt: 'prompt', completion: 'completion' }) : null;
}

/** Last words of the names of columns that hold prompts and answers. What they suggest is for people to check: no run takes it unasked. */
const PROMPT_WORDS: readonly string[] = ['prompt', 'question', 'instruction', 'query', 'input'];
const COMPLETION_WORDS: readonly string[] = ['completion', 'answer', 'response', 'output', 'reply'];

/** The first column with content that is called so, by the last word of its name, in the order of the words. */
function calledSo(columns: readonly RowsColumn[], words: readonly string[]): string | undefined {
  const names = columns.filter(({ profile }) => profile?.is_empty !== true).map(({ name }) => name);
  const lastWord = (name: string): string =>
    name
      .toLowerCase()
      .split(/[^a-z]+/)
      .at(-1) ?? '';
  return words.flatMap((word) => names.filter((name) => lastWord(name) === word))[0];
}

/** A mapping, as a request states it. */
const stated = <Mapping extends object>({
  context,
  ...mapping
}: Mapping & { readonly context: string[] }): Omit<Mapping, 'context'> & { context?: string[] } =>
  context.length === 0 ? mapping : { ...mapping, context };

/**
 * Proposes a mapping of the pairs of a file, as a raw ingest and a training take it: that of its form, or prompts that a column beside
 * `chosen` and `rejected` is called. Null if nothing suggests one.
 */
export function proposePairs(
  columns: readonly RowsColumn[],
): Required<Pick<RawColumnMapping, 'prompt' | 'chosen' | 'rejected'>> | null {
  const { prompt, chosen, rejected, context = [] } = findForm(columns)?.column_mapping ?? {};
  if (prompt !== undefined && chosen !== undefined && rejected !== undefined) {
    return stated({ prompt, chosen, rejected, context });
  }
  const asked = calledSo(columns, PROMPT_WORDS);
  const isPair = ['chosen', 'rejected'].every((name) => columns.some((column) => column.name === name));
  return isPair && asked !== undefined ? { prompt: asked, chosen: 'chosen', rejected: 'rejected' } : null;
}

/**
 * Proposes a mapping of columns for a file: that of its form, the column of its conversations, or the prompts and answers that its
 * columns are called. Of pairs the better answers are those that are adapted. Null if nothing suggests one.
 */
export function proposeMapping(columns: readonly RowsColumn[]): ColumnMapping | null {
  const pairs = proposePairs(columns);
  if (pairs !== null) {
    const { chosen: completion, rejected: _, ...asked } = pairs;
    // Whole conversations, each with its better reply.
    return asked.prompt === completion ? { chat: completion } : { ...asked, completion };
  }
  const form = findForm(columns);
  if (form !== null) return stated(form.column_mapping);
  const [chat, ...otherChats] = columns.filter(isConversation);
  if (chat !== undefined && otherChats.length === 0) return { chat: chat.name };
  const [prompt, completion] = [calledSo(columns, PROMPT_WORDS), calledSo(columns, COMPLETION_WORDS)];
  return prompt === undefined || completion === undefined ? null : { prompt, completion };
}
