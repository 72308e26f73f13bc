import type { ServedTrainings } from '#shared/models/decide/answering-models.ts';
import type { ModelError } from '#shared/models/decide/port.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { HostedModel } from '#shared/platform/schema/hosted-model.ts';
import { fineTunedModelOf, trainingIdOfModel } from '#shared/training/decide/model-name.ts';
import type { TrainingRepository } from '#shared/training/decide/repository.ts';
import type { ListedModel, ModelList } from '../schema/model-list.ts';
import type { StackRepository } from './stack.ts';

export interface ListModelsPorts {
  readonly hosted: readonly HostedModel[];
  readonly stacks: Pick<StackRepository, 'list'>;
  readonly trainings: Pick<TrainingRepository, 'find' | 'list'>;
  readonly served: ServedTrainings;
}

/**
 * Valid values of `model`: hosted models in the operator's order, then stacks by slug, then trained models; that of a
 * fine-tuning job has its `ft:` name. `onSilent` is told of an endpoint that does not list its trained models: they are
 * missing then.
 */
export async function listModels(
  ports: ListModelsPorts & { readonly onSilent: (failure: ModelError) => void },
  teamId: string,
  type: 'hosted' | undefined,
  signal: AbortSignal,
): Promise<ModelList> {
  if (type === 'hosted') return { object: 'list', data: ports.hosted.map(toListed) };
  const { models, failure } = await findModels(ports, teamId, signal);
  if (failure !== null) ports.onSilent(failure);
  return { object: 'list', data: models };
}

interface FoundModels {
  readonly models: ListedModel[];
  /** Why trained models may be missing; null if none is. */
  readonly failure: ModelError | null;
}

async function findModels(
  { hosted, stacks, trainings, served }: ListModelsPorts,
  teamId: string,
  signal: AbortSignal,
): Promise<FoundModels> {
  const [own, trained] = await Promise.all([
    stacks.list(teamId),
    findTrained({ trainings, served }, teamId, signal),
  ]);
  const ofStacks = own.map(
    ({ slug, created_at }): ListedModel => ({
      id: `stack:${slug}`,
      object: 'model',
      created: toSeconds(created_at),
      owned_by: 'team',
    }),
  );
  return { models: [...hosted.map(toListed), ...ofStacks, ...trained.models], failure: trained.failure };
}

/**
 * One of these models, by any of its names.
 * @throws {ServiceError} `model_not_found`, `model_unavailable`
 */
export async function requireListedModel(
  ports: ListModelsPorts,
  teamId: string,
  name: string,
  signal: AbortSignal,
): Promise<ListedModel> {
  const hosted = ports.hosted.find(({ id }) => id === name);
  if (hosted !== undefined) return toListed(hosted);
  const trainingId = trainingIdOfModel(name);
  const { models, failure } = await findModels(ports, teamId, signal);
  const found = models.find(
    ({ id }) => id === name || (trainingId !== null && trainingIdOfModel(id) === trainingId),
  );
  if (found !== undefined) return { ...found, id: name };
  if (failure !== null) {
    throw new ServiceError(
      'model_unavailable',
      'The model endpoint does not list its models now. Try again in a moment.',
      { cause: failure },
    );
  }
  throw new ServiceError(
    'model_not_found',
    `There is no model "${name.slice(0, 100)}" that answers. GET /api/v1/models lists all models.`,
    { details: [{ path: 'model', message: 'is not the id of a model' }] },
  );
}

function toListed({ id, created, owned_by, display_name, shutdown_date }: HostedModel): ListedModel {
  return {
    id,
    object: 'model',
    created: created ?? 0,
    owned_by: owned_by ?? 'hosted',
    ...(display_name === undefined ? {} : { display_name }),
    ...(shutdown_date === undefined ? {} : { shutdown_date }),
  };
}

/** Skips the endpoint's list for a team without trained models. */
async function findTrained(
  { trainings, served }: Pick<ListModelsPorts, 'trainings' | 'served'>,
  teamId: string,
  signal: AbortSignal,
): Promise<FoundModels> {
  const { trainings: newest } = await trainings.list(teamId, { limit: 1, after: null });
  if (newest.length === 0) return { models: [], failure: null };
  const { ids, failure } = await served.list(signal);
  const found = await Promise.all(ids.map((id) => trainings.find(teamId, id)));
  const models = found.flatMap((training): ListedModel[] => {
    if (training?.status !== 'succeeded') return [];
    const { experiment_id, model, completed_at, created_at, fine_tuning } = training;
    const id = fine_tuning === undefined ? experiment_id : fineTunedModelOf(training);
    const created = toSeconds(completed_at ?? created_at);
    return [{ id, object: 'model', created, owned_by: 'team', display_name: `${model}, trained` }];
  });
  return { models, failure };
}

const toSeconds = (timestamp: string): number => Math.floor(Date.parse(timestamp) / 1000);
