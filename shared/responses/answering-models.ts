import { MICROCREDITS } from '#shared/access/decide/meter.ts';
import { defaultTokenPrice } from '#shared/access/decide/prices.ts';
import type {
  AnsweringModels,
  ChosenModel,
  ServedTrainings,
  TokenPrice,
} from '#shared/models/decide/answering-models.ts';
import { ModelError } from '#shared/models/decide/port.ts';
import type { AnsweringModel } from '#shared/models/decide/turn.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { HostedModel } from '#shared/platform/schema/hosted-model.ts';
import { hasEnded } from '#shared/training/decide/has-ended.ts';
import { trainingIdOfModel } from '#shared/training/decide/model-name.ts';
import type { TrainingRepository } from '#shared/training/decide/repository.ts';

export interface AnsweringModelsOptions {
  readonly hosted: readonly HostedModel[];
  /** The default context size of models. */
  readonly contextTokens: number;
  connect(modelId: string): AnsweringModel;
  readonly trainings: Pick<TrainingRepository, 'find'>;
  readonly served: ServedTrainings;
}

/** Chooses among hosted models and those of a team's trainings. Connected models are cached. */
export function createAnsweringModels(options: AnsweringModelsOptions): AnsweringModels {
  const { hosted, contextTokens, trainings, served } = options;
  const connected = new Map<string, AnsweringModel>();

  function connect(modelId: string): AnsweringModel {
    const model = connected.get(modelId) ?? options.connect(modelId);
    connected.set(modelId, model);
    return model;
  }

  async function chooseTrained(teamId: string, id: string): Promise<ChosenModel> {
    const training = await trainings.find(teamId, id);
    if (training === null || training.comparison !== undefined) throw notFound(id);
    const refuse = (why: string): ServiceError =>
      new ServiceError('model_not_served', `The training ${id} cannot answer: ${why}`);
    if (training.status !== 'succeeded') {
      throw refuse(
        hasEnded(training)
          ? `it ended as ${training.status}, without a model.`
          : 'it has not ended. Wait until it has succeeded.',
      );
    }
    const modelId = await served.find(id).catch((error: unknown) => {
      throw error instanceof ModelError ? notAnswering(error) : error;
    });
    if (modelId === null) {
      throw refuse('its model is not served here. Download it, or ask your operator to serve it.');
    }
    return { id, model: connect(modelId), price: defaultTokenPrice, toolPrices: new Map(), contextTokens };
  }

  return {
    async choose(teamId, id) {
      const model = hosted.find((each) => each.id === id);
      if (model !== undefined) {
        return {
          id,
          model: connect(id),
          price: priceOf(model),
          toolPrices: toolPricesOf(model),
          contextTokens: model.context_tokens ?? contextTokens,
        };
      }
      const trainingId = trainingIdOfModel(id);
      if (trainingId === null) throw notFound(id);
      return chooseTrained(teamId, trainingId);
    },
  };
}

function notFound(id: string): ServiceError {
  return new ServiceError(
    'model_not_found',
    `There is no model "${id.slice(0, 100)}". GET /api/v1/models lists all models.`,
    { details: [{ path: 'model', message: 'is not the id of a model' }] },
  );
}

/** The error if it is currently unknown whether a model is served. */
function notAnswering(cause: ModelError): ServiceError {
  return new ServiceError(
    'service_unavailable',
    'The model endpoint does not answer. Try again in a moment.',
    { retryAfterSeconds: cause.retryAfterSeconds ?? 10, cause },
  );
}

function toolPricesOf({ provider_tools: tools = {} }: HostedModel): ReadonlyMap<string, number> {
  return new Map(Object.entries(tools).map(([type, credits]) => [type, Math.round(credits * MICROCREDITS)]));
}

function priceOf({ input_credits: input, output_credits: output }: HostedModel): TokenPrice {
  return {
    input_millicredits: input === undefined ? defaultTokenPrice.input_millicredits : Math.round(input * 1000),
    output_millicredits:
      output === undefined ? defaultTokenPrice.output_millicredits : Math.round(output * 1000),
  };
}
