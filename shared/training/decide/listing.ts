import { canonicalJson } from '#shared/platform/canonical-json.ts';
import { openCursor, sealCursor } from '#shared/platform/cursor.ts';
import type { ListTrainingsQuery } from '../schema/training.ts';
import type { TrainingRecord } from './record.ts';
import type { TrainingList, TrainingRepository } from './repository.ts';

/** Where a training is in the list of its team's: the page after it begins there. */
export const placeInList = ({
  created_at,
  experiment_id,
}: Pick<TrainingRecord, 'created_at' | 'experiment_id'>): string => `${created_at}#${experiment_id}`;

const LIMIT_DEFAULT = 20;

/**
 * Decodes a list request.
 * @throws ServiceError `cursor_invalid` for a cursor that was changed or belongs to another team or query
 */
export function selectTrainings(
  teamId: string,
  query: ListTrainingsQuery,
  signingKey: string,
  of: TrainingList = 'trainings',
): Parameters<TrainingRepository['list']>[1] {
  const { limit = LIMIT_DEFAULT, cursor, dataset_id: datasetId } = query;
  return {
    of,
    ...(datasetId === undefined ? {} : { datasetId }),
    limit,
    after: cursor === undefined ? null : openCursor(cursor, boundTo(teamId, query, of), signingKey),
  };
}

/** The cursor of the page after `next`, for the same team and query. */
export function trainingsCursor(
  teamId: string,
  query: ListTrainingsQuery,
  next: string,
  signingKey: string,
  of: TrainingList = 'trainings',
): string {
  return sealCursor(next, boundTo(teamId, query, of), signingKey);
}

function boundTo(teamId: string, { dataset_id }: ListTrainingsQuery, of: TrainingList): string {
  return canonicalJson({ list: of, team_id: teamId, dataset_id });
}
