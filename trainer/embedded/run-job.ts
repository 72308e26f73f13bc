import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as tar from 'tar';
import { EMBEDDED_CONTEXT_TOKENS } from '#shared/training/decide/catalog.ts';
import { boundCurves } from '#shared/training/decide/curve.ts';
import type { TuningMethod } from '#shared/training/schema/training.ts';
import {
  HeldOutAnswer,
  TrainerCurve,
  type TrainerPhase,
  TrainerReport,
  TrainingExample,
  type TrainingJob,
} from '#shared/training/schema/training-job.ts';
import { AdamW, clipGradients } from './adamw.ts';
import { Adapter } from './adapter.ts';
import { adapterConfig, readSafetensors, renderGguf, renderSafetensors } from './adapter-files.ts';
import { type LearnedRow, learnFromRows, lossOfRows, scoreTexts } from './batch.ts';
import type { Bucket } from './bucket.ts';
import { type Checkpoint, Checkpoints } from './checkpoint.ts';
import { dropInputs } from './dropout.ts';
import { DivergedError, RefusedError } from './errors.ts';
import { adaptedModules, requireOneAdapter } from './limits.ts';
import { type LossOfRow, lossOf, needsReference } from './losses.ts';
import type { Network } from './network.ts';
import { targetsOf } from './packing.ts';
import { createRandom } from './random.ts';
import { type BatchOrder, givenOrder, orderBatches, rateAt } from './schedule.ts';
import { answerText, preferredOf, TextFormat, type Tokenizer, withoutReasoning } from './text-format.ts';
import { TextScorer } from './text-scorer.ts';
import { TextStore } from './text-store.ts';

/** The progress of a training. */
export interface TrainingProgress {
  readonly phase: TrainerPhase;
  readonly method?: TuningMethod;
  readonly step?: number;
  readonly steps?: number;
}

/** The base model of a training. */
export interface BaseModel {
  readonly network: Network;
  readonly tokenizer: Tokenizer;
  /** Files of the tokenizer to store with the trained model: JSON documents by name. */
  readonly tokenizerFiles: Readonly<Record<string, unknown>>;
  /** The greedy answers to prompts, with or without an adapter in llama.cpp's format. */
  answer(
    prompts: readonly (readonly number[])[],
    options: { readonly tokensMax: number; readonly adapterPath?: string },
  ): Promise<string[]>;
}

export interface JobTools {
  readonly model: BaseModel;
  readonly bucket: Bucket;
  /** An empty folder for temporary files. */
  readonly folder: string;
  readonly trainer: TrainerReport['trainer'];
  readonly onProgress: (progress: TrainingProgress) => void;
  /** Called when the curve could not be written, which the training outlives. */
  readonly onCurveLost: (error: unknown) => void;
  /** Called often, to let the event loop handle pending events. */
  readonly breathe: () => Promise<void>;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

const heldOutRowsOfLoss = 50;
const rowsScoredAtOnce = 64;

/**
 * Runs the training of a job, answers the held-out rows, and writes everything except the report below the output
 * prefix. A diverged training is returned as such.
 * @throws {RefusedError} for an unsupported job.
 */
export async function runJob(job: TrainingJob, tools: JobTools): Promise<TrainerReport> {
  return new JobRun(job, tools).perform();
}

type Stage = TrainingJob['stages'][number];

/** A stage while it is trained. */
interface StageTraining {
  readonly index: number;
  readonly stage: Stage;
  readonly adapter: Adapter;
  readonly store: TextStore;
  readonly order: BatchOrder;
  readonly report: TrainerReport['stages'][number];
  readonly optimizer: AdamW;
  /** Log-probabilities of the rows without what the stage teaches; empty if its loss does not need them. */
  readonly reference: Float64Array;
  /** The same of the held-out rows. */
  readonly heldOutReference: Float64Array;
  /** The held-out rows whose loss is reported. */
  readonly watchedRows: readonly LearnedRow[];
  readonly lossOfRow: LossOfRow;
  readonly gradients: Float32Array;
}

class JobRun {
  readonly #job: TrainingJob;
  readonly #tools: JobTools;
  readonly #format: TextFormat;
  readonly #checkpoints: Checkpoints;
  readonly #scorer: TextScorer;
  #stages: TrainerReport['stages'] = [];
  #truncated = 0;
  #curveWrittenAt = Number.NEGATIVE_INFINITY;

  constructor(job: TrainingJob, tools: JobTools) {
    this.#job = job;
    this.#tools = tools;
    const contextTokens = Math.min(job.data.context_tokens, EMBEDDED_CONTEXT_TOKENS);
    this.#format = new TextFormat(tools.model.tokenizer, job.data.format, contextTokens);
    this.#checkpoints = new Checkpoints(tools.bucket, job);
    this.#scorer = new TextScorer(tools.model.network, tools.breathe);
  }

  async perform(): Promise<TrainerReport> {
    requireOneAdapter(this.#job);
    try {
      const heldOut = await this.#readHeldOut();
      const adapter = await this.#train(heldOut);
      return await this.#finish(adapter, heldOut);
    } catch (error) {
      if (!(error instanceof DivergedError)) throw error;
      return this.#report({ outcome: 'diverged', reason: error.message });
    }
  }

  async #readHeldOut(): Promise<TrainingExample[]> {
    const { held_out_key: key, held_out_rows: count } = this.#job.data;
    const examples: TrainingExample[] = [];
    for await (const example of this.#examples([key])) examples.push(example);
    if (examples.length !== count) {
      throw new RefusedError(`The data has ${examples.length} held-out rows where the job says ${count}.`);
    }
    return examples;
  }

  async *#examples(keys: readonly string[]): AsyncGenerator<TrainingExample> {
    for (const key of keys) {
      for await (const line of this.#tools.bucket.lines(key)) {
        const example = TrainingExample.safeParse(parseJson(line));
        if (!example.success) throw new RefusedError(`A line of ${key} is no training example.`);
        yield example.data;
      }
    }
  }

  async #train(heldOut: readonly TrainingExample[]): Promise<Adapter> {
    const { stages, seed, initial_adapter_key } = this.#job;
    const { network } = this.#tools.model;
    const hyperparams = stages[0]?.hyperparams;
    if (hyperparams === undefined) throw new RefusedError('The job has no stage.');
    const adapter = new Adapter(network.shape, {
      rank: hyperparams.lora_r,
      alpha: hyperparams.lora_alpha,
      modules: adaptedModules(hyperparams.lora_trainable_modules),
    });
    const checkpoint = await this.#checkpoints.last();
    if (checkpoint !== undefined) {
      adapter.parameters.set(checkpoint.parameters);
      this.#stages = [...checkpoint.stages];
    } else if (initial_adapter_key !== null) {
      readSafetensors(adapter, await this.#tools.bucket.read(initial_adapter_key));
    } else {
      adapter.randomize(createRandom(seed));
    }
    this.#scorer.setAdapter(adapter);
    const first = checkpoint?.stage ?? 0;
    for (const [index, stage] of stages.entries()) {
      if (index < first) continue;
      if (index > first) this.#tools.onProgress({ phase: 'handing_over' });
      await this.#trainStage(index, stage, adapter, heldOut, index === first ? checkpoint : undefined);
    }
    return adapter;
  }

  async #trainStage(
    index: number,
    stage: Stage,
    adapter: Adapter,
    heldOut: readonly TrainingExample[],
    checkpoint: Checkpoint | undefined,
  ): Promise<void> {
    const { now, breathe, onProgress } = this.#tools;
    const { method } = stage;
    const store = await this.#encodeRows(index, stage);
    try {
      const startedAt = now();
      const training = await this.#beginStage({ index, stage, adapter, store }, heldOut, checkpoint);
      const { order, report, optimizer } = training;
      const secondsBefore = report.seconds;
      if (optimizer.step === 0) await this.#watch(training, 0);
      await this.#writeCurve();

      for (let step = optimizer.step; step < order.steps; step += 1) {
        const done = step + 1;
        await this.#learn(training, step);
        if (order.endsEpoch(step)) await this.#watch(training, done);
        report.seconds = secondsBefore + (now() - startedAt) / 1000;
        onProgress({ phase: 'training', method, step: done, steps: order.steps });
        if (done % this.#job.checkpoint_steps === 0 || done === order.steps) {
          await this.#saveCheckpoint(training, done);
        }
        const isDue = now() - this.#curveWrittenAt >= this.#job.heartbeat_seconds * 1000;
        if (isDue || done === order.steps) await this.#writeCurve();
        await breathe();
      }
    } finally {
      store.close();
    }
  }

  /** Reads the order of the rows, restores the optimizer, and scores the rows without what the stage teaches. */
  async #beginStage(
    begun: Pick<StageTraining, 'index' | 'stage' | 'adapter' | 'store'>,
    heldOut: readonly TrainingExample[],
    checkpoint: Checkpoint | undefined,
  ): Promise<StageTraining> {
    const { index, stage, adapter, store } = begun;
    const { method, hyperparams } = stage;
    const order = await this.#orderOf(hyperparams, store.rows);
    const report = this.#stages[index] ?? {
      method,
      steps: 0,
      seconds: 0,
      train_loss: [],
      held_out_loss: [],
    };
    this.#stages[index] = report;
    report.steps_planned = order.steps;
    const optimizer = new AdamW(adapter.parameters.length);
    if (checkpoint !== undefined) {
      optimizer.means.set(checkpoint.means);
      optimizer.squares.set(checkpoint.squares);
      optimizer.step = checkpoint.step;
    }
    this.#tools.onProgress({ phase: 'training', method, step: optimizer.step, steps: order.steps });

    const watched = heldOut
      .slice(0, heldOutRowsOfLoss)
      .map((example) => this.#format.encodeRow(example, method, hyperparams.train_on_inputs));
    const hasReference = needsReference(method, hyperparams);
    const reference =
      checkpoint?.reference ?? (hasReference ? await this.#scoreStore(store) : new Float64Array());
    const heldOutReference =
      checkpoint?.heldOutReference ??
      (hasReference ? await this.#scorer.score(watched.flat()) : new Float64Array());
    return {
      ...begun,
      order,
      report,
      optimizer,
      reference,
      heldOutReference,
      watchedRows: watched.map((texts, row) => ({ texts, reference: ofPair(heldOutReference, row) })),
      lossOfRow: lossOf(method, hyperparams),
      gradients: new Float32Array(adapter.parameters.length),
    };
  }

  /** Reports the loss of held-out rows after a step. */
  async #watch({ stage, report, watchedRows, lossOfRow }: StageTraining, step: number): Promise<void> {
    if (watchedRows.length === 0) return;
    const sums = await this.#scorer.score(watchedRows.flatMap(({ texts }) => texts));
    const loss = lossOfRows(watchedRows, sums, lossOfRow);
    requireFinite(loss, `The held-out loss of ${stage.method}`, step);
    report.held_out_loss.push({ step, loss });
  }

  /** Updates the adapter by the rows of a step. */
  async #learn(training: StageTraining, step: number): Promise<void> {
    const { index, stage, adapter, store, order, report, optimizer, reference, lossOfRow, gradients } =
      training;
    const { method, hyperparams } = stage;
    const { model, breathe } = this.#tools;
    const { network } = model;
    const rows = order
      .batch(step)
      .map((row): LearnedRow => ({ texts: store.read(row), reference: ofPair(reference, row) }));
    gradients.fill(0);
    const loss = await learnFromRows(network, adapter, rows, {
      lossOfRow,
      gradients,
      dropout: (pack, number) =>
        dropInputs(network.shape, adapter.settings.modules, {
          rate: hyperparams.lora_dropout,
          tokens: pack.tokens.length,
          seed: [this.#job.seed, index, step, number],
        }),
      afterPack: breathe,
    });
    const done = step + 1;
    requireFinite(loss, `The loss of ${method}`, done);
    requireFinite(
      clipGradients(gradients, hyperparams.max_grad_norm),
      `The norm of the gradient of ${method}`,
      done,
    );
    const rate = rateAt(step, order.steps, hyperparams);
    optimizer.update(adapter.parameters, gradients, { rate, weightDecay: hyperparams.weight_decay });
    this.#scorer.setAdapter(adapter);
    report.train_loss.push({ step: done, loss, learning_rate: rate });
    report.steps = done;
  }

  async #saveCheckpoint(training: StageTraining, done: number): Promise<void> {
    const { index, adapter, optimizer, reference, heldOutReference } = training;
    const { means, squares } = optimizer;
    await this.#checkpoints.save({
      stage: index,
      step: done,
      stages: this.#stages,
      parameters: adapter.parameters,
      means,
      squares,
      reference,
      heldOutReference,
    });
  }

  /** Shows the curves so far to whoever asks for the metrics of the training. */
  async #writeCurve(): Promise<void> {
    const { bucket, now, onCurveLost } = this.#tools;
    this.#curveWrittenAt = now();
    const curve = TrainerCurve.parse({ version: 1, stages: this.#curves() });
    try {
      await bucket.write(
        `${this.#job.output_prefix}curve.json`,
        Buffer.from(JSON.stringify(curve)),
        'application/json',
      );
    } catch (error) {
      onCurveLost(error);
    }
  }

  #curves(): TrainerReport['stages'] {
    return boundCurves(this.#stages, this.#job.stages.length);
  }

  async #encodeRows(index: number, { method, hyperparams }: Stage): Promise<TextStore> {
    const { data } = this.#job;
    const store = new TextStore(join(this.#tools.folder, `stage-${index}.tokens`), method === 'dpo' ? 2 : 1);
    for await (const example of this.#examples(data.train_keys)) {
      store.append(this.#format.encodeRow(example, method, hyperparams.train_on_inputs));
    }
    if (store.rows !== data.train_rows || store.rows === 0) {
      throw new RefusedError(
        `The data has ${store.rows} rows to train on where the job says ${data.train_rows}.`,
      );
    }
    this.#truncated = Math.max(this.#truncated, store.truncated);
    return store;
  }

  async #orderOf(
    { batch_size: batchSize, n_epochs: epochs }: Stage['hyperparams'],
    rows: number,
  ): Promise<BatchOrder> {
    const { batch_order_key: key, seed } = this.#job;
    if (key === null) return orderBatches(rows, { batchSize, epochs, seed });
    const steps = parseJson((await this.#tools.bucket.read(key)).toString('utf8'));
    const isPlace = (place: unknown) => Number.isInteger(place) && Number(place) >= 0 && Number(place) < rows;
    if (
      !Array.isArray(steps) ||
      !steps.every((step) => Array.isArray(step) && step.length > 0 && step.every(isPlace))
    ) {
      throw new RefusedError(`${key} is no list of steps, each a list of places of the ${rows} rows.`);
    }
    return givenOrder(steps, { rows, batchSize });
  }

  async #scoreStore(store: TextStore): Promise<Float64Array> {
    const sums = new Float64Array(store.rows * 2);
    for (let from = 0; from < store.rows; from += rowsScoredAtOnce) {
      const count = Math.min(rowsScoredAtOnce, store.rows - from);
      const texts = Array.from({ length: count }, (_, row) => store.read(from + row)).flat();
      sums.set(await scoreTexts(this.#tools.model.network, texts, this.#tools.breathe), from * 2);
    }
    return sums;
  }

  async #finish(adapter: Adapter, heldOut: readonly TrainingExample[]): Promise<TrainerReport> {
    const { model, bucket, folder, onProgress } = this.#tools;
    const { output_prefix: prefix, answer_tokens_max: tokensMax } = this.#job;
    onProgress({ phase: 'answering' });
    const adapterPath = join(folder, 'adapter.gguf');
    await writeFile(adapterPath, renderGguf(adapter));
    const tuned = await this.#logprobsOf(heldOut);
    // Layers without factors are computed by other kernels, which take almost three times as long.
    this.#scorer.setAdapter(new Adapter(adapter.shape, adapter.settings));
    const base = await this.#logprobsOf(heldOut);
    const prompts = heldOut.map((example) => this.#format.encodePrompt(example, tokensMax));
    const baseAnswers = await model.answer(prompts, { tokensMax });
    const tunedAnswers = await model.answer(prompts, { tokensMax, adapterPath });
    const lines = heldOut.map((example, index) =>
      JSON.stringify(
        HeldOutAnswer.parse({
          row: example.row,
          messages: example.messages,
          reference: answerText(preferredOf(example)),
          base: { answer: withoutReasoning(baseAnswers[index] ?? ''), ...base[index] },
          tuned: { answer: withoutReasoning(tunedAnswers[index] ?? ''), ...tuned[index] },
        }),
      ),
    );
    const answersKey = `${prefix}answers.jsonl`;
    const text = lines.map((line) => `${line}\n`).join('');
    await bucket.write(answersKey, Buffer.from(text), 'application/x-ndjson');

    onProgress({ phase: 'packing' });
    const artifactKey = `${prefix}artifact.tar.gz`;
    const ggufKey = `${prefix}adapter.gguf`;
    const report = this.#report({
      outcome: 'completed',
      answers_key: answersKey,
      artifact_key: artifactKey,
      gguf_key: ggufKey,
    });
    const archive = await this.#pack(adapter, report);
    await bucket.upload(artifactKey, archive, 'application/gzip');
    await bucket.upload(ggufKey, adapterPath, 'application/octet-stream');
    return TrainerReport.parse({ ...report, artifact_bytes: (await stat(archive)).size });
  }

  /** Mean log-likelihood a token of each reference and each rejected answer, with the current network. */
  async #logprobsOf(heldOut: readonly TrainingExample[]) {
    const texts = heldOut.map((example) =>
      [preferredOf(example), example.rejected].flatMap((text) =>
        text === undefined ? [] : [this.#format.encode(example, text)],
      ),
    );
    const sums = (await this.#scorer.score(texts.flat())).values();
    return texts.map((ofRow) => {
      const [reference, rejected] = ofRow.map((text) => {
        const sum = sums.next().value ?? 0;
        const targets = targetsOf(text);
        if (!Number.isFinite(sum))
          throw new DivergedError('The model finds no finite likelihood for held-out rows.');
        return targets === 0 ? null : Math.min(sum / targets, 0);
      });
      return {
        reference_logprob: reference,
        ...(rejected === undefined ? {} : { rejected_logprob: rejected }),
      };
    });
  }

  async #pack(adapter: Adapter, report: TrainerReport): Promise<string> {
    const { folder, model } = this.#tools;
    const { license, id } = this.#job.model;
    const artifact = join(folder, 'artifact');
    await mkdir(artifact);
    const dropout = this.#job.stages.at(-1)?.hyperparams.lora_dropout ?? 0;
    const documents = {
      'adapter_config.json': adapterConfig(adapter, { baseModel: id, dropout }),
      'training_report.json': report,
      ...model.tokenizerFiles,
    };
    const files: Record<string, string | Buffer> = {
      'LICENSE.md':
        '# Licence of the base model\n\n' +
        `This adapter was trained from ${id}, which comes under ${license.name}: <${license.url}>.\n` +
        'Its terms hold for what is made of it too.\n',
      'adapter_model.safetensors': renderSafetensors(adapter),
      ...Object.fromEntries(
        Object.entries(documents).map(([name, document]) => [name, `${JSON.stringify(document, null, 2)}\n`]),
      ),
    };
    for (const [name, content] of Object.entries(files)) await writeFile(join(artifact, name), content);
    const archive = join(folder, 'artifact.tar.gz');
    await tar.create(
      { file: archive, cwd: artifact, gzip: { level: 1 }, portable: true },
      Object.keys(files).sort(),
    );
    return archive;
  }

  #report(ending: Partial<TrainerReport> & Pick<TrainerReport, 'outcome'>): TrainerReport {
    return TrainerReport.parse({
      version: 1,
      reason: null,
      trainer: this.#tools.trainer,
      stages: this.#curves(),
      rows: { trained: this.#job.data.train_rows, truncated: this.#truncated },
      answers_key: null,
      artifact_key: null,
      artifact_bytes: null,
      gguf_key: null,
      ...ending,
    });
  }
}

function ofPair(sums: Float64Array, row: number): number[] {
  return [...sums.subarray(row * 2, row * 2 + 2)];
}

function requireFinite(value: number, what: string, step: number): void {
  if (!Number.isFinite(value)) throw new DivergedError(`${what} is not finite at step ${step}.`);
}

/** Undefined for invalid JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
