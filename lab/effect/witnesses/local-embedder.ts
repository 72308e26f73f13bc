import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { embeddingModelId, requireLocalModel } from '#local/model/catalog.ts';
import { TextEmbedder } from '#local/model/text-embedder.ts';
import { localDirectory, modelsDirectory } from '#local/paths.ts';

const DIGEST_BYTES = 16;
/** Vectors that are written together. */
const WRITTEN_TOGETHER = 256;

/**
 * Embeds texts with the local model, each once: the vectors stay in a file of `.local`. `npx tsx local/model/setup.ts
 * all-minilm-l6-v2-int8` installs the model.
 *
 * @throws {Error} if the model is not installed
 */
export async function openLocalEmbedder(): Promise<(texts: readonly string[]) => Promise<Float32Array[]>> {
  const model = requireLocalModel(embeddingModelId);
  if (model.kind !== 'embedding') throw new Error(`${model.id} embeds nothing.`);
  const folder = join(localDirectory, 'embeddings');
  const file = join(folder, `${model.id}.bin`);
  await mkdir(folder, { recursive: true });
  const known = readVectors(await readFile(file).catch(() => Buffer.alloc(0)), model.dimensions);
  let embedder: Promise<TextEmbedder> | null = null;
  return async (texts) => {
    const missing = new Map(
      texts.map((text) => [digestOf(text), text] as const).filter(([key]) => !known.has(key)),
    );
    const list = [...missing].sort(([, a], [, b]) => a.length - b.length);
    for (let start = 0; start < list.length; start += WRITTEN_TOGETHER) {
      embedder ??= TextEmbedder.load({
        modelPath: join(modelsDirectory(), model.weights.name),
        tokenizerPath: join(modelsDirectory(), model.tokenizer.name),
        maxTokens: model.maxTokens,
        dimensions: model.dimensions,
        threads: 2,
        waitingMax: 1,
      });
      const part = list.slice(start, start + WRITTEN_TOGETHER);
      const { vectors } = await (await embedder).embed(
        part.map(([, text]) => text),
        new AbortController().signal,
      );
      await appendFile(
        file,
        Buffer.concat(
          part.flatMap(([key], n) => {
            const vector = vectors[n] as Float32Array;
            known.set(key, vector);
            return [
              Buffer.from(key, 'hex'),
              Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
            ];
          }),
        ),
      );
    }
    return texts.map((text) => known.get(digestOf(text)) as Float32Array);
  };
}

const digestOf = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 2 * DIGEST_BYTES);

function readVectors(bytes: Buffer, dimensions: number): Map<string, Float32Array> {
  const vectors = new Map<string, Float32Array>();
  const length = DIGEST_BYTES + 4 * dimensions;
  for (let at = 0; at + length <= bytes.length; at += length) {
    const key = bytes.toString('hex', at, at + DIGEST_BYTES);
    vectors.set(
      key,
      new Float32Array(Uint8Array.from(bytes.subarray(at + DIGEST_BYTES, at + length)).buffer),
    );
  }
  return vectors;
}
