import * as z from 'zod';
import { background } from '#shared/platform/pipelines/background.ts';
import { task } from '#shared/platform/pipelines/pipeline.ts';
import { Inference } from '#shared/runs/schema/invention.ts';

/** Embeds a shard of the curated pool; an operator who loads rows invokes it. */
export const embedShard = background({
  id: 'tasks/pool/embed-shard',
  trigger: { kind: 'invoke' },
  ...task({
    input: z.object({ load_id: z.string().regex(/^[0-9a-f]{16}$/), n: z.int().min(0) }),
    output: z.object({ row_count: z.int(), model: z.string(), dimensions: z.int() }),
    memoryMb: 1024,
    timeoutSeconds: 900,
  }),
});

/** Infers the topics of a dataset to invent; the handler of `invent` invokes it and waits. */
export const inferTopics = background({
  id: 'tasks/topics/infer-topics',
  trigger: { kind: 'invoke' },
  ...task({
    input: z.object({ prompt: z.string() }),
    output: Inference,
    memoryMb: 1024,
    timeoutSeconds: 18,
  }),
});
