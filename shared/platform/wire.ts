import { randomUUID } from 'node:crypto';
import { createConnectionReader } from './adapters/connection-reader.ts';
import { createSecretReader } from './adapters/secret-reader.ts';
import { ServiceError } from './errors/service-error.ts';
import { need, resource } from './runtime/need.ts';
import type { SecretName } from './runtime/uses.ts';
import { INTAKE_CLAIM } from './storage/claims.ts';
import { createClaims } from './store/claims.ts';
import { createFreeUseLimiter, createRateLimiter, createUnbilledAllowance } from './store/rate-limiter.ts';
import { createTable } from './store/table.ts';

/** How an item of the table is accessed. `write` includes `read`. */
export type Access = 'read' | 'write';

/** The service's only table. */
export const theTable = /* @__PURE__ */ resource('the table', ({ env }) => createTable(env.tableName()));

/** What work in progress holds, so that nobody else does it too. */
export const claims = (access: Access) => need({ table: access }, (use) => createClaims(use(theTable)));

/** Every route with a key counts its requests; infra grants each of them access to the counters. */
export const rateLimiter = /* @__PURE__ */ need({}, (use) => createRateLimiter(use(theTable)));

const INTAKE_RETRY_SECONDS = 60;

/**
 * Refuses requests that would start something while the intake is closed. Functions that start executions read the table.
 * @throws {ServiceError} `service_unavailable`
 */
export const intake = /* @__PURE__ */ need({}, (use) => {
  const claimed = createClaims(use(theTable));
  return async (): Promise<void> => {
    if (!(await claimed.isTaken(INTAKE_CLAIM))) return;
    throw new ServiceError(
      'service_unavailable',
      'The service is about to be upgraded: what runs goes on, and nothing new starts until then. Try again in a minute.',
      { retryAfterSeconds: INTAKE_RETRY_SECONDS },
    );
  };
});

/** Counts uses that cost nothing. */
export const freeUses = /* @__PURE__ */ need({ table: 'write' }, (use) =>
  createFreeUseLimiter(use(theTable)),
);

/** Counts the tokens of rows that are not billed. */
export const unbilled = /* @__PURE__ */ need({ table: 'write' }, (use) =>
  createUnbilledAllowance(use(theTable)),
);

/** New ids. */
export const theIds = /* @__PURE__ */ resource<() => string>('new ids', () => randomUUID);

/** Makes UUIDs. */
export const newId = /* @__PURE__ */ need({}, (use) => use(theIds));

/** Random numbers from 0 to 1. */
export const theRandom = /* @__PURE__ */ resource<() => number>('random numbers', () => Math.random);

export const random = /* @__PURE__ */ need({}, (use) => use(theRandom));

/** The secrets of the installation. */
export const theSecrets = /* @__PURE__ */ resource<(name: SecretName) => () => Promise<string>>(
  'secrets',
  ({ env }) =>
    (name) =>
      createSecretReader(env.secretArn(name)),
);

/** The key that signs cursors. */
export const cursorKey = /* @__PURE__ */ need({ secrets: ['cursor_signing'] }, (use) =>
  use(theSecrets)('cursor_signing'),
);

/** The credentials that teams store for providers. */
export const theConnections = /* @__PURE__ */ resource('connections', ({ env }) =>
  createConnectionReader(env.connectionsPrefix()),
);

/** Finds the credential that a team stores for a provider. */
export const findConnection = /* @__PURE__ */ need({ connections: true }, (use) => use(theConnections));

/** Where browsers exchange files with the bucket. */
export const bucketOrigin = /* @__PURE__ */ need<string>({ bucketOrigin: true }, ({ env }) =>
  env.bucketOrigin(),
);
