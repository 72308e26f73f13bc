import type { Bound } from '#shared/platform/runtime/need.ts';
import type { ServeInput } from '#shared/platform/runtime/read-request.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { objects } from '#shared/platform/wire/objects.ts';
import type { downloadTraining, linkTrainingDownload } from '../contracts.ts';
import { ARTIFACT_CONTENT_TYPE, ARTIFACT_URL_SECONDS, artifactOf, noArtifact } from '../decide/artifact.ts';
import { shownTraining } from '../decide/record.ts';
import { trainings } from './trainings.ts';

export const linkArtifactNeeds = { trainings, objects: /* @__PURE__ */ objects({ read: ['trainings'] }) };

/** The best model of a training, as a link that needs no key. */
export async function linkArtifact(
  { caller, params, now }: ServeInput<typeof downloadTraining | typeof linkTrainingDownload>,
  { trainings, objects }: Bound<typeof linkArtifactNeeds>,
) {
  const training = shownTraining(await trainings.find(caller.team_id, params.experiment_id));
  const { key, fileName } = artifactOf(training);
  if ((await objects.head(key)) === null) {
    throw noArtifact('The model was removed together with the dataset that it was trained on.');
  }

  const url = await objects.presignGet(key, ARTIFACT_URL_SECONDS, fileName, ARTIFACT_CONTENT_TYPE);
  return {
    url,
    fileName,
    contentType: ARTIFACT_CONTENT_TYPE,
    expiresAt: timestamp(now + ARTIFACT_URL_SECONDS * 1000),
  };
}
