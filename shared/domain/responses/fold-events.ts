import type { ModelResponse, ResponseEvent } from '../../schema/response.ts';

const LAST_EVENTS: readonly string[] = ['response.completed', 'response.incomplete', 'response.failed'];

/** Whether a response has ended with this event: what is left to do then is nothing that its caller waits for. */
export const isLastEvent = ({ type }: { readonly type: string }): boolean => LAST_EVENTS.includes(type);

/**
 * The response that a stream of events comes to: its items are those that the events told as done, and everything else
 * is what the last event says.
 */
export async function foldEvents(events: AsyncIterable<{ readonly type: string }>): Promise<ModelResponse> {
  const items = new Map<number, ModelResponse['output'][number]>();
  let last: ModelResponse | undefined;
  for await (const event of events as AsyncIterable<ResponseEvent>) {
    if (event.type === 'response.output_item.done') items.set(event.output_index, event.item);
    if ('response' in event) last = event.response;
  }
  if (last === undefined) throw new Error('The answer ended without an event.');
  return { ...last, output: last.output.map((item, index) => items.get(index) ?? item) };
}
