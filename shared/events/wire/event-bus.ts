import { resource } from '#shared/platform/runtime/need.ts';
import { createEventBus } from '../adapters/event-bus.ts';

/** The bus that operators subscribe to. */
export const theEventBus = /* @__PURE__ */ resource('the event bus', ({ env }) =>
  createEventBus(env.eventBusName()),
);
