import { createHash } from 'node:crypto';
import * as z from 'zod';
import { TrainerReport, type TrainingJob } from '#shared/training/schema/training-job.ts';
import type { Bucket } from './bucket.ts';

/** The complete state for resuming a training. */
export interface Checkpoint {
  /** Index of the stage in the job, and its completed steps. */
  readonly stage: number;
  readonly step: number;
  /** The report's stages so far. */
  readonly stages: TrainerReport['stages'];
  readonly parameters: Float32Array;
  readonly means: Float32Array;
  readonly squares: Float32Array;
  /** Reference log-likelihoods of training and held-out rows, if the loss has a reference. */
  readonly reference: Float64Array;
  readonly heldOutReference: Float64Array;
}

const Header = z.object({
  stage: z.int().min(0),
  step: z.int().min(0),
  stages: TrainerReport.shape.stages,
  parameters: z.int().min(1),
  reference: z.int().min(0),
  heldOutReference: z.int().min(0),
});

const Latest = z.object({ version: z.literal('embedded-1'), key: z.string(), fingerprint: z.string() });

/** The checkpoints of a job, of which the last is kept. */
export class Checkpoints {
  readonly #bucket: Bucket;
  readonly #job: TrainingJob;
  #lastKey: string | undefined;

  constructor(bucket: Bucket, job: TrainingJob) {
    this.#bucket = bucket;
    this.#job = job;
  }

  async save(checkpoint: Checkpoint): Promise<void> {
    const prefix = `${this.#job.output_prefix}checkpoints/`;
    const key = `${prefix}${checkpoint.stage}-${String(checkpoint.step).padStart(6, '0')}.bin`;
    await this.#bucket.write(key, render(checkpoint), 'application/octet-stream');
    const latest = { version: 'embedded-1', key, fingerprint: fingerprintOf(this.#job) };
    await this.#bucket.write(`${prefix}latest.json`, Buffer.from(JSON.stringify(latest)), 'application/json');
    if (this.#lastKey !== undefined && this.#lastKey !== key) await this.#bucket.delete(this.#lastKey);
    this.#lastKey = key;
  }

  /** The last checkpoint of the newest earlier attempt with the same training; undefined if there is none. */
  async last(): Promise<Checkpoint | undefined> {
    for (const prefix of this.#job.resume_prefixes) {
      const document = await this.#bucket.readIfThere(`${prefix}checkpoints/latest.json`);
      if (document === undefined) continue;
      const latest = Latest.safeParse(JSON.parse(document.toString('utf8')));
      if (!latest.success || latest.data.fingerprint !== fingerprintOf(this.#job)) continue;
      const bytes = await this.#bucket.readIfThere(latest.data.key);
      if (bytes !== undefined) return parse(bytes);
    }
    return undefined;
  }
}

/** Equal for jobs with the same training, in any attempt. */
function fingerprintOf(job: TrainingJob): string {
  const { seed, stages, model, data, initial_adapter_key, batch_order_key } = job;
  return createHash('sha256')
    .update(JSON.stringify({ seed, stages, model, data, initial_adapter_key, batch_order_key }))
    .digest('hex');
}

/** A line of JSON, then the arrays: references in double precision, the others in single. */
function render(checkpoint: Checkpoint): Buffer {
  const { parameters, means, squares, reference, heldOutReference, ...rest } = checkpoint;
  const header = Header.parse({
    ...rest,
    parameters: parameters.length,
    reference: reference.length,
    heldOutReference: heldOutReference.length,
  });
  const arrays = [parameters, means, squares, reference, heldOutReference].map((values) =>
    Buffer.from(values.buffer, values.byteOffset, values.byteLength),
  );
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...arrays]);
}

function parse(bytes: Buffer): Checkpoint {
  const end = bytes.indexOf('\n');
  const { parameters, reference, heldOutReference, ...header } = Header.parse(
    JSON.parse(bytes.toString('utf8', 0, end)),
  );
  let from = end + 1;
  const take = (length: number): ArrayBuffer => {
    const taken = Uint8Array.from(bytes.subarray(from, from + length));
    from += length;
    return taken.buffer;
  };
  const single = () => new Float32Array(take(parameters * Float32Array.BYTES_PER_ELEMENT));
  const double = (count: number) => new Float64Array(take(count * Float64Array.BYTES_PER_ELEMENT));
  return {
    ...header,
    parameters: single(),
    means: single(),
    squares: single(),
    reference: double(reference),
    heldOutReference: double(heldOutReference),
  };
}
