import { readFile } from 'node:fs/promises';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { SlotQueue } from './slot-queue.ts';

/** Texts evaluated together: larger batches are not faster on a CPU and take more memory. */
const batchTexts = 32;

export interface Embeddings {
  /** Unit vectors, in the order of the texts. */
  readonly vectors: readonly Float32Array[];
  readonly tokens: number;
}

interface Encoded {
  readonly index: number;
  readonly ids: readonly number[];
}

/** A sentence encoder with mean pooling (Reimers and Gurevych, 2019: Sentence-BERT). */
export class TextEmbedder {
  readonly dimensions: number;
  readonly #session: InferenceSession;
  readonly #tokenizer: Tokenizer;
  readonly #maxTokens: number;
  readonly #queue: SlotQueue<'session'>;

  private constructor(
    session: InferenceSession,
    tokenizer: Tokenizer,
    options: { maxTokens: number; dimensions: number; waitingMax: number },
  ) {
    this.#session = session;
    this.#tokenizer = tokenizer;
    this.#maxTokens = options.maxTokens;
    this.dimensions = options.dimensions;
    this.#queue = new SlotQueue(['session'], { waitingMax: options.waitingMax, retryAfterSeconds: 1 });
  }

  static async load(options: {
    modelPath: string;
    tokenizerPath: string;
    maxTokens: number;
    dimensions: number;
    threads: number;
    waitingMax: number;
  }): Promise<TextEmbedder> {
    const definition: unknown = JSON.parse(await readFile(options.tokenizerPath, 'utf8'));
    // The tokenizer file pads and truncates every text to 128 tokens; this code does both, to the model's own length.
    const tokenizer = new Tokenizer({ ...(definition as object), padding: null, truncation: null }, {});
    const session = await InferenceSession.create(options.modelPath, { intraOpNumThreads: options.threads });
    return new TextEmbedder(session, tokenizer, options);
  }

  /**
   * Embeds texts; a text that is too long is truncated.
   * @throws {ApiError} 429 if too many requests wait; the signal's reason if it aborts.
   */
  async embed(texts: readonly string[], signal: AbortSignal): Promise<Embeddings> {
    const encoded = texts.map((text, index): Encoded => ({ index, ids: this.#encode(text) }));
    // Texts of similar length share a batch, to minimise padding.
    const byLength = encoded.toSorted((left, right) => left.ids.length - right.ids.length);
    const vectors: Float32Array[] = new Array(texts.length);
    await this.#queue.use(async () => {
      for (let start = 0; start < byLength.length; start += batchTexts) {
        signal.throwIfAborted();
        const batch = byLength.slice(start, start + batchTexts);
        const results = await this.#embedBatch(batch.map(({ ids }) => ids));
        for (const [position, vector] of results.entries()) {
          const item = batch[position];
          if (item !== undefined) vectors[item.index] = vector;
        }
      }
    }, signal);
    return { vectors, tokens: encoded.reduce((sum, { ids }) => sum + ids.length, 0) };
  }

  #encode(text: string): readonly number[] {
    const { ids } = this.#tokenizer.encode(text);
    if (ids.length <= this.#maxTokens) return ids;
    // The last token closes the text and stays.
    return [...ids.slice(0, this.#maxTokens - 1), ...ids.slice(-1)];
  }

  async #embedBatch(batch: readonly (readonly number[])[]): Promise<Float32Array[]> {
    const length = Math.max(...batch.map((ids) => ids.length));
    const inputIds = new BigInt64Array(batch.length * length);
    const mask = new BigInt64Array(batch.length * length);
    for (const [row, ids] of batch.entries()) {
      for (const [column, id] of ids.entries()) {
        inputIds[row * length + column] = BigInt(id);
        mask[row * length + column] = 1n;
      }
    }
    const shape = [batch.length, length];
    const inputs: Readonly<Record<string, Tensor>> = {
      input_ids: new Tensor('int64', inputIds, shape),
      attention_mask: new Tensor('int64', mask, shape),
      token_type_ids: new Tensor('int64', new BigInt64Array(batch.length * length), shape),
    };
    const wanted = Object.fromEntries(
      Object.entries(inputs).filter(([name]) => this.#session.inputNames.includes(name)),
    );
    const outputName = this.#session.outputNames[0];
    const output = outputName === undefined ? undefined : (await this.#session.run(wanted))[outputName];
    if (output?.dims.at(-1) !== this.dimensions || output.dims.length !== 3) {
      throw new Error(`The embedding model answers with the shape ${output?.dims.join(' × ')}.`);
    }
    return batch.map((ids, row) => meanVector(output.data, row * length, ids.length, this.dimensions));
  }
}

/** The mean of consecutive vectors in a flat array, scaled to length 1. */
function meanVector(
  values: Float32Array,
  firstVector: number,
  count: number,
  dimensions: number,
): Float32Array {
  const mean = new Float32Array(dimensions);
  for (let vector = firstVector; vector < firstVector + count; vector += 1) {
    for (let dimension = 0; dimension < dimensions; dimension += 1) {
      mean[dimension] = (mean[dimension] ?? 0) + (values[vector * dimensions + dimension] ?? 0);
    }
  }
  const norm = Math.hypot(...mean) || 1;
  return mean.map((value) => value / norm);
}
