import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { theClock } from '#shared/models/wire/clock.ts';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { need, type Operation, resource } from '#shared/platform/runtime/need.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import { theConnections } from '#shared/platform/wire/connections.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { exportShards } from '#shared/tabular/adapters/export-rows.ts';
import { createHuggingFace } from '../adapters/hugging-face.ts';
import { createKaggle } from '../adapters/kaggle.ts';
import type { PublishContent } from '../decide/ports.ts';
import { publishDataset as publish } from '../publish-dataset.ts';
import { createPublicationRepository } from '../store/publications.ts';

/** The hub that datasets are published to. */
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

export const publishDataset = /* @__PURE__ */ need<Operation<typeof publish>>(
  { table: 'write', bucket: { read: ['datasets', 'runs'] }, imports: true, connections: true },
  (use) => {
    const table = use(theTable);
    const ports = {
      publications: createPublicationRepository(table),
      datasets: createDatasetRepository(table),
      runs: createRunRepository(table),
      objects: use(theObjects),
      claims: createClaims(table),
      findConnection: use(theConnections),
      platforms: { huggingface: use(theHuggingFace), kaggle: use(theKaggle) },
      clock: use(theClock),
      exportShards,
    };
    return (input) =>
      publish(
        {
          ...ports,
          onError: (error) => logger.error('publication failed', { ...input, ...describeError(error) }),
        },
        input,
      );
  },
);
