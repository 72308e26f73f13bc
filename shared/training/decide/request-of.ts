import type { ChatMessage } from '../schema/training-job.ts';

/** A request as one text: a single message unchanged, several with their roles. */
export function requestOf(messages: readonly ChatMessage[]): string {
  const [only] = messages;
  if (messages.length === 1 && only !== undefined) return only.content;
  return messages.map(({ role, content }) => `${role}: ${content}`).join('\n\n');
}
