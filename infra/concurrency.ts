import type { EndpointContract } from '#shared/platform/contracts/endpoint.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { forwardTelemetry } from '#shared/telemetry/background.ts';
import { deliverWebhook } from '#shared/webhooks/background.ts';
import type { Config } from './config.ts';
import { AUTHORIZER_FUNCTION_ID, endpointFunctionId } from './names.ts';

/** The function for which `TELEMETRY_CONCURRENCY` reserves concurrency. */
export const TELEMETRY_FUNCTION_ID = forwardTelemetry.id;

type Setting = keyof Config['concurrency'];

/** The setting that bounds an endpoint: responses, streams of events and waits of agents hold their functions. Null for all others. */
export function settingOf({ streams }: Pick<EndpointContract, 'streams'>): Setting | null {
  if (streams === undefined) return null;
  return streams === 'accept' ? 'events' : 'answers';
}

const endpointsOf = (setting: Setting): string[] =>
  contracts.filter((contract) => settingOf(contract) === setting).map(endpointFunctionId);

/** Ids of the functions that each setting reserves concurrency for. Each of them gets the whole number. */
export const reservedFunctionIds: Readonly<Record<Setting, readonly string[]>> = {
  authorizer: [AUTHORIZER_FUNCTION_ID],
  answers: endpointsOf('answers'),
  events: endpointsOf('events'),
  webhooks: [deliverWebhook.id],
};
