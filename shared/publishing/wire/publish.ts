import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { createVersionRepository } from '#shared/datasets/store/versions.ts';
import { theClock } from '#shared/models/wire/clock.ts';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { need, type Operation, resource } from '#shared/platform/runtime/need.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import { theConnections } from '#shared/platform/wire/connections.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { exportShards } from '#shared/tabular/adapters/export-rows.ts';
import { createTrainingRepository } from '#shared/training/store/trainings.ts';
import { createHuggingFace } from '../adapters/hugging-face.ts';
import { createKaggle } from '../adapters/kaggle.ts';
import { unpackArchive } from '../adapters/unpack-archive.ts';
import { withDatasetContent } from '../dataset-content.ts';
import type { PublishContent, WithContent } from '../decide/ports.ts';
import { type ModelContentPorts, withModelContent } from '../model-content.ts';
import { publish as attempt } from '../publish.ts';
import { createPublicationRepository } from '../store/publications.ts';

/** The hub that datasets and models are published to. */
export const theHuggingFace = /* @__PURE__ */ resource<PublishContent>(
  'the hub of Hugging Face',
  ({ env }) => {
    return createHuggingFace({ hubUrl: env.huggingFaceUrl(), ...env.egressGuard() });
  },
);

/** The Kaggle that datasets are published to. */
export const theKaggle = /* @__PURE__ */ resource<PublishContent>('Kaggle', ({ env }) => {
  return createKaggle({ kaggleUrl: env.kaggleUrl(), ...env.egressGuard() });
});

/** The disk of the function, which archives are unpacked to. */
export const theArchives = /* @__PURE__ */ resource<ModelContentPorts['unpack']>(
  'the unpacking of archives',
  () => unpackArchive,
);

export const publish = /* @__PURE__ */ need<Operation<typeof attempt>>(
  { table: 'write', bucket: { read: ['datasets', 'runs', 'trainings'] }, imports: true, connections: true },
  (use) => {
    const table = use(theTable);
    const objects = use(theObjects);
    const datasets = createDatasetRepository(table);
    const runs = createRunRepository(table);
    const versions = createVersionRepository(table);
    const rows = { datasets, versions, runs, objects, exportShards };
    const models = {
      datasets,
      trainings: createTrainingRepository(table),
      objects,
      unpack: use(theArchives),
    };
    const withContent: WithContent = (publication, then) =>
      publication.experiment_id === undefined
        ? withDatasetContent(rows, publication, then)
        : withModelContent(models, publication, publication.experiment_id, then);
    const ports = {
      publications: createPublicationRepository(table),
      claims: createClaims(table),
      findConnection: use(theConnections),
      platforms: { huggingface: use(theHuggingFace), kaggle: use(theKaggle) },
      clock: use(theClock),
      withContent,
    };
    return (input) =>
      attempt(
        {
          ...ports,
          onError: (error) => logger.error('publication failed', { ...input, ...describeError(error) }),
        },
        input,
      );
  },
);
