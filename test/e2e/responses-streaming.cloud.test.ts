import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { join } from 'node:path';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bundlePath, functionName } from '#infra/names.ts';
import { repositoryRoot } from '#local/paths.ts';
import { type StreamingFunction, startStreamingFunction } from '#local/streaming-function.ts';
import { createAccessAdministration } from '#shared/access/store/access.ts';
import { callerToContext } from '#shared/platform/access/caller.ts';
import { DEFAULT_PLAN } from '#shared/platform/schema/plan.ts';
import { createTable } from '#shared/platform/store/table.ts';
import type { ResponseEvent } from '#shared/responses/schema/response.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { readEvents } from '#test/helpers/read-events.ts';
import { makeCaller } from '#test/helpers/records.ts';
import { controlScriptedModel } from '#test/helpers/scripted-control.ts';
import { answerResult, startScriptedToolServer } from '#test/helpers/scripted-tool-server.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

/**
 * The deployed function, with the environment that it has there, under a runtime that streams: the emulator hands an
 * answer over when it has ended.
 */
const FUNCTION = 'api/responses/create';
const TEAM = 'answering-streams';
const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const model = controlScriptedModel(cloud.modelUrl);
let running: StreamingFunction;
/** Stands in for the daemon that Lambda runs beside functions. */
const daemon = createSocket('udp4');
const toXray: string[] = [];

beforeAll(async () => {
  daemon.on('message', (message) => void toXray.push(message.toString())).bind(0, '127.0.0.1');
  await once(daemon, 'listening');
  await admin.createKey(TEAM, '--credits', '1000');
  const team = await createAccessAdministration(createTable(cloud.tableName)).findTeamByName(TEAM);
  if (team === null) throw new Error('The team is not there.');
  const { Environment: deployed } = await new LambdaClient({}).send(
    new GetFunctionConfigurationCommand({ FunctionName: functionName('local', FUNCTION) }),
  );
  const caller = makeCaller({
    team_id: team.team_id,
    plan: { ...DEFAULT_PLAN, requests_per_second: 1000, response_tokens_per_minute: 100_000_000 },
  });
  running = await startStreamingFunction(
    join(bundlePath(join(repositoryRoot, 'dist'), FUNCTION), 'index.mjs'),
    {
      ...deployed?.Variables,
      ...cloud.environment,
      // The cloud of the tests has few connections to the model and little patience.
      MODEL_CONCURRENCY: '64',
      MODEL_TIMEOUT_SECONDS: '60',
      AUTHORIZER_CONTEXT: JSON.stringify(callerToContext(caller)),
      AWS_XRAY_DAEMON_ADDRESS: `127.0.0.1:${daemon.address().port}`,
      _X_AMZN_TRACE_ID: 'Root=1-67891233-abcdef012345678912345678;Parent=463ac35c9f6413ad;Sampled=1',
    },
  );
});
afterAll(async () => {
  await running?.[Symbol.asyncDispose]();
  daemon.close();
  await model.setScript({ judge: 'fair' });
});
beforeEach(() => model.setScript({ judge: 'fair' }));

const post = (body: object, signal?: AbortSignal, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(running.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'scripted', stream: true, ...body }),
    ...(signal === undefined ? {} : { signal }),
  });

/** Reads a stream to its end, and tells what has come with each piece of it. */
async function read(response: Response, onPart: (part: string) => void = () => {}): Promise<ResponseEvent[]> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    const piece = decoder.decode(part, { stream: true });
    text += piece;
    onPart(piece);
  }
  return readEvents(text);
}

const wordsOf = (events: readonly ResponseEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'response.output_text.delta' ? event.delta : []));
const words = (count: number): string[] => Array.from({ length: count }, (_, n) => `word${n} `);
const numbersOf = (events: readonly ResponseEvent[]): number[] =>
  events.map(({ sequence_number }) => sequence_number);

test('events arrive while the model is still answering', async () => {
  await model.setScript({ pauseMilliseconds: 200 });
  const arrivals: number[] = [];
  const response = await post({ input: 'count 10' });
  const events = await read(response, (part) => {
    const deltas = part.match(/^event: response\.output_text\.delta$/gm) ?? [];
    arrivals.push(...deltas.map(() => performance.now()));
  });

  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(wordsOf(events)).toEqual(words(10));
  // The model takes 200 ms for each of its words, so nine pauses lie between the first and the last.
  const [first = 0] = arrivals;
  expect((arrivals.at(-1) ?? 0) - first).toBeGreaterThan(1500);
  expect((arrivals[4] ?? 0) - first).toBeLessThan(((arrivals.at(-1) ?? 0) - first) * 0.75);
});

test('a call of a tool is told of while the tool server has yet to answer', async () => {
  const tools = await startScriptedToolServer(cloud.toolServerPorts[0]);
  try {
    let see: () => void = () => {};
    const seen = new Promise<void>((resolve) => {
      see = resolve;
    });
    tools.behaviours.set('tools/call', (response, message) => {
      void seen.then(() => answerResult(response, message, { content: [{ type: 'text', text: 'late' }] }));
    });
    const response = await post({
      input: 'call echo {"message":"hi"}',
      tools: [{ type: 'mcp', server_label: 'notes', server_url: tools.url, require_approval: 'never' }],
    });
    // The server answers only once the event of its call has arrived here.
    const events = await read(response, (part) => {
      if (part.includes('response.mcp_call.in_progress')) see();
    });

    expect(wordsOf(events).join('')).toBe('Tools said: late');
    expect(events.at(-1)?.type).toBe('response.completed');
  } finally {
    await tools.close();
  }
});

test('the caller’s trace reaches the tool server through both functions, and X-Ray', async () => {
  const tools = await startScriptedToolServer(cloud.toolServerPorts[0]);
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const given = `00-${trace}-00f067aa0ba902b7-01`;
  try {
    const body = {
      input: 'call echo {"message":"hi"}',
      tools: [{ type: 'mcp', server_label: 'notes', server_url: tools.url, require_approval: 'never' }],
    };
    const events = await read(await post(body, undefined, { traceparent: given, tracestate: 'a=1' }));

    const called = tools.requests.find(({ rpc }) => rpc === 'tools/call');
    const [, , span] = String(called?.headers.traceparent).split('-');
    expect(called?.headers).toMatchObject({ traceparent: `00-${trace}-${span}-01`, tracestate: 'a=1' });
    expect(JSON.parse(called?.body ?? '').params._meta).toMatchObject({
      traceparent: called?.headers.traceparent,
    });
    const ofTrace = (): string[] => toXray.filter((sent) => sent.includes(trace));
    await expect.poll(() => ofTrace().length).toBe(1);
    const subsegment = JSON.parse(ofTrace()[0]?.split('\n')[1] ?? '');
    const { response } = events.at(-1) as Extract<ResponseEvent, { response: unknown }>;
    expect(subsegment).toMatchObject({
      parent_id: '463ac35c9f6413ad',
      annotations: { trace_id: trace, response_id: response.id },
    });
    // Each function is a span of its own.
    expect([subsegment.id, '00f067aa0ba902b7']).not.toContain(span);
    expect(running.log()).toContain(`"trace_id":"${trace}"`);
  } finally {
    await tools.close();
  }
});

test('50 streams at once lose no event and reorder none', async () => {
  await model.setScript({ pauseMilliseconds: 30 });
  const streams = await Promise.all(
    Array.from({ length: 50 }, async (_, n) => ({
      count: 100 + n,
      events: await read(await post({ input: `count ${100 + n}` })),
    })),
  );

  for (const { count, events } of streams) {
    expect(wordsOf(events)).toEqual(words(count));
    expect(numbersOf(events)).toEqual(events.map((_, n) => n));
    expect(events[0]?.type).toBe('response.created');
    expect(events.at(-1)?.type).toBe('response.completed');
  }
  // They overlap; how far depends on what else the machine does while they begin.
  const { inFlightMax } = await model.stats();
  expect(inFlightMax).toBeGreaterThan(20);
  expect(await admin.ledgerFaults(TEAM)).toEqual([]);
});

test('what is wrong before the first event has a status, and afterwards an event', async () => {
  const refused = await post({ input: 'Hi', previous_response_id: `resp_${'0'.repeat(32)}` });
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
    404,
    'response_not_found',
  ]);

  await model.setScript({ faults: [{ kind: 'status', status: 400 }] });
  const rejected = await post({ input: 'Hi' });
  expect([rejected.status, ((await rejected.json()) as { code: string }).code]).toEqual([
    422,
    'model_refused',
  ]);

  const tools = await startScriptedToolServer(cloud.toolServerPorts[0]);
  const response = await post({
    input: 'Hi',
    tools: [{ type: 'mcp', server_label: 'notes', server_url: tools.url }],
  });
  await tools.close();
  const last = (await read(response)).at(-1);
  expect(response.status).toBe(200);
  expect(last).toMatchObject({ type: 'response.failed', response: { status: 'failed', error: {} } });
});

test('a caller who goes ends the answer, and pays for what was said until then', async () => {
  const usedSoFar = async (): Promise<{ answers: number; output: number }> => {
    const line = (await admin.run('usage', '--team', TEAM)).at(-1) ?? '';
    const [, answers = 0, output = 0] = /^in all +\S+ +(\d+) +\d+ +(\d+)/.exec(line) ?? [];
    return { answers: Number(answers), output: Number(output) };
  };
  const before = await usedSoFar();
  await model.setScript({ pauseMilliseconds: 100 });
  const going = new AbortController();
  const response = await post({ input: 'count 300' }, going.signal);
  await response.body?.getReader().read();
  going.abort();

  const answers = async (): Promise<number> => (await usedSoFar()).answers;
  await expect.poll(answers, { timeout: 10_000, interval: 500 }).toBe(before.answers + 1);
  const said = (await usedSoFar()).output - before.output;
  expect(said).toBeGreaterThan(0);
  expect(said).toBeLessThan(100);
  expect(await admin.ledgerFaults(TEAM)).toEqual([]);
});
