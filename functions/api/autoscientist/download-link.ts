import { serve } from '#shared/platform/runtime/serve.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { objects } from '#shared/platform/wire/objects.ts';
import { linkTrainingDownload } from '#shared/training/contracts.ts';
import {
  ARTIFACT_CONTENT_TYPE,
  ARTIFACT_URL_SECONDS,
  artifactOf,
  noArtifact,
} from '#shared/training/decide/artifact.ts';
import { trainingNotFound } from '#shared/training/decide/record.ts';
import { trainings } from '#shared/training/wire/trainings.ts';

export const handler = serve(
  linkTrainingDownload,
  { trainings, objects: objects({ read: ['trainings'] }) },
  async ({ caller, params, now }, { trainings, objects }) => {
    const training = await trainings.find(caller.team_id, params.experiment_id);
    if (training === null) throw trainingNotFound();
    const { key, fileName } = artifactOf(training);
    if ((await objects.head(key)) === null) {
      throw noArtifact('The model was removed together with the dataset that it was trained on.');
    }

    return {
      url: await objects.presignGet(key, ARTIFACT_URL_SECONDS, fileName, ARTIFACT_CONTENT_TYPE),
      file_name: fileName,
      expires_at: timestamp(now + ARTIFACT_URL_SECONDS * 1000),
    };
  },
);
