import type { ModelResponse, ResponseEvent } from '../schema/response.ts';

const LAST_EVENTS = ['response.completed', 'response.incomplete', 'response.failed'] as const;

/** The event that ends a response. */
export interface LastEvent {
  readonly type: (typeof LAST_EVENTS)[number];
  readonly response: ModelResponse;
}

/** Whether this event ends the response for the caller. */
export const isLastEvent = (event: { readonly type?: string }): event is LastEvent =>
  LAST_EVENTS.some((type) => type === event.type);

/**
 * Folds a stream of events into the response object: items from their `done` events, and everything else from the last
 * event.
 */
export async function foldEvents(events: AsyncIterable<{ readonly type?: string }>): Promise<ModelResponse> {
  const items = new Map<number, ModelResponse['output'][number]>();
  let last: ModelResponse | undefined;
  for await (const event of events as AsyncIterable<ResponseEvent>) {
    if (event.type === 'response.output_item.done') items.set(event.output_index, event.item);
    if ('response' in event) last = event.response;
  }
  if (last === undefined) throw new Error('The answer ended without an event.');
  return { ...last, output: last.output.map((item, index) => items.get(index) ?? item) };
}
