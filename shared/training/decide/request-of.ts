import type { ChatMessage, TrainedAnswer } from '../schema/training-job.ts';

/** A request as one text: a single message unchanged, several with their roles. */
export function requestOf(messages: readonly ChatMessage[]): string {
  const [only] = messages;
  if (messages.length === 1 && only !== undefined) return only.content;
  return messages.map((message) => `${message.role}: ${said(message)}`).join('\n\n');
}

/** An answer as one text. */
export const answerOf = (answer: TrainedAnswer): string =>
  typeof answer === 'string' ? answer : said(answer);

/** What a message says, and which tools it calls. */
const said = ({ content, tool_calls: calls = [] }: Omit<ChatMessage, 'role'>): string =>
  [content, ...calls.map(({ function: called }) => `calls ${called.name}(${called.arguments})`)]
    .filter((text) => text !== '' || calls.length === 0)
    .join('\n');
