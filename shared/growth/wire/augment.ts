import { theClock } from '#shared/models/wire/clock.ts';
import { models } from '#shared/models/wire/models.ts';
import { need, type Use } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theRandom } from '#shared/platform/wire/random.ts';
import type { RunContext, SearchPlan, WritingPlan } from '#shared/runs/schema/run-context.ts';
import { theAssemblyPorts } from '#shared/runs/wire/assembly-ports.ts';
import { measureWorker } from '#shared/runs/wire/measure-worker.ts';
import { callsPerWorker, theWorkerPorts, type Worker } from '#shared/runs/wire/worker-ports.ts';
import { assembleAugmentation as assemble } from '../assemble-augmentation.ts';
import { embedShard as embed } from '../embed-shard.ts';
import { planAugmentation as plan } from '../plan-augmentation.ts';
import { searchPool as search } from '../search-pool.ts';
import { writeAugmentation as write } from '../write-augmentation.ts';

const embedding = /* @__PURE__ */ models(['embed'], callsPerWorker);
const writing = /* @__PURE__ */ models(['answer'], callsPerWorker);

const thePortsOfEmbeddings = async (use: Use) => ({
  embedder: (await use(embedding)()).embedder(),
  callsMax: callsPerWorker(use),
  outageSecondsMax: use.env.modelOutageSeconds(),
  clock: use(theClock),
  random: use(theRandom),
});

/** Embeds the rows of a shard of the pool. */
export const embedShard = /* @__PURE__ */ need<
  (shard: Parameters<typeof embed>[1]) => ReturnType<typeof embed>
>(
  [embedding, { bucket: { read: ['pool'], write: ['pool'] } }],
  (use) => async (shard) => embed({ ...(await thePortsOfEmbeddings(use)), objects: use(theObjects) }, shard),
);

/** Copies the rows of a source and plans the pool searches and the rows to generate. */
export const planAugmentation = /* @__PURE__ */ need<(context: RunContext) => ReturnType<typeof plan>>(
  [
    embedding,
    {
      modelIds: ['answer'],
      table: 'write',
      bucket: { read: ['datasets', 'runs', 'pool'], write: ['datasets', 'runs'] },
    },
  ],
  (use) => async (context) => {
    const ports = {
      ...(await thePortsOfEmbeddings(use)),
      ...theAssemblyPorts(use),
      modelConcurrency: use.env.modelConcurrency(),
      models: use.env.modelIds(['embed', 'answer']),
    };
    return plan(ports, context);
  },
);

/** Searches a group of the pool's shards. */
export const searchPool = /* @__PURE__ */ need<(group: SearchPlan) => ReturnType<typeof search>>(
  { bucket: { read: ['runs', 'pool'], write: ['runs'] } },
  (use) => (group) => search(use(theObjects), group),
);

/** Writes rows in the style of a source, or on topics of all kinds. */
export const writeAugmentation = /* @__PURE__ */ need<Worker<WritingPlan>>(
  [writing, { table: 'write', bucket: { read: ['runs'], write: ['runs'] } }],
  (use) => async (batch, invocation) => {
    const ports = {
      ...theWorkerPorts(use),
      model: (await use(writing)()).generator('answer'),
    };
    return measureWorker('write-augmentation', (watch) => write({ ...ports, watch }, batch, invocation));
  },
);

/** Writes found and generated rows into their dataset. */
export const assembleAugmentation = /* @__PURE__ */ need<
  (context: RunContext, now: number) => ReturnType<typeof assemble>
>(
  { table: 'write', bucket: { read: ['datasets', 'runs', 'pool'], write: ['datasets', 'runs'] } },
  (use) => (context, now) => assemble(theAssemblyPorts(use), context, now),
);
