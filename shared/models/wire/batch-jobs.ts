import { resource } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theSecrets } from '#shared/platform/wire/secrets.ts';
import { connectOpenAiBatches } from '../adapters/openai-batches.ts';
import type { BatchProvider } from '../decide/batch-provider.ts';

/** The batch interface of the model provider; null if the installation makes no batch jobs. */
export const theBatchProvider = /* @__PURE__ */ resource<() => Promise<BatchProvider | null>>(
  'batch jobs',
  (use) => async () => {
    const { env } = use;
    if (!env.modelBatchJobs()) return null;
    if (env.modelProvider() === 'bedrock') {
      const { connectBedrockBatches } = await import('../adapters/bedrock-batches.ts');
      return connectBedrockBatches({
        region: env.region(),
        timeoutSeconds: env.modelTimeoutSeconds(),
        bucketName: env.bucketName(),
        roleArn: env.batchJobRoleArn(),
        objects: use(theObjects),
      });
    }
    return connectOpenAiBatches({
      baseUrl: env.modelBaseUrl(),
      apiKey: await use(theSecrets)('model_api_key')(),
      connectionsMax: 1,
      timeoutSeconds: env.modelTimeoutSeconds(),
      objects: use(theObjects),
    });
  },
);
