import type { ServedTrainings } from '#shared/models/decide/answering-models.ts';
import { ModelError } from '#shared/models/decide/port.ts';
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
 * fine-tuning job has its `ft:` name.
 * @throws {ServiceError} `model_unavailable` if the endpoint does not list its trained models
 */
export async function listModels(
  { hosted, stacks, trainings, served }: ListModelsPorts,
  teamId: string,
  type: 'hosted' | undefined,
  signal: AbortSignal,
): Promise<ModelList> {
  const answering = hosted.map(toListed);
  if (type === 'hosted') return { object: 'list', data: answering };
  const [own, trained] = await Promise.all([
    stacks.list(teamId),
    listTrained({ trainings, served }, teamId, signal),
  ]);
  const ofStacks = own.map(
    ({ slug, created_at }): ListedModel => ({
      id: `stack:${slug}`,
      object: 'model',
      created: toSeconds(created_at),
      owned_by: 'team',
    }),
  );
  return { object: 'list', data: [...answering, ...ofStacks, ...trained] };
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
  const { data } = await listModels(ports, teamId, undefined, signal);
  const found = data.find(
    ({ id }) => id === name || (trainingId !== null && trainingIdOfModel(id) === trainingId),
  );
  if (found !== undefined) return { ...found, id: name };
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
async function listTrained(
  { trainings, served }: Pick<ListModelsPorts, 'trainings' | 'served'>,
  teamId: string,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const { trainings: newest } = await trainings.list(teamId, { limit: 1, after: null });
  if (newest.length === 0) return [];
  const ids = await served.list(signal).catch((cause: unknown) => {
    if (!(cause instanceof ModelError)) throw cause;
    throw new ServiceError(
      'model_unavailable',
      'The model endpoint does not list its models now. Try again, or list hosted models with ?type=hosted.',
      { cause },
    );
  });
  const found = await Promise.all(ids.map((id) => trainings.find(teamId, id)));
  return found.flatMap((training) => {
    if (training?.status !== 'succeeded') return [];
    const { experiment_id, model, completed_at, created_at, fine_tuning } = training;
    const id = fine_tuning === undefined ? experiment_id : fineTunedModelOf(training);
    const created = toSeconds(completed_at ?? created_at);
    return [{ id, object: 'model', created, owned_by: 'team', display_name: `${model}, trained` }];
  });
}

const toSeconds = (timestamp: string): number => Math.floor(Date.parse(timestamp) / 1000);
