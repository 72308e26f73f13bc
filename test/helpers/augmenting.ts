import { embedShard } from '#shared/growth/embed-shard.ts';
import { type LoadedPool, loadPool } from '#shared/growth/load-pool.ts';
import { planAugmentation } from '#shared/growth/plan-augmentation.ts';
import { type WriteAugmentationPorts, writeAugmentation } from '#shared/growth/write-augmentation.ts';
import { type EmbeddingClient, type ModelClient, ModelError } from '#shared/models/decide/port.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { type RunContext, SearchPlan, WritingPlan } from '#shared/runs/schema/run-context.ts';
import { writeRows } from '#shared/tabular/adapters/write-rows.ts';
import { assembleAugmentation, searchPool } from '#test/helpers/operations.ts';
import { linesOf } from './active-run.ts';
import { createFastClock } from './fast-clock.ts';
import { contextOf, endGrowthNow } from './growing.ts';
import { EMBEDDING_MODEL } from './memory-resources.ts';
import { NOW } from './records.ts';
import type { World } from './world.ts';

/** Words that make a text one of a subject; each is a direction of its own. */
const SUBJECTS = ['bread', 'stars', 'tax', 'football'] as const;
const DIMENSIONS = 16;

/** Texts lie in the direction of the subjects that they name, and a little apart from one another. */
export function embedder(modelId = EMBEDDING_MODEL): EmbeddingClient & { readonly embedded: string[] } {
  const embedded: string[] = [];
  return {
    modelId,
    embedded,
    embed: async (texts) => {
      embedded.push(...texts);
      return texts.map((text) => {
        const vector = new Float32Array(DIMENSIONS);
        for (const [n, subject] of SUBJECTS.entries()) if (text.includes(subject)) vector[n] = 1;
        for (const unit of text) {
          const at = SUBJECTS.length + ((unit.codePointAt(0) ?? 0) % (DIMENSIONS - SUBJECTS.length));
          vector[at] = (vector[at] as number) + 0.01;
        }
        const length = Math.hypot(...vector);
        return vector.map((value) => value / length);
      });
    },
  };
}

/** A model that writes a row on the subject that it is shown, each time another. */
export function writer(say?: (n: number) => string): ModelClient & { readonly shown: string[] } {
  const shown: string[] = [];
  return {
    modelId: 'a-writer',
    shown,
    generate: async ({ messages, jsonSchema }) => {
      const text = messages.map(({ content }) => content).join('\n');
      shown.push(text);
      if (text.includes('silent')) throw new ModelError('misconfigured', 'The model is gone');
      const n = shown.length;
      const schema = JSON.stringify(jsonSchema);
      const withPair = schema.includes('rejected');
      const row = {
        prompt: `Wholly new question number ${n} ${'abcdefghij'[n % 10]?.repeat(5)}?`,
        completion: `answer ${n}`,
        ...(withPair ? { rejected: `worse ${n}` } : {}),
        ...(schema.includes('"system"') ? { system: `Instruction ${n} of its own.` } : {}),
        ...(schema.includes('"earlier"') ? { earlier: [{ user: `Hello ${n}`, assistant: 'Hello.' }] } : {}),
      };
      return {
        text: say?.(n) ?? JSON.stringify(row),
        finishReason: 'stop',
        usage: { input_tokens: 7, output_tokens: 3 },
      };
    },
  };
}

const asking = (client: EmbeddingClient | null) => ({
  embedder: client,
  callsMax: 2,
  outageSecondsMax: 10,
  clock: createFastClock(10),
  random: () => 0.5,
});

/** The pool of a bucket, whose rows are embedded by `client`. */
export const poolOf = (objects: ObjectStore, client: EmbeddingClient | null = embedder()) => ({
  objects,
  embedShard: (shard: { readonly load_id: string; readonly n: number }) =>
    embedShard({ ...asking(client), objects }, shard),
});

export const POOL_COLUMNS = {
  prompt: 'prompt',
  completion: 'completion',
  rejected: 'rejected',
  source: 'source',
} as const;

/** Loads rows into the pool of the world, as an operator does. */
export function load(
  world: Pick<World, 'objects'>,
  rows: readonly Readonly<Record<string, unknown>>[],
  {
    loadId = '00000000000000aa',
    client = embedder() as EmbeddingClient | null,
    name = 'test',
    now = NOW,
  } = {},
): Promise<LoadedPool> {
  async function* read(): AsyncGenerator<Readonly<Record<string, unknown>>> {
    yield* rows;
  }
  return loadPool(poolOf(world.objects, client), read(), { loadId, name, columns: POOL_COLUMNS, now });
}

export interface AugmentModels {
  readonly embedder?: EmbeddingClient | null;
  readonly writer?: ModelClient | null;
}

export const planOf = (world: World, context: RunContext, models: AugmentModels = {}) =>
  planAugmentation(
    {
      ...world.store,
      objects: world.objects,
      writeRows,
      ...asking(models.embedder === undefined ? embedder() : models.embedder),
      modelConcurrency: 4,
      models: { embed: EMBEDDING_MODEL, answer: 'a-writer' },
    },
    context,
  );

export const write = (
  world: World,
  plan: WritingPlan,
  model: ModelClient | null = writer(),
  overrides: Partial<WriteAugmentationPorts> = {},
) => {
  const clock = createFastClock(10);
  return writeAugmentation(
    {
      objects: world.objects,
      runs: world.store.runs,
      unbilled: world.store.unbilled,
      model,
      callsPerWorker: 4,
      outageSecondsMax: 10,
      clock,
      random: () => 0.5,
      ...overrides,
    },
    plan,
    { deadlineMs: clock.now() + 900_000, attempt: 'first' },
  );
};

/** What the state machine does, from the plan to the settlement. */
export async function executeAugmentation(
  world: World,
  datasetId: string,
  models: AugmentModels = {},
): Promise<void> {
  const context = contextOf(world, datasetId);
  await endGrowthNow(world, context, async () => {
    const { search, writing } = await planOf(world, context, models);
    if (search.chunk_count > 0) {
      for (const line of linesOf(world.objects.text(objectKeys.plan(context.run_id)))) {
        await world.use(searchPool)(SearchPlan.parse(JSON.parse(line)));
      }
    }
    if (writing.chunk_count > 0) {
      for (const line of linesOf(world.objects.text(objectKeys.writingPlan(context.run_id)))) {
        await write(world, WritingPlan.parse(JSON.parse(line)), models.writer);
      }
    }
    await world.use(assembleAugmentation)(context, NOW);
  });
}
