import { createParser } from 'eventsource-parser';

/** Reads the data of server-sent events from bytes as they arrive. */
export interface EventDataReader {
  /** The data of the events that these bytes complete; null once an event is larger than it may be. */
  read(bytes: Uint8Array): readonly string[] | null;
}

export function createEventDataReader(eventBytesMax: number): EventDataReader {
  const waiting: string[] = [];
  let isTooLarge = false;
  const parser = createParser({
    onEvent: ({ data }) => waiting.push(data),
    onError: ({ type }) => {
      isTooLarge ||= type === 'max-buffer-size-exceeded';
    },
    maxBufferSize: eventBytesMax,
  });
  const decoder = new TextDecoder();
  return {
    read(bytes) {
      parser.feed(decoder.decode(bytes, { stream: true }));
      return isTooLarge ? null : waiting.splice(0);
    },
  };
}
