import { sharedMessages } from '#shared/models/decide/call-memo.ts';
import { FENCE_RULE, fence } from '#shared/models/decide/fence.ts';
import type { ChatMessage, GenerateRequest } from '#shared/models/decide/port.ts';

export const EXTEND_CONVERSATION_VERSION = 'extend-conversation.v1';

const SYSTEM = `You continue conversations: you write what the user says next. It is one question or request, in the user's own words and language, that follows from the conversation and that only somebody can answer who remembers a detail said earlier in it. Point to that detail without repeating it. Never answer, and do not say goodbye or thanks.
${FENCE_RULE}
Reply with the user's message only.`;

/** Token limit of a message of a few sentences. */
const OUTPUT_TOKENS_MAX = 200;

/** The same in every call, so cacheable. */
const EXAMPLES: readonly { readonly conversation: string; readonly message: string }[] = [
  {
    conversation:
      'user: We are four people and one of us eats no nuts. What can I bake?\nassistant: A lemon sponge cake is easy, and there are no nuts in it.',
    message: 'Could I top it with pesto rolls on the side, given what I told you about us?',
  },
  {
    conversation:
      'user: Mein Zug geht um 14:20 ab Köln. Wie komme ich vom Dom hin?\nassistant: Der Hauptbahnhof liegt direkt neben dem Dom, zu Fuß sind es drei Minuten.',
    message: 'Wann muss ich dann spätestens am Dom losgehen, wenn ich zehn Minuten vorher dort sein will?',
  },
];

const ask = (conversation: string): string =>
  `${fence([{ name: 'conversation', text: conversation }])}\nWrite what the user says next.`;

const PREFIX = sharedMessages([
  { role: 'system', content: SYSTEM },
  ...EXAMPLES.flatMap(({ conversation, message }): ChatMessage[] => [
    { role: 'user', content: ask(conversation) },
    { role: 'assistant', content: message },
  ]),
]);

/** Asks for the user's next message of a conversation, which is formatted as lines of `role: text`. */
export function extendConversation(conversation: string): GenerateRequest {
  return {
    messages: [...PREFIX, { role: 'user', content: ask(conversation) }],
    maxOutputTokens: OUTPUT_TOKENS_MAX,
    temperature: 0.3,
    seed: 1,
  };
}
