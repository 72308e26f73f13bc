import { expect, test } from 'vitest';
import { Event, eventData } from '#shared/events/schema/event.ts';

test('the schema of events has each type that has data', () => {
  const types = Event.options.map((option) => option.shape.type.value);

  expect(types.toSorted()).toEqual(Object.keys(eventData).toSorted());
});
