import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

/**
 * A model that responds at once, in a separate process: reads the whole request and sends the same completion.
 * `--latency <ms>` delays it. `--storm-after <s> --storm-for <s>` returns 429 for every second call during that time,
 * counted from the first call. A streaming request gets `--words` words, `--pause` ms apart, after the latency; the
 * model `embedding` returns embeddings. Prints one JSON line with its URL when it is ready; `GET /answered` returns the
 * calls answered in each second since the first.
 */
const { values } = parseArgs({
  options: {
    latency: { type: 'string', default: '0' },
    'storm-after': { type: 'string', default: '0' },
    'storm-for': { type: 'string', default: '0' },
    words: { type: 'string', default: '40' },
    pause: { type: 'string', default: '0' },
  },
});
const latencyMilliseconds = Number(values.latency);
const stormFrom = Number(values['storm-after']) * 1000;
const stormTo = stormFrom + Number(values['storm-for']) * 1000;
const words = Number(values.words);
const pauseMilliseconds = Number(values.pause);
const body = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  model: 'instant',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        // The answer of `rowLine`, mended.
        content: "Just water it sometimes, don't drown it.",
      },
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 120, completion_tokens: 40, total_tokens: 160 },
});
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };

/** The words as chunks of a completion, then the usage. */
async function stream(response: ServerResponse): Promise<void> {
  const send = (chunk: object): boolean => response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let n = 0; n < words; n += 1) {
    if (n > 0 && pauseMilliseconds > 0) await sleep(pauseMilliseconds);
    send({ choices: [{ index: 0, delta: { content: `word${n} ` }, finish_reason: null }] });
  }
  send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  send({ choices: [], usage: { prompt_tokens: 10, completion_tokens: words, total_tokens: words + 10 } });
  response.end('data: [DONE]\n\n');
}

let startedAt: number | null = null;
let calls = 0;
const answered: number[] = [];

const server = createServer((request, response) => {
  if (request.url === '/answered') {
    response.end(JSON.stringify(Array.from(answered, (count) => count ?? 0)));
    return;
  }
  startedAt ??= performance.now();
  const elapsed = performance.now() - startedAt;
  calls += 1;
  const isThrottled = elapsed >= stormFrom && elapsed < stormTo && calls % 2 === 0;
  const answer = (): void => {
    if (isThrottled) {
      response.writeHead(429, { 'content-type': 'application/json' });
      response.end('{"error":{"message":"Slow down.","type":"rate_limit_error"}}');
      return;
    }
    const second = Math.floor((performance.now() - (startedAt ?? 0)) / 1000);
    answered[second] = (answered[second] ?? 0) + 1;
    if (streams) {
      void stream(response);
      return;
    }
    response.writeHead(200, headers);
    response.end(body);
  };
  let streams = false;
  request.on('data', (part: Buffer) => {
    // Streaming requests say so in the first piece, or in the last of a short request.
    streams ||= part.includes('"stream":true');
  });
  request.on('end', () => {
    if (latencyMilliseconds > 0) {
      setTimeout(answer, latencyMilliseconds);
    } else {
      answer();
    }
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}/v1` }));
});
process.stdin.resume().once('end', () => process.exit(0));
