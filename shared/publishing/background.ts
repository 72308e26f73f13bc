import * as z from 'zod';
import { background } from '#shared/platform/pipelines/background.ts';
import { task } from '#shared/platform/pipelines/pipeline.ts';
import { PublicationStatus } from './schema/publication.ts';

/** Publishes a dataset or a model. Lambda repeats it twice; what an earlier attempt has uploaded is not uploaded again. */
export const publish = background({
  id: 'tasks/publishing/publish',
  trigger: { kind: 'invoke' },
  ...task({
    input: z.object({ dataset_id: z.string(), publish_id: z.string() }),
    output: z.object({ status: PublicationStatus }),
    memoryMb: 2048,
    timeoutSeconds: 900,
    ephemeralStorageMb: 10_240,
    layers: ['duckdb'],
  }),
});
