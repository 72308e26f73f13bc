import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { safeFileName } from '#shared/platform/storage/object-keys.ts';
import { hasEnded } from './has-ended.ts';
import { type TrainingRecord, toTrainingRun } from './record.ts';

export const ARTIFACT_URL_SECONDS = 900;
export const ARTIFACT_CONTENT_TYPE = 'application/gzip';

/** Whether a training has left a model; a comparison keeps none. */
export const hasModel = ({ status, best, comparison }: TrainingRecord): boolean =>
  status === 'succeeded' && best !== null && comparison === undefined;

/**
 * The best model of a successful training.
 * @throws {ServiceError} `no_artifact`
 */
export function artifactOf(training: TrainingRecord): { readonly key: string; readonly fileName: string } {
  const { best, model, experiment_id } = training;
  if (best === null || !toTrainingRun(training).download_available) {
    throw noArtifact(
      hasEnded(training)
        ? `The training was ${training.status === 'cancelled' ? 'cancelled' : 'not successful'} and has no model to download.`
        : 'The training has not ended. Poll it until download_available is true.',
    );
  }
  const name = safeFileName(model.slice(model.lastIndexOf('/') + 1));
  return { key: best.artifact_key, fileName: `${name}-${experiment_id}.tar.gz` };
}

export function noArtifact(message: string): ServiceError {
  return new ServiceError('no_artifact', message);
}
