import { type ModelClient, ModelError } from '#shared/models/decide/port.ts';

/** A model that refuses row 1, answers others with `textFor` what it was shown, and is throttled at first. */
export function createRefusingModel(textFor: (shown: string) => string): ModelClient {
  let calls = 0;
  return {
    modelId: 'a-model',
    generate: async ({ messages }) => {
      calls += 1;
      const shown = messages.map(({ content }) => content).join('\n');
      if (calls === 1) throw new ModelError('throttled', 'Slow down.', { retryAfterSeconds: 0.01 });
      if (shown.includes('question 1 ')) throw new ModelError('rejected', 'The endpoint answered 400.');
      return { text: textFor(shown), finishReason: 'stop', usage: { input_tokens: 9, output_tokens: 4 } };
    },
  };
}
