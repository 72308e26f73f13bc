import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as tar from 'tar';
import { afterAll, describe, expect, test } from 'vitest';
import {
  HeldOutAnswer,
  TrainerCurve,
  type TrainerReport,
  type TrainingJob,
} from '#shared/training/schema/training-job.ts';
import { hyperparams } from '#test/helpers/training-jobs.ts';
import type { Bucket } from '#trainer/embedded/bucket.ts';
import { RefusedError } from '#trainer/embedded/errors.ts';
import { type JobTools, runJob, type TrainingProgress } from '#trainer/embedded/run-job.ts';
import { rateAt } from '#trainer/embedded/schedule.ts';
import { createTinyNetwork } from './tiny-network.ts';
import { createJob } from './training-job.ts';

const network = await createTinyNetwork();
const folders = mkdtempSync(join(tmpdir(), 'trainer-test-'));
afterAll(() => rmSync(folders, { recursive: true, force: true }));

const both = [
  { method: 'sft', hyperparams: { ...hyperparams, lora_dropout: 0.2 } },
  { method: 'dpo', hyperparams },
] as const satisfies TrainingJob['stages'];

test('A training lowers the loss of what it trains on, and leaves all that it promises', async () => {
  const { report, objects, progress, asked } = await run(createJob());
  const [stage] = report.stages;
  expect(report).toMatchObject({ outcome: 'completed', reason: null, rows: { trained: 5, truncated: 0 } });
  expect(stage?.train_loss.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(stage?.held_out_loss.map(({ step }) => step)).toEqual([0, 3, 6]);
  expect(stage?.held_out_loss.at(-1)?.loss).toBeLessThan(stage?.held_out_loss[0]?.loss ?? 0);
  expect(progress.map(({ phase }) => phase).filter((phase, index, all) => phase !== all[index - 1])).toEqual([
    'training',
    'answering',
    'packing',
  ]);
  expect(asked).toEqual([undefined, 'adapter.gguf']);
  const answers = text(objects, 'out/1/answers.jsonl')
    .trim()
    .split('\n')
    .map((line) => HeldOutAnswer.parse(JSON.parse(line)));
  expect(answers.map(({ row, reference }) => [row, reference])).toEqual([
    [5, 'kind'],
    [6, 'dear'],
  ]);
  expect(answers[0]?.tuned.reference_logprob).toBeGreaterThan(answers[0]?.base.reference_logprob ?? 0);
  expect(answers[0]?.tuned.rejected_logprob).toBeLessThan(0);
  expect(await filesOf(objects.get('out/1/artifact.tar.gz'))).toEqual([
    'LICENSE.md',
    'adapter_config.json',
    'adapter_model.safetensors',
    'tokenizer.json',
    'training_report.json',
  ]);
  expect(report.artifact_bytes).toBe(objects.get('out/1/artifact.tar.gz')?.length);
  expect(objects.get('out/1/adapter.gguf')?.toString('utf8', 0, 4)).toBe('GGUF');
});

test('A training that goes on from a checkpoint ends as if it had never been interrupted', async () => {
  const job = createJob({ stages: both });
  const whole = await run(job);
  for (const steps of [3, 9]) {
    const broken = await run(job, { breaksAtStep: steps }).catch((error: Error) => error);
    expect(broken).toMatchObject({ message: 'The process was killed.' });
    const resumed = await run(
      { ...job, attempt: 2, output_prefix: 'out/2/', resume_prefixes: ['out/1/'] },
      { objects: lastObjects },
    );
    expect(withoutSeconds(resumed.report)).toEqual(withoutSeconds(whole.report));
    expect(resumed.objects.get('out/2/adapter.gguf')).toEqual(whole.objects.get('out/1/adapter.gguf'));
    expect(resumed.progress[0]?.step).toBe(steps === 3 ? 2 : 2);
  }
});

test('A training keeps its last checkpoint alone', async () => {
  const { objects } = await run(createJob());
  expect([...objects.keys()].filter((key) => key.startsWith('out/1/checkpoints/'))).toEqual([
    'out/1/checkpoints/latest.json',
    'out/1/checkpoints/0-000006.bin',
  ]);
});

test('A training prefers what was chosen, with the model that SFT left as its reference', async () => {
  const { report, progress } = await run(createJob({ stages: both }));
  expect(report.stages.map(({ method, steps }) => [method, steps])).toEqual([
    ['sft', 6],
    ['dpo', 6],
  ]);
  expect(report.stages[1]?.held_out_loss[0]?.loss).toBeCloseTo(Math.log(2), 5);
  expect(report.stages[1]?.train_loss.at(-1)?.loss).toBeLessThan(Math.log(2));
  expect(progress.map(({ phase }) => phase)).toContain('handing_over');
});

test('A training that diverges says where, with finite numbers alone', async () => {
  const wild = { ...hyperparams, learning_rate: 1e30, max_grad_norm: 0, warmup_ratio: 0 };
  const { report, objects } = await run(createJob({ stages: [{ method: 'sft', hyperparams: wild }] }));
  expect(report.outcome).toBe('diverged');
  expect(report.reason).toMatch(/^The loss of sft is not finite at step 2\.$/);
  expect(report.stages[0]?.train_loss).toHaveLength(1);
  expect(report.artifact_key).toBeNull();
  expect([...objects.keys()].some((key) => key.startsWith('out/1/a'))).toBe(false);
});

test('A training takes rows in the order that is given, from the adapter that is given', async () => {
  const first = await run(createJob());
  const objects = createObjects();
  objects.set('order.json', Buffer.from('[[4],[0,1],[2,3,4]]'));
  const files = await unpack(first.objects.get('out/1/artifact.tar.gz'));
  objects.set('adapter.safetensors', files.get('adapter_model.safetensors') ?? Buffer.alloc(0));
  const { report } = await run(
    createJob({ batch_order_key: 'order.json', initial_adapter_key: 'adapter.safetensors' }),
    { objects },
  );
  expect(report.stages[0]?.steps).toBe(3);
  expect(report.stages[0]?.held_out_loss[0]?.loss).toBeCloseTo(
    first.report.stages[0]?.held_out_loss.at(-1)?.loss ?? 0,
    5,
  );
});

test('A training counts the rows that it cuts', async () => {
  const job = createJob();
  const { report } = await run({ ...job, data: { ...job.data, context_tokens: 8 } });
  expect(report.rows.truncated).toBe(5);
});

describe('The curve of a training', () => {
  const curveOf = (objects: Map<string, Buffer>) =>
    TrainerCurve.parse(JSON.parse(text(objects, 'out/1/curve.json')));

  test('The curve of a training has the learning rate that each step took', async () => {
    const { report } = await run(createJob());

    const [stage] = report.stages;
    expect(stage?.steps_planned).toBe(6);
    expect(stage?.train_loss.map(({ learning_rate }) => learning_rate)).toEqual(
      Array.from({ length: 6 }, (_, step) => rateAt(step, 6, hyperparams)),
    );
  });

  test('The curve of a training is written as the training goes on, about as often as heartbeats', async () => {
    const seen: number[][] = [];
    const objects = createObjects();
    const bucket = createMemoryBucket(objects);
    let clock = 0;

    const { report } = await run(createJob({ stages: both, heartbeat_seconds: 20 }), {
      objects,
      // Two steps take longer than a heartbeat's time, one does not.
      now: () => clock,
      bucket: {
        ...bucket,
        write: async (key, body, type) => {
          await bucket.write(key, body, type);
          if (key === 'out/1/curve.json') {
            seen.push(curveOf(objects).stages.map(({ train_loss }) => train_loss.length));
          }
        },
      },
      onStep: () => {
        clock += 12_000;
      },
    });

    expect(seen).toEqual([[0], [2], [4], [6], [6, 0], [6, 2], [6, 4], [6, 6]]);
    expect(curveOf(objects).stages).toEqual(report.stages);
  });

  test('The curve of a training of one that was killed shows how far it came', async () => {
    const error = await run(createJob({ heartbeat_seconds: 1 }), {
      breaksAtStep: 3,
      now: () => performance.now() * 1e6,
    }).catch((thrown: Error) => thrown);

    expect(error).toMatchObject({ message: 'The process was killed.' });
    const [stage] = curveOf(lastObjects).stages;
    expect(stage).toMatchObject({ steps: 2, steps_planned: 6, held_out_loss: [{ step: 0 }] });
    expect(stage?.train_loss.map(({ step }) => step)).toEqual([1, 2]);
  });

  test('The curve of a training that cannot be written is told of, and the training goes on', async () => {
    const objects = createObjects();
    const bucket = createMemoryBucket(objects);
    const { report, lost } = await run(createJob(), {
      objects,
      bucket: {
        ...bucket,
        write: async (key, body, type) => {
          if (key.endsWith('curve.json')) throw new Error('No room.');
          await bucket.write(key, body, type);
        },
      },
    });

    expect(report.outcome).toBe('completed');
    expect(lost).toEqual([new Error('No room.'), new Error('No room.')]);
  });
});

test.each([
  [
    'of the whole model',
    { stages: [{ method: 'sft', hyperparams: { ...hyperparams, training_type: 'full' } }] },
  ],
  [
    'of another adapter in a later stage',
    { stages: [both[0], { method: 'dpo', hyperparams: { ...hyperparams, lora_r: 4 } }] },
  ],
  [
    'of modules that there are not',
    {
      stages: [{ method: 'sft', hyperparams: { ...hyperparams, lora_trainable_modules: 'q_proj,lm_head' } }],
    },
  ],
  ['of more rows than there are', { data: { ...createJob().data, train_rows: 6 } }],
  ['of lines that are no examples', { data: { ...createJob().data, held_out_key: 'garbage.jsonl' } }],
  ['in an order that is none of its rows', { batch_order_key: 'garbage.jsonl' }],
] as const)('A training is refused: %s', async (_, changes) => {
  await expect(run(createJob(changes as Partial<TrainingJob>))).rejects.toThrow(RefusedError);
});

let lastObjects = new Map<string, Buffer>();

async function run(
  job: TrainingJob,
  {
    objects = createObjects(),
    breaksAtStep,
    now = () => performance.now(),
    bucket = createMemoryBucket(objects),
    onStep = () => {},
  }: {
    objects?: Map<string, Buffer>;
    breaksAtStep?: number;
    now?: () => number;
    bucket?: Bucket;
    onStep?: () => void;
  } = {},
) {
  lastObjects = objects;
  const progress: TrainingProgress[] = [];
  const asked: (string | undefined)[] = [];
  const lost: unknown[] = [];
  let steps = 0;
  const tools: JobTools = {
    model: {
      network,
      tokenizer: {
        tokenize: (plain) => [...plain].map(tokenOf),
        encodeChat: (messages) => [30, ...messages.flatMap(({ content }) => [...content].map(tokenOf)), 31],
        endOfTurn: 2,
        endOfText: 0,
      },
      tokenizerFiles: { 'tokenizer.json': {} },
      answer: async (prompts, { adapterPath }) => {
        asked.push(adapterPath?.split('/').at(-1));
        return prompts.map(() => 'answer');
      },
    },
    bucket,
    folder: mkdtempSync(join(folders, 'job-')),
    trainer: { kind: 'embedded', device: 'test', versions: {} },
    onCurveLost: (error) => lost.push(error),
    onProgress: (now) => {
      progress.push(now);
      if (now.phase !== 'training' || now.step === 0) return;
      steps += 1;
      onStep();
      if (steps === breaksAtStep) throw new Error('The process was killed.');
    },
    breathe: async () => {},
    now,
  };
  return { report: await runJob(job, tools), objects, progress, asked, lost };
}

function createObjects(): Map<string, Buffer> {
  const rows = ['good', 'fine', 'glad', 'warm', 'calm', 'kind', 'dear'].map((chosen, row) =>
    JSON.stringify({ row, messages: [{ role: 'user', content: `hi ${row}` }], chosen, rejected: 'rude' }),
  );
  const file = (from: number, to: number) => Buffer.from(rows.slice(from, to).join('\n'));
  return new Map([
    ['train-0.jsonl', file(0, 3)],
    ['train-1.jsonl', file(3, 5)],
    ['held-out.jsonl', file(5, 7)],
    ['garbage.jsonl', Buffer.from('{"messages": 1}\n[1]')],
  ]);
}

function createMemoryBucket(objects: Map<string, Buffer>): Bucket {
  const read = async (key: string) => {
    const object = objects.get(key);
    if (object === undefined) throw new Error(`There is no ${key}.`);
    return object;
  };
  return {
    read,
    readIfThere: async (key) => objects.get(key),
    lines: async function* (key) {
      yield* (await read(key)).toString('utf8').split('\n');
    },
    write: async (key, body) => {
      objects.set(key, Buffer.from(body));
    },
    upload: async (key, path) => {
      objects.set(key, readFileSync(path));
    },
    delete: async (key) => {
      objects.delete(key);
    },
  };
}

function tokenOf(character: string): number {
  return (character.codePointAt(0) ?? 0) % 28;
}

function text(objects: Map<string, Buffer>, key: string): string {
  return objects.get(key)?.toString('utf8') ?? '';
}

function withoutSeconds(report: TrainerReport) {
  const { artifact_bytes, artifact_key, answers_key, gguf_key, ...rest } = report;
  return { ...rest, stages: rest.stages.map((stage) => ({ ...stage, seconds: 0 })) };
}

async function filesOf(archive: Buffer | undefined): Promise<string[]> {
  return [...(await unpack(archive)).keys()];
}

async function unpack(archive: Buffer | undefined): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const parser = new tar.Parser({
    onReadEntry: (entry) => {
      const parts: Buffer[] = [];
      entry.on('data', (part) => parts.push(part));
      entry.on('end', () => files.set(entry.path, Buffer.concat(parts)));
    },
  });
  await new Promise<void>((resolve) => {
    parser.on('end', () => resolve());
    parser.end(archive ?? Buffer.alloc(0));
  });
  return files;
}
