import { FENCE_RULE, fence } from '#shared/models/decide/fence.ts';
import type { GenerateRequest } from '#shared/models/decide/port.ts';
import type { Subdomain } from '../taxonomy.ts';

const SYSTEM = `You sort descriptions of datasets into a catalog of topics. You name the topics that rows of such a dataset would belong to, the best first, and none that is merely near. Where no topic fits, or the description is no description of a dataset, the list stays empty.
${FENCE_RULE}`;

/** Token limit for the longest list of codes. */
const OUTPUT_TOKENS_MAX = 300;

/** Asks which topics a description is about; the answer is `{"topics": [code, …]}`. */
export function chooseSubdomains(description: string, choices: readonly Subdomain[]): GenerateRequest {
  const list = choices.map(({ code, title }) => `${code}: ${title}`).join('\n');
  return {
    messages: [
      { role: 'system', content: SYSTEM },
      {
        role: 'user',
        content: `${fence([{ name: 'description', text: description }])}\nTopics:\n${list}\nWhich of these topics is the dataset about?`,
      },
    ],
    maxOutputTokens: OUTPUT_TOKENS_MAX,
    temperature: 0,
    seed: 1,
    jsonSchema: {
      name: 'topics',
      choicesVary: true,
      schema: {
        type: 'object',
        properties: {
          topics: { type: 'array', items: { type: 'string', enum: choices.map(({ code }) => code).sort() } },
        },
        required: ['topics'],
        additionalProperties: false,
      },
    },
  };
}
