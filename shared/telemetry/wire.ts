import { clock } from '#shared/models/wire.ts';
import { METRIC_NAMESPACE, metricDescriptions, metrics } from '#shared/platform/contracts/metrics.ts';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { need, resource } from '#shared/platform/runtime/need.ts';
import { RELEASE } from '#shared/platform/schema/release.ts';
import { theSecrets } from '#shared/platform/wire.ts';
import { connectOtlp } from './adapters/otlp.ts';
import { parseHeaders } from './decide/headers.ts';
import type { Receiver } from './decide/ports.ts';
import { createForwardLogs } from './forward-logs.ts';

/** Connects to the operator's receiver of OpenTelemetry, with the headers that the secret holds at that time. */
export const theReceiver = /* @__PURE__ */ resource<() => Promise<Receiver>>(
  'a receiver of OpenTelemetry',
  (use) => async () => {
    const { env } = use;
    return connectOtlp({
      endpoint: env.otlpEndpoint(),
      headers: parseHeaders(await use(theSecrets)('telemetry_headers')()),
      stage: env.stage(),
      region: env.region(),
      release: RELEASE,
    });
  },
);

/** Sends log lines of functions to the receiver. */
export const forwardLogs = /* @__PURE__ */ need(
  { telemetry: true, secrets: ['telemetry_headers'] },
  (use) => {
    const { env } = use;
    const baseUrl = env.optionalModelBaseUrl();
    return createForwardLogs({
      connect: use(theReceiver),
      clock: use(clock),
      models: {
        provider: env.modelProvider() === 'bedrock' ? 'aws.bedrock' : 'openai',
        host: baseUrl === null ? null : new URL(baseUrl).hostname,
      },
      stage: env.stage(),
      namespace: METRIC_NAMESPACE,
      metrics,
      metricDescriptions,
      onFailure: (error) => logger.warn('telemetry not taken', describeError(error)),
    });
  },
);
