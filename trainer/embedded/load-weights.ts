import { closeSync, openSync, readSync } from 'node:fs';
import * as z from 'zod';
import type { GgufFile } from '#local/model/gguf-file.ts';
import { bytesOf, dequantize } from './dequantize.ts';
import type { LayerWeights, NetworkWeights } from './network.ts';
import { ggufNames, type NetworkShape, type Projection, projections } from './network-shape.ts';
import { fromGgufRows } from './rope-rows.ts';

const LlamaMetadata = z.object({
  general: z.object({ architecture: z.literal('llama') }),
  llama: z.object({
    block_count: z.number(),
    embedding_length: z.number(),
    feed_forward_length: z.number(),
    attention: z.object({
      head_count: z.number(),
      head_count_kv: z.number(),
      layer_norm_rms_epsilon: z.number(),
    }),
    rope: z.object({ freq_base: z.number(), dimension_count: z.number() }),
    vocab_size: z.number(),
  }),
});

/**
 * The sizes of a Llama model.
 * @throws {ZodError} for another architecture.
 */
export function shapeOf({ metadata }: GgufFile): NetworkShape {
  const { llama } = LlamaMetadata.parse(metadata);
  return {
    layers: llama.block_count,
    width: llama.embedding_length,
    heads: llama.attention.head_count,
    keyValueHeads: llama.attention.head_count_kv,
    headWidth: llama.rope.dimension_count,
    feedForwardWidth: llama.feed_forward_length,
    vocabulary: llama.vocab_size,
    ropeBase: llama.rope.freq_base,
    normEpsilon: llama.attention.layer_norm_rms_epsilon,
  };
}

/**
 * Dequantises the weights of a Llama model with tied embeddings, in the layout of its Hugging Face checkpoint. Layers
 * are read one by one, so that they are not in memory twice.
 * @throws {Error} if a weight is missing or of an unsupported type.
 */
export function loadWeights(path: string, file: GgufFile, shape: NetworkShape): NetworkWeights {
  if (file.tensors.some(({ name }) => name === 'output.weight')) {
    throw new Error(
      'The model’s head is not its table of tokens, which the embedded trainer takes for granted.',
    );
  }
  return {
    embedding: readTensor(path, file, 'token_embd.weight'),
    outputNorm: readTensor(path, file, 'output_norm.weight'),
    layers: readLayers(path, file, shape),
  };
}

function* readLayers(path: string, file: GgufFile, shape: NetworkShape): Generator<LayerWeights> {
  for (let layer = 0; layer < shape.layers; layer += 1) {
    const read = (name: string) => readTensor(path, file, `blk.${layer}.${name}.weight`);
    const maps = projections.map(
      (projection) => [projection, fromGgufRows(shape, projection, read(ggufNames[projection]))] as const,
    );
    yield {
      ...(Object.fromEntries(maps) as Record<Projection, Float32Array>),
      attentionNorm: read('attn_norm'),
      feedForwardNorm: read('ffn_norm'),
    };
  }
}

function readTensor(path: string, file: GgufFile, name: string): Float32Array {
  const tensor = file.tensors.find((candidate) => candidate.name === name);
  if (tensor === undefined) throw new Error(`The model has no weights called ${name}.`);
  const count = tensor.dimensions.reduce((product, dimension) => product * dimension, 1);
  const bytes = new Uint8Array(bytesOf(tensor.type, count));
  const descriptor = openSync(path, 'r');
  try {
    readSync(descriptor, bytes, 0, bytes.length, tensor.offset);
  } finally {
    closeSync(descriptor);
  }
  return dequantize(tensor.type, bytes);
}
