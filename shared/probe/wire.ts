import { need, resource } from '#shared/platform/runtime/need.ts';
import { theSecrets } from '#shared/platform/wire.ts';
import { createServiceClient } from './adapters/service-client.ts';
import type { ProbeClient } from './run-probe.ts';
import { ProbeAccess } from './schema/probe-access.ts';

/** The API, as one of its callers reaches it. */
export const theApi = /* @__PURE__ */ resource<(access: ProbeAccess) => ProbeClient>(
  'the API of the service',
  () =>
    ({ api_url, api_key }) =>
      createServiceClient({ apiUrl: api_url, apiKey: api_key, requestMilliseconds: 60_000 }),
);

/**
 * Reaches the API as the team of the probe.
 * @throws {Error} if that has not been set up
 */
export const probeClient = /* @__PURE__ */ need(
  { probe: true, secrets: ['probe_access'] },
  (use) => async (): Promise<ProbeClient> => {
    const text = await use(theSecrets)('probe_access')();
    const access = ProbeAccess.safeParse(text === 'unset' ? null : JSON.parse(text)).data;
    if (access !== undefined) return use(theApi)(access);
    throw new Error('The probe has no key: npm run admin -- --stage NAME probe start');
  },
);
