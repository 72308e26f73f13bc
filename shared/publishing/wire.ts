import { datasets, versions } from '#shared/datasets/wire.ts';
import { clock } from '#shared/models/wire.ts';
import { need, resource } from '#shared/platform/runtime/need.ts';
import { type Access, claims, findConnection, newId, theTable } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { starter } from '#shared/platform/wire-functions.ts';
import { runs } from '#shared/runs/wire.ts';
import { exportShards } from '#shared/tabular/adapters/export-rows.ts';
import { trainings } from '#shared/training/wire.ts';
import { createHuggingFace } from './adapters/hugging-face.ts';
import { createKaggle } from './adapters/kaggle.ts';
import { unpackArchive } from './adapters/unpack-archive.ts';
import { withDatasetContent } from './dataset-content.ts';
import type { PublishContent, WithContent } from './decide/ports.ts';
import { type ModelContentPorts, withModelContent } from './model-content.ts';
import { createPublicationRepository } from './store/publications.ts';

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

export const publications = (access: Access) =>
  need({ table: access }, (use) => createPublicationRepository(use(theTable)));

/** What it takes to queue a publication. */
export const publicationQueue = {
  publications: /* @__PURE__ */ publications('write'),
  claims: /* @__PURE__ */ claims('write'),
  findConnection,
  start: /* @__PURE__ */ starter('tasks/publishing/publish'),
  newId,
};

/** What it takes to publish datasets and models. */
export const publisher = {
  publications: /* @__PURE__ */ publications('write'),
  claims: /* @__PURE__ */ claims('write'),
  findConnection,
  platforms: /* @__PURE__ */ need({ imports: true }, (use) => ({
    huggingface: use(theHuggingFace),
    kaggle: use(theKaggle),
  })),
  clock,
  withContent: /* @__PURE__ */ need<WithContent>(
    { table: 'read', bucket: { read: ['datasets', 'runs', 'trainings'] } },
    (use) => {
      const stored = {
        datasets: use(datasets('read')),
        versions: use(versions('read')),
        runs: use(runs('read')),
        trainings: use(trainings('read')),
        objects: use(objects({})),
      };
      const rows = { ...stored, exportShards };
      const models = { ...stored, unpack: use(theArchives) };
      return (publication, then) =>
        publication.experiment_id === undefined
          ? withDatasetContent(rows, publication, then)
          : withModelContent(models, publication, publication.experiment_id, then);
    },
  ),
};
