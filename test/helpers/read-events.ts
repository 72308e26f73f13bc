import { createParser } from 'eventsource-parser';
import type { ResponseEvent } from '#shared/responses/schema/response.ts';

/**
 * The events of a stream that has ended, which are named by their types and end in `[DONE]`.
 * @throws {Error} where the stream is of another form
 */
export function readEvents(text: string): ResponseEvent[] {
  const events: ResponseEvent[] = [];
  let isDone = false;
  const parser = createParser({
    onEvent: ({ data, event, id }) => {
      if (isDone || id !== undefined) throw new Error(`This is out of place: ${data}`);
      if (data === '[DONE]') {
        isDone = true;
        return;
      }
      const parsed = JSON.parse(data) as ResponseEvent;
      if (parsed.type !== event) throw new Error(`An event ${event} is of the type ${parsed.type}.`);
      events.push(parsed);
    },
  });
  parser.feed(text);
  if (!isDone) throw new Error(`The stream does not end in [DONE]: ${text.slice(-300)}`);
  return events;
}
