import type { ConfiguredColumnMapping } from '../../schema/column-mapping.ts';
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
