import { expect, it } from 'vitest';
import { mayRead, scopeOf } from '#shared/events/decide/may-read.ts';
import { Event, type EventType } from '#shared/events/schema/event.ts';

const SCOPES: Readonly<Record<EventType, string | null>> = {
  'dataset.read': 'datasets:read',
  'run.progressed': 'datasets:read',
  'run.ended': 'datasets:read',
  'pilot.ended': 'datasets:read',
  'evaluation.ended': 'datasets:read',
  'training.iteration_ended': 'training',
  'training.ended': 'training',
  'credits.low': null,
  'answer.failed': 'responses',
  'webhook.disabled': 'webhooks',
  'webhook.test': 'webhooks',
};

it.each(Event.options.map(({ shape }) => shape.type.value))(
  'an event %s is read with its scope alone',
  (type) => {
    const scope = SCOPES[type];

    expect(scopeOf(type)).toBe(scope);
    expect(mayRead([], type)).toBe(scope === null);
    expect(mayRead(['datasets:read', 'training', 'responses', 'webhooks'], type)).toBe(true);
  },
);

it('an event of a type that the list does not have is read by nobody', () => {
  const unknown = 'run.imagined' as EventType;

  expect(mayRead(['datasets:read', 'training', 'responses', 'webhooks'], unknown)).toBe(false);
  expect(() => scopeOf(unknown)).toThrow('run.imagined');
});
