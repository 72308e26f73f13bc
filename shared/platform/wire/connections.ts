import { createConnectionReader } from '../adapters/connection-reader.ts';
import { resource } from '../runtime/need.ts';

/** The credentials that teams store for providers. */
export const theConnections = /* @__PURE__ */ resource('connections', ({ env }) =>
  createConnectionReader(env.connectionsPrefix()),
);
