import { createTrainingRepository } from '../../adapters/dynamodb/trainings.ts';
import { systemClock } from '../../adapters/model/system-clock.ts';
import { createSecretReader } from '../../adapters/secrets/secret-reader.ts';
import type { AnsweringModel } from '../../domain/model/turn.ts';
import type { AnsweringModels, ServedTrainings } from '../../domain/responses/answering-models.ts';
import { createAnsweringModels } from '../../operations/choose-answering-model.ts';
import { env } from '../env.ts';
import { measureAnswering } from '../measure-models.ts';
import { need } from '../need.ts';
import { theTable } from './table.ts';

interface Endpoint {
  answering(modelId: string): AnsweringModel;
  readonly served: ServedTrainings;
}

/** Only the provider's own client is loaded, and with the first answer: it is most of what there is to load. */
async function connect(): Promise<Endpoint> {
  const shared = { connectionsMax: env.modelConcurrency(), timeoutSeconds: env.modelTimeoutSeconds() };
  const apiKey = await createSecretReader(env.secretArn('model_api_key'))();
  const { connectOpenAi } = await import('../../adapters/model/openai-compatible.ts');
  const { createServedTrainings } = await import('../../adapters/model/served-trainings.ts');
  const endpoint = connectOpenAi({ ...shared, baseUrl: env.modelBaseUrl(), apiKey });
  return {
    answering: endpoint.answering,
    served: createServedTrainings(endpoint, systemClock),
  };
}

/** The models that answer; their connections are kept for the life of the process. */
export const answeringModels = need<AnsweringModels>(
  { models: ['respond'], secrets: ['model_api_key'], table: 'read' },
  () => {
    let connected: Promise<AnsweringModels> | undefined;
    const open = async (): Promise<AnsweringModels> => {
      const { answering, served } = await connect();
      return createAnsweringModels({
        hosted: env.hostedModels(),
        contextTokens: env.modelContextTokens(),
        connect: (modelId) => measureAnswering(answering(modelId)),
        trainings: createTrainingRepository(theTable()),
        served,
      });
    };
    return {
      async choose(teamId, id) {
        connected ??= open().catch((error) => {
          connected = undefined;
          throw error;
        });
        return (await connected).choose(teamId, id);
      },
    };
  },
);
