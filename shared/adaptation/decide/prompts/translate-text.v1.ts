import { sharedMessages } from '#shared/models/decide/call-memo.ts';
import { FENCE_RULE, fence } from '#shared/models/decide/fence.ts';
import type { ChatMessage, GenerateRequest } from '#shared/models/decide/port.ts';

export const TRANSLATE_TEXT_VERSION = 'translate-text.v1';

const SYSTEM = `You translate texts of a training dataset. Translate all of the text, naturally and completely; a question stays a question. Never answer it, never add anything. Numbers and marks such as [[1]] stay exactly as they are.
${FENCE_RULE}
Reply with the translation only.`;

/** Without examples, small models answer a request instead of translating it. The same in every call, so cacheable. */
const EXAMPLES: readonly { readonly language: string; readonly text: string; readonly translated: string }[] =
  [
    {
      language: 'French',
      text: 'How long do I boil an egg?',
      translated: 'Combien de temps faut-il cuire un œuf ?',
    },
    {
      language: 'German',
      text: 'Open [[1]], then run [[2]] and wait for 30 seconds.',
      translated: 'Öffne [[1]], führe dann [[2]] aus und warte 30 Sekunden.',
    },
    {
      language: 'Simplified Chinese',
      text: 'You are a helpful assistant.',
      translated: '你是一个乐于助人的助手。',
    },
  ];

const ask = (text: string, language: string): string =>
  `${fence([{ name: 'text', text }])}\nTranslate the text into ${language}.`;

const PREFIX = sharedMessages([
  { role: 'system', content: SYSTEM },
  ...EXAMPLES.flatMap(({ language, text, translated }): ChatMessage[] => [
    { role: 'user', content: ask(text, language) },
    { role: 'assistant', content: translated },
  ]),
]);

/** Asks for a translation; the language is in English. */
export function translateText(text: string, language: string, outputTokensMax: number): GenerateRequest {
  return {
    messages: [...PREFIX, { role: 'user', content: ask(text, language) }],
    maxOutputTokens: outputTokensMax,
    temperature: 0,
    seed: 1,
  };
}
