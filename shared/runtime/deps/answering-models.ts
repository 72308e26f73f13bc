import { createTrainingRepository } from '../../adapters/dynamodb/trainings.ts';
import { systemClock } from '../../adapters/model/system-clock.ts';
import { createSecretReader } from '../../adapters/secrets/secret-reader.ts';
import type { AnsweringModel } from '../../domain/model/turn.ts';
import type { AnsweringModels, ServedTrainings } from '../../domain/responses/answering-models.ts';
import { createAnsweringModels } from '../../operations/choose-answering-model.ts';
import type { HostedModel } from '../../schema/hosted-model.ts';
import { env } from '../env.ts';
import { measureAnswering } from '../measure-models.ts';
import { need } from '../need.ts';
import { once } from '../once.ts';
import { outgoingTrace } from '../trace.ts';
import { theTable } from './table.ts';

interface Endpoint {
  answering(modelId: string): AnsweringModel;
  readonly served: ServedTrainings;
}

/** The models that the installation offers to every team. */
export const hostedModels = need<readonly HostedModel[]>({ listsModels: true }, () => env.hostedModels());

/** The trained models that are served. */
export const servedTrainings = need<ServedTrainings>(
  { listsModels: true, secrets: ['model_api_key'] },
  () => {
    const connected = once(connect);
    return {
      find: async (...asked) => (await connected()).served.find(...asked),
      list: async (...asked) => (await connected()).served.list(...asked),
    };
  },
);

/** Only the provider's own client is loaded, with the first response: it is most of the code. */
async function connect(): Promise<Endpoint> {
  const shared = { connectionsMax: env.modelConcurrency(), timeoutSeconds: env.modelTimeoutSeconds() };
  if (env.modelProvider() === 'bedrock') {
    const { connectBedrock } = await import('../../adapters/model/bedrock.ts');
    const bedrock = connectBedrock({
      ...shared,
      region: env.region(),
      cachesPrompts: env.modelCachesPrompts(),
    });
    return { answering: bedrock.answering, served: { find: async () => null, list: async () => [] } };
  }
  const apiKey = await createSecretReader(env.secretArn('model_api_key'))();
  const { connectOpenAi } = await import('../../adapters/model/openai-compatible.ts');
  const { createServedTrainings } = await import('../../adapters/model/served-trainings.ts');
  const endpoint = connectOpenAi({ ...shared, baseUrl: env.modelBaseUrl(), apiKey, trace: outgoingTrace });
  return {
    answering: (modelId) => endpoint.answering(modelId, env.modelRespondApi()),
    served: createServedTrainings(endpoint, systemClock),
  };
}

/** The models for responses; their connections are kept for the life of the process. */
export const answeringModels = need<AnsweringModels>(
  { models: ['respond'], secrets: ['model_api_key'], table: 'read' },
  () => {
    const opened = once(async () => {
      const { answering, served } = await connect();
      return createAnsweringModels({
        hosted: env.hostedModels(),
        contextTokens: env.modelContextTokens(),
        connect: (modelId) => measureAnswering(answering(modelId)),
        trainings: createTrainingRepository(theTable()),
        served,
      });
    });
    return { choose: async (...asked) => (await opened()).choose(...asked) };
  },
);
