import { MICROCREDITS } from '#shared/access/decide/meter.ts';
import { defaultTokenPrice } from '#shared/access/decide/prices.ts';
import type { DeploymentRecord } from '#shared/deployments/decide/record.ts';
import type {
  AnsweringModels,
  ChosenModel,
  ServedTrainings,
  TokenPrice,
} from '#shared/models/decide/answering-models.ts';
import { ModelError } from '#shared/models/decide/port.ts';
import type { AnsweringModel } from '#shared/models/decide/turn.ts';
import { nearestTo } from '#shared/platform/errors/nearest.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { HostedModel } from '#shared/platform/schema/hosted-model.ts';
import { hasEnded } from '#shared/training/decide/has-ended.ts';
import { trainingIdOfModel } from '#shared/training/decide/model-name.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import type { TrainingRepository } from '#shared/training/decide/repository.ts';
import type { DeployedTrainings } from './deployed-trainings.ts';

export interface AnsweringModelsOptions {
  readonly hosted: readonly HostedModel[];
  /** The default context size of models. */
  readonly contextTokens: number;
  connect(modelId: string): AnsweringModel;
  /** Connects to an imported model, by its ARN. */
  connectImported(modelArn: string, baseModel: string): AnsweringModel;
  /** Connects to an endpoint of SageMaker, by its name. */
  connectEndpoint(name: string, baseModel: string, reasons: boolean): AnsweringModel;
  /** Null if the installation deploys no models on AWS. */
  readonly deployed: DeployedTrainings | null;
  readonly trainings: Pick<TrainingRepository, 'find'>;
  readonly served: ServedTrainings;
  /** Whether the service runs on a laptop, whose model server takes trained models by a command too. */
  readonly isLocal: boolean;
}

/**
 * A model whose use is noted when it is asked, not when it is chosen: what is refused before, for want of credits for example, has to
 * keep no instance. What `note` throws is the answer.
 */
function noting(model: AnsweringModel, note: () => Promise<void>): AnsweringModel {
  return {
    modelId: model.modelId,
    forwards: (toolType) => model.forwards(toolType),
    async *answer(request, signal) {
      await note();
      yield* model.answer(request, signal);
    },
  };
}

/** Chooses among hosted models and those of a team's trainings. Connected models are cached. */
export function createAnsweringModels(options: AnsweringModelsOptions): AnsweringModels {
  const { hosted, contextTokens, trainings, served, deployed } = options;
  const connected = new Map<string, AnsweringModel>();

  function connect(modelId: string, open = options.connect): AnsweringModel {
    const model = connected.get(modelId) ?? open(modelId);
    connected.set(modelId, model);
    return model;
  }

  const open = (
    { platform, name }: DeploymentRecord,
    modelArn: string,
    { model, columns }: Pick<TrainingRecord, 'model' | 'columns'>,
  ): AnsweringModel =>
    platform === 'amazon_sagemaker'
      ? options.connectEndpoint(name, model, columns.reasoning_trace !== null)
      : options.connectImported(modelArn, model);

  const trained = (id: string, model: AnsweringModel): ChosenModel => ({
    id,
    model,
    price: defaultTokenPrice,
    toolPrices: new Map(),
    contextTokens,
  });

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
    const deployment = deployed === null ? null : await deployed.find(id);
    if (deployment?.status === 'ready' && deployment.model_arn !== null) {
      const why = (await deployed?.whyNot(deployment)) ?? null;
      if (why !== null) throw refuse(why);
      const model = connect(deployment.model_arn, (modelArn) => open(deployment, modelArn, training));
      return trained(
        id,
        noting(model, async () => {
          const used = (await deployed?.noteUse(deployment)) ?? null;
          if (used !== null) throw refuse(used);
        }),
      );
    }
    const modelId = await served.find(id).catch((error: unknown) => {
      throw error instanceof ModelError ? notAnswering(error) : error;
    });
    if (modelId === null) throw refuse(whyNotServed(deployment, options.isLocal ? id : null));
    return trained(id, connect(modelId));
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
      if (trainingId === null) throw notFound(id, hosted);
      return chooseTrained(teamId, trainingId);
    },
  };
}

/**
 * Why a trained model does not answer, with what to do.
 * @param localId id of the training where the service runs on a laptop
 */
function whyNotServed(deployment: DeploymentRecord | null, localId: string | null): string {
  switch (deployment?.status) {
    case 'queued':
    case 'preparing':
    case 'importing':
      return 'it is being deployed. Look at its deployment until it is ready.';
    case 'failed':
      return `its deployment failed: ${deployment.reason ?? 'look at the deployment.'}`;
    case 'deleting':
      return 'its deployment is being deleted. Deploy it again when that is done.';
    default:
      return (
        'its model is not served here. Deploy it (POST /api/v1/autoscientist/{id}/deploy), ' +
        `${localId === null ? '' : `serve it with npm run local -- serve ${localId}, `}or download it.`
      );
  }
}

/** Hosted models that an error names where none is near. */
const NAMED_MAX = 5;

/** The error for an id, which names the nearest of the hosted models, or else the first. */
function notFound(id: string, hosted: readonly HostedModel[] = []): ServiceError {
  const ids = hosted.map((model) => model.id);
  const near = nearestTo(id, ids);
  const named = near.length > 0 ? near : ids.slice(0, NAMED_MAX);
  const hint =
    named.length === 0 ? '' : ` Hosted here: ${named.map((each) => JSON.stringify(each)).join(', ')}.`;
  return new ServiceError(
    'model_not_found',
    `There is no model "${id.slice(0, 100)}".${hint} GET /api/v1/models lists all models.`,
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
