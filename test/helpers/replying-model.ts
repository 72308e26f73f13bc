import { createAdaptiveLimit } from '#shared/models/decide/adaptive-limit.ts';
import type { Asking } from '#shared/models/decide/ask-model.ts';
import type { GenerateRequest, Generation, ModelClient } from '#shared/models/decide/port.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

type Reply = string | Partial<Generation> | Error;

/** A model in the test's own process that gives one reply after the other, or what a rule says of the request. */
export function replying(...replies: readonly Reply[] | [(request: GenerateRequest) => Reply]) {
  const requests: GenerateRequest[] = [];
  const client: ModelClient = {
    modelId: 'm',
    async generate(request) {
      const [rule] = replies;
      const reply =
        typeof rule === 'function'
          ? rule(request)
          : ((replies as readonly Reply[])[Math.min(requests.length, replies.length - 1)] ?? '');
      requests.push(request);
      if (reply instanceof Error) throw reply;
      const usage = { input_tokens: 1, output_tokens: 1 };
      return typeof reply === 'string'
        ? { text: reply, finishReason: 'stop', usage }
        : { text: '', finishReason: 'stop', usage, ...reply };
    },
  };
  return { client, requests };
}

/** Asks once at a time, twice at most, in no time. */
export function askingInTests(): Asking & { readonly clock: VirtualClock } {
  const clock = createVirtualClock();
  return {
    limit: createAdaptiveLimit({ concurrencyMax: 1, clock, random: () => 0.5 }),
    clock,
    random: () => 0.5,
    attemptsMax: 2,
    serverErrorsMax: 2,
    outageSecondsMax: 60,
  };
}

export const lastText = (request: GenerateRequest | undefined): string =>
  request?.messages.at(-1)?.content ?? '';
