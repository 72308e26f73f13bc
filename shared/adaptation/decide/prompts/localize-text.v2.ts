import { sharedMessages } from '#shared/models/decide/call-memo.ts';
import { FENCE_RULE, fence } from '#shared/models/decide/fence.ts';
import type { ChatMessage, GenerateRequest } from '#shared/models/decide/port.ts';

export const LOCALIZE_TEXT_VERSION = 'localize-text.v2';

const SYSTEM = `You localize texts of a training dataset: you write them anew in the language of a country, for the people who live there. Convert units and currency, write dates, times and numbers the way they are written there, take names of people, places, shops and dishes that are usual there, and keep the meaning; a question stays a question. Never answer it, never add anything. Marks such as [[1]] stay exactly as they are.
${FENCE_RULE}
Reply with the localized text only.`;

/** The same in every call, so cacheable. */
const EXAMPLES: readonly {
  readonly language: string;
  readonly country: string;
  readonly text: string;
  readonly localized: string;
}[] = [
  {
    language: 'German',
    country: 'Germany',
    text: 'John drives 60 miles from Boston to see his aunt. Gas costs $4 a gallon. What does he pay?',
    localized:
      'Jonas fährt 100 Kilometer von Hamburg zu seiner Tante. Der Liter Benzin kostet 1,80 €. Was bezahlt er?',
  },
  {
    language: 'German',
    country: 'Austria',
    text: 'The shop in Springfield opens at 9:30 AM on 07/04/2025 and expects 1,250.50 pounds of apples.',
    localized: 'Das Geschäft in Linz öffnet am 04.07.2025 um 9:30 Uhr und erwartet 567,2 Kilogramm Äpfel.',
  },
  {
    language: 'Spanish',
    country: 'Mexico',
    text: 'Where can I pay [[1]] for school lunch?',
    localized: '¿Dónde puedo pagar [[1]] por el almuerzo de la escuela?',
  },
];

const ask = (text: string, language: string, country: string): string =>
  `${fence([{ name: 'text', text }])}\nLocalize the text for ${country}, in ${language}.`;

const PREFIX = sharedMessages([
  { role: 'system', content: SYSTEM },
  ...EXAMPLES.flatMap(({ language, country, text, localized }): ChatMessage[] => [
    { role: 'user', content: ask(text, language, country) },
    { role: 'assistant', content: localized },
  ]),
]);

/** Asks to localize a text for a country; language and country are in English. */
export function localizeText(
  text: string,
  language: string,
  country: string,
  outputTokensMax: number,
): GenerateRequest {
  return {
    messages: [...PREFIX, { role: 'user', content: ask(text, language, country) }],
    maxOutputTokens: outputTokensMax,
    temperature: 0,
    seed: 1,
  };
}
