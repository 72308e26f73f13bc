import type { ColumnMapping, ConfiguredColumnMapping } from '../../schema/column-mapping.ts';
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

/**
 * Proposes a mapping of columns for a file: that of its form, the column of its conversations, or the prompts and answers that its
 * columns are called. Null if it has the form of pairs, or nothing suggests one.
 */
export function proposeMapping(columns: readonly RowsColumn[]): ColumnMapping | null {
  const form = findForm(columns);
  if (form?.column_mapping.chosen !== undefined) return null;
  if (form !== null) {
    const { context, ...mapping } = form.column_mapping;
    return context.length === 0 ? mapping : { ...mapping, context };
  }
  const [chat, ...otherChats] = columns.filter(isConversation);
  if (chat !== undefined && otherChats.length === 0) return { chat: chat.name };
  const names = columns.filter(({ profile }) => profile?.is_empty !== true).map(({ name }) => name);
  const lastWord = (name: string): string =>
    name
      .toLowerCase()
      .split(/[^a-z]+/)
      .at(-1) ?? '';
  const called = (words: readonly string[]): string | undefined =>
    words.flatMap((word) => names.filter((name) => lastWord(name) === word))[0];
  const [prompt, completion] = [called(PROMPT_WORDS), called(COMPLETION_WORDS)];
  return prompt === undefined || completion === undefined ? null : { prompt, completion };
}
