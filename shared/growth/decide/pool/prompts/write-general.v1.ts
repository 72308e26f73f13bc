import { FENCE_RULE, fence } from '#shared/models/decide/fence.ts';
import type { GenerateRequest } from '#shared/models/decide/port.ts';
import { type Brief, describeBrief } from '../../invent/brief.ts';
import { PAIR_RULE, writtenRow } from './written-row.ts';

export const WRITE_GENERAL_VERSION = 'write-general.v1';

const SYSTEM = `You add rows to a training dataset that keep a model good at everything. A row has a "prompt", which is what somebody asks, and a "completion", which is a correct and helpful answer to it. A brief says what the prompt is about and who asks: write the prompt in that person's own words and complete in itself, with the details (names, numbers, places, texts) that make it a particular case. Then answer it.
${FENCE_RULE}
Reply with one JSON object and nothing else.`;

/** Asks for a row by a brief; numbers and seeds differ, so that no two calls are the same. */
export function writeGeneral(
  brief: Omit<Brief, 'subdomain'>,
  withPair: boolean,
  row: number,
): GenerateRequest {
  const shown = fence([{ name: 'brief', text: describeBrief(brief) }]);
  return {
    messages: [
      { role: 'system', content: `${SYSTEM}${withPair ? PAIR_RULE : ''}` },
      { role: 'user', content: `${shown}\nWrite row number ${row + 1}: unlike any of the others.` },
    ],
    ...writtenRow({ withPair }, row + 1),
  };
}
