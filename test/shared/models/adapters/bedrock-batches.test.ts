import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  BedrockClient,
  GetModelInvocationJobCommand,
  StopModelInvocationJobCommand,
} from '@aws-sdk/client-bedrock';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MODEL_PROBES } from '#bin/deploy/model-probes.ts';
import { connectBedrockBatches } from '#shared/models/adapters/bedrock-batches.ts';
import type { BatchJobResult, BatchProvider } from '#shared/models/decide/batch-provider.ts';
import { answering, connectBedrockEndpoint } from '#test/helpers/bedrock-endpoint.ts';
import { createMemoryObjects, type MemoryObjects } from '#test/helpers/memory-objects.ts';
import {
  BEDROCK_BATCHES,
  leadToBedrock,
  type ScriptedBedrockBatches,
  startScriptedBedrockBatches,
} from '#test/helpers/scripted-bedrock-batches.ts';

const NAME = '2b1cbb76-26c7-4c62-9a5f-0a4a35ba9a1d-1-0';
const job = {
  name: NAME,
  modelId: 'vendor.model-v1:0',
  inputKey: 'runs/r/batch-jobs/passes/000001/inputs/000000.jsonl',
  outputPrefix: 'batch-outputs/r/000001/000000/',
};
const FOLDER = `${job.outputPrefix}abcdefghijkl/`;
const submitted = {
  ...job,
  jobId: 'arn:aws:bedrock:eu-west-1:123456789012:model-invocation-job/abcdefghijkl',
};
const request = {
  messages: [{ role: 'user' as const, content: 'hello' }],
  maxOutputTokens: 9,
  temperature: 0.5,
};

let objects: MemoryObjects;
let stand: ScriptedBedrockBatches;
let provider: BatchProvider;

beforeEach(async () => {
  objects = createMemoryObjects();
  stand = await startScriptedBedrockBatches(objects, () => ({ output: outputOf('an answer') }), 1);
  leadToBedrock(stand.url);
  provider = connectBedrockBatches({ ...BEDROCK_BATCHES, timeoutSeconds: 20, objects });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await stand.close();
});

const outputOf = (text: string, stopReason = 'end_turn') => ({
  output: { message: { role: 'assistant', content: [{ text }] } },
  stopReason,
  usage: { inputTokens: 3, cacheReadInputTokens: 4, outputTokens: 2, totalTokens: 9 },
});
const idOf = (line: string): string => JSON.parse(line).recordId;
const recordOf = (id: string, rest: object): string =>
  JSON.stringify({ recordId: idOf(provider.toLine(id, 'm', request, [])), modelInput: {}, ...rest });
const writeOutput = (lines: readonly string[], key = `${FOLDER}000000.jsonl.out`): Promise<void> =>
  objects.write(key, lines.map((line) => `${line}\n`).join(''), 'application/octet-stream');
const collect = async (): Promise<BatchJobResult[]> => {
  const results: BatchJobResult[] = [];
  for await (const result of provider.results(submitted)) results.push(result);
  return results;
};

test.each(
  MODEL_PROBES.map(({ role, request }) => [role, request.jsonSchema?.name ?? 'text', request] as const),
)(
  'a line of a job has for the role %s and %s the body that the SDK sends in a single call',
  async (_role, _name, request) => {
    const { server, bedrock } = await connectBedrockEndpoint();
    server.reply(answering('{}'));
    await bedrock.model(job.modelId).generate(request);
    const sent = server.requests[0]?.body;
    bedrock.close();
    await server.close();

    expect(JSON.parse(provider.toLine('id', job.modelId, request, [])).modelInput).toEqual(sent);
  },
);

test('a line of a job leaves out the fields that the model does not take', () => {
  const withSchema = { ...request, jsonSchema: { name: 'n', schema: { type: 'object' } } };
  const [whole, less] = [[], ['temperature', 'outputConfig', 'of another provider']].map(
    (refused) => JSON.parse(provider.toLine('id', 'm', withSchema, refused)).modelInput,
  );

  expect(whole).toMatchObject({ inferenceConfig: { temperature: 0.5 }, outputConfig: {} });
  expect(less).toEqual({
    messages: [{ role: 'user', content: [{ text: 'hello' }] }],
    inferenceConfig: { maxTokens: 9 },
  });
});

test('a line of a job has an alphanumeric id, and no cache point and no model', () => {
  const line = provider.toLine(
    'a-_B.0',
    'eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
    {
      ...request,
      messages: [{ role: 'system', content: 's' }, ...request.messages],
    },
    [],
  );

  expect(idOf(line)).toMatch(/^[a-z0-9]+$/);
  expect(line).not.toMatch(/cachePoint|modelId/);
});

test('a line of a job is asked again without a field only where the error names one that was sent', () => {
  const field = (body: string, status: number | null = 400, refused: string[] = []) =>
    provider.refusedField('m', request, refused, { status, body })?.field ?? null;

  expect(field('`temperature` is deprecated for this model.')).toBe('temperature');
  expect(field('temperature', 400, ['temperature'])).toBeNull();
  expect(field('temperature', 500)).toBeNull();
  expect(field('temperature', null)).toBeNull();
  expect(field('bad request')).toBeNull();
  expect(field('The input is too long: temperature')).toBeNull();
  const schema = 'Structured output (response_format) is not supported';
  expect(field(schema)).toBeNull();
  expect(
    provider.refusedField('m', { ...request, jsonSchema: { name: 'n', schema: {} } }, [], {
      status: 400,
      body: schema,
    }),
  ).toEqual({ field: 'outputConfig', isUnknown: true });
});

describe('a job', () => {
  const write = (calls = 1): Promise<void> => {
    const lines = Array.from({ length: calls }, (_, n) => provider.toLine(`call.${n}`, 'm', request, []));
    return objects.write(job.inputKey, lines.map((line) => `${line}\n`).join(''), 'application/jsonl');
  };

  test('a job is made with the role, the addresses of its objects and its name as the token', async () => {
    const jobId = await provider.submit(job);

    expect(jobId).toMatch(/^arn:aws:bedrock:.*:model-invocation-job\/[a-z0-9]{12}$/);
    expect(stand.creations).toEqual([
      {
        jobName: NAME,
        clientRequestToken: NAME,
        roleArn: BEDROCK_BATCHES.roleArn,
        modelId: job.modelId,
        modelInvocationType: 'Converse',
        timeoutDurationInHours: 24,
        tags: [
          { key: 'stage', value: 'dev' },
          { key: 'cost', value: 'training' },
        ],
        inputDataConfig: {
          s3InputDataConfig: { s3InputFormat: 'JSONL', s3Uri: `s3://data-bucket/${job.inputKey}` },
        },
        outputDataConfig: { s3OutputDataConfig: { s3Uri: `s3://data-bucket/${job.outputPrefix}` } },
      },
    ]);
  });

  test.each(['job', 'nothing', 'conflict'] as const)(
    'a job is made once, also if a repetition is answered with: %s',
    async (repeats) => {
      stand.setScript({ repeats });
      const first = await provider.submit(job);

      expect(await provider.submit(job)).toBe(first);
      expect(stand.batches()).toHaveLength(1);
    },
  );

  test('a job whose creation is answered with neither a job nor an error is tried again later', async () => {
    stand.setScript({ refusals: [409] });

    await expect(provider.submit(job)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test.each([
    [400, 'rejected'],
    [402, 'throttled'],
    [403, 'misconfigured'],
    [429, 'throttled'],
    [500, 'unavailable'],
    [503, 'unavailable'],
  ])('a job that is refused with %i is %s', async (status, kind) => {
    stand.setScript({ refusals: [status] });

    await expect(provider.submit(job)).rejects.toMatchObject({ name: 'ModelError', kind });
    expect(stand.batches()).toEqual([]);
  });

  test('a job that is not answered in time is a timeout', async () => {
    const client = mockClient(BedrockClient);
    client.onAnyCommand().callsFake(async () => {
      await sleep(100);
      throw new Error('aborted');
    });
    const impatient = connectBedrockBatches({ ...BEDROCK_BATCHES, timeoutSeconds: 0.05, objects });

    await expect(impatient.look(submitted)).rejects.toMatchObject({ kind: 'timeout' });
    client.restore();
  });

  test('a job is found by its whole name, on any page', async () => {
    const oldest = await provider.submit({ ...job, name: 'run-1-1' });
    for (let n = 0; n < 110; n += 1) await provider.submit({ ...job, name: `run-1-1${n}` });

    expect(await provider.find('run-1-1')).toBe(oldest);
    expect(await provider.find('run-1')).toBeNull();
    expect(await provider.find('run-2-1')).toBeNull();
  });

  test.each([
    ['Submitted', 'running'],
    ['Validating', 'running'],
    ['Scheduled', 'running'],
    ['InProgress', 'running'],
    ['Stopping', 'running'],
    ['OfALaterVersion', 'running'],
    ['Completed', 'ended'],
    ['PartiallyCompleted', 'ended'],
    ['Failed', 'ended'],
    ['Stopped', 'ended'],
    ['Expired', 'ended'],
  ])('a job that is %s is %s', async (status, state) => {
    const client = mockClient(BedrockClient);
    client.on(GetModelInvocationJobCommand).resolves({ status: status as 'Submitted' });

    expect(await provider.look(submitted)).toEqual({ state, said: status });
    await provider.cancel(submitted);
    const isLeft = state === 'ended' || status === 'Stopping';
    expect(client.commandCalls(StopModelInvocationJobCommand)).toHaveLength(isLeft ? 0 : 1);
    client.restore();
  });

  test('a job that ended before it could be stopped is left, and one that goes on is not', async () => {
    const client = mockClient(BedrockClient);
    const conflict = Object.assign(new Error('conflict'), {
      name: 'ConflictException',
      $metadata: { httpStatusCode: 400 },
    });
    client.on(StopModelInvocationJobCommand).rejects(conflict);
    client
      .on(GetModelInvocationJobCommand)
      .resolvesOnce({ status: 'InProgress' })
      .resolves({ status: 'Completed' });
    await provider.cancel(submitted);

    client.on(GetModelInvocationJobCommand).resolves({ status: 'InProgress' });
    await expect(provider.cancel(submitted)).rejects.toMatchObject({ kind: 'unavailable' });
    client.restore();
  });

  test('a job that is stopped in the console gives what it has answered', async () => {
    await write(4);
    const whole = { ...job, jobId: await provider.submit(job) };
    stand.stop(NAME);

    expect(await provider.look(whole)).toEqual({ state: 'ended', said: 'Stopped' });
    const ids: string[] = [];
    for await (const { id } of provider.results(whole)) ids.push(id);
    expect(ids.sort()).toEqual(['call.0', 'call.1']);
  });

  test('a job is forgotten by deleting what it wrote, and nothing else', async () => {
    await write();
    const whole = { ...job, jobId: await provider.submit(job) };
    await provider.look(whole);
    await objects.write('batch-outputs/r/000001/000001/x/f.jsonl.out', '', 'text/plain');
    expect(await stand.files()).toHaveLength(3);

    await provider.forget(whole);
    await provider.forget(whole);

    expect(objects.keys()).toEqual(['batch-outputs/r/000001/000001/x/f.jsonl.out', job.inputKey]);
  });
});

test('results are answers and errors of the job alone', async () => {
  await writeOutput([
    recordOf('a-_Z.0', { modelOutput: outputOf('yes', 'max_tokens') }),
    recordOf('b.0', { error: { errorCode: 400, errorMessage: 'bad request' } }),
  ]);
  await writeOutput(
    [recordOf('c.0', { modelOutput: outputOf('no') })],
    `${job.outputPrefix}otherjob0000/f.jsonl.out`,
  );
  await writeOutput(['{"totalRecordCount":2}'], `${FOLDER}manifest.json.out`);

  expect(await collect()).toEqual([
    {
      id: 'a-_Z.0',
      outcome: {
        generation: { text: 'yes', finishReason: 'length', usage: { input_tokens: 7, output_tokens: 2 } },
      },
    },
    { id: 'b.0', outcome: { status: 400, body: 'bad request' } },
  ]);
});

test('results are read across the pieces of a file, whole or cut off', async () => {
  const file = Buffer.from(
    `${recordOf('a.0', { modelOutput: outputOf('größer 😀') })}\n\n${recordOf('b.0', { modelOutput: outputOf('b') })}\n{"recordId":"63`,
  );
  await objects.write(`${FOLDER}000000.jsonl.out`, '', 'text/plain');
  const inPieces = connectBedrockBatches({
    ...BEDROCK_BATCHES,
    timeoutSeconds: 20,
    objects: {
      ...objects,
      stream: async () => Readable.from(pieces(file)),
    },
  });
  const texts: string[] = [];
  for await (const { outcome } of inPieces.results(submitted)) {
    texts.push('generation' in outcome ? outcome.generation.text : 'none');
  }

  expect(texts).toEqual(['größer 😀', 'b']);
});

test('results of other forms are left, and those behind them are read', async () => {
  await writeOutput([
    'null',
    '{',
    '{"recordId":7}',
    recordOf('a.0', {}),
    recordOf('b.0', { modelOutput: { output: {} } }),
    recordOf('c.0', { error: { errorCode: 'ModelErrorException' } }),
    recordOf('d.0', { modelOutput: outputOf('x'.repeat(17 * 1024 * 1024)) }),
    recordOf('e.0', { modelOutput: outputOf('read') }),
  ]);

  expect(await collect()).toMatchObject([
    { id: 'a.0', outcome: { status: null } },
    { id: 'b.0', outcome: { status: null } },
    { id: 'e.0', outcome: { generation: { text: 'read' } } },
  ]);
});

test('results of a job that wrote nothing are none', async () => {
  expect(await collect()).toEqual([]);
});

/** A file in pieces that end within characters. */
async function* pieces(file: Buffer): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < file.length; at += 7) yield file.subarray(at, at + 7);
}
