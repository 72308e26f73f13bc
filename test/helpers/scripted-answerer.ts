import type { AnsweringModel, TurnPart, TurnRequest } from '#shared/models/decide/turn.ts';

type Script = readonly TurnPart[] | ((request: TurnRequest, signal: AbortSignal) => AsyncIterable<TurnPart>);

export const usage = (inputTokens: number, outputTokens: number) => ({
  inputTokens,
  cachedTokens: 4,
  cacheWriteTokens: 2,
  outputTokens,
  reasoningTokens: 0,
});

/** A text, word by word, and an end. */
export const saying = (text: string, reason: 'stop' | 'length' | 'filtered' = 'stop'): TurnPart[] => [
  ...text.split(/(?<= )/).map((delta) => ({ type: 'text', delta }) as const),
  { type: 'end', reason, usage: usage(10, 5) },
];

/** Calls, their arguments in two pieces each. */
export const calling = (...calls: readonly [name: string, args: unknown][]): TurnPart[] => [
  ...calls.flatMap(([name, args], index): TurnPart[] => {
    const text = typeof args === 'string' ? args : JSON.stringify(args);
    const half = Math.ceil(text.length / 2);
    return [
      { type: 'tool_call', index, callId: `call_${name}_${index}`, name },
      { type: 'tool_arguments', index, delta: text.slice(0, half) },
      { type: 'tool_arguments', index, delta: text.slice(half) },
    ];
  }),
  { type: 'end', reason: 'tool_calls', usage: usage(10, 5) },
];

export interface ScriptedAnswerer extends AnsweringModel {
  /** What it was asked, in order. */
  readonly asked: TurnRequest[];
}

/** A model that answers by a script, one entry a call; asked once more, it throws. */
export function createScriptedAnswerer(
  scripts: readonly Script[],
  forwarded: readonly string[] = [],
): ScriptedAnswerer {
  const asked: TurnRequest[] = [];
  return {
    modelId: 'scripted',
    asked,
    forwards: (type) => forwarded.includes(type),
    async *answer(request, signal) {
      const script = scripts[asked.push(request) - 1];
      if (script === undefined) throw new Error(`The script has no answer ${asked.length}.`);
      if (typeof script === 'function') yield* script(request, signal);
      else yield* script;
    },
  };
}
