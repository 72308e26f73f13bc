import { adapt } from './adapt.ts';
import { augment } from './augment.ts';
import { buildIndex } from './build-index.ts';
import { combine } from './combine.ts';
import { customEval } from './custom-eval.ts';
import { evaluate } from './evaluate.ts';
import { expand } from './expand.ts';
import { importFiles } from './import.ts';
import { ingest } from './ingest.ts';
import { invent } from './invent.ts';
import { mapChunks } from './map-chunks.ts';
import type { PipelineContract } from './pipeline.ts';
import { train } from './train.ts';

/** Every state machine of the service; children come before the machines that start them. */
export const pipelines: readonly PipelineContract[] = [
  mapChunks,
  buildIndex,
  ingest,
  importFiles,
  combine,
  evaluate,
  customEval,
  adapt,
  expand,
  augment,
  invent,
  train,
];
