import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A model that answers at once, as a process of its own: reads the request whole and sends the same completion.
 * `--latency <ms>` makes it wait. Prints one JSON line with its URL when it is ready.
 */
const at = process.argv.indexOf('--latency');
const latencyMilliseconds = at > 0 ? Number(process.argv[at + 1]) : 0;
const body = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  model: 'instant',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content:
          'Water the plant once a week in the morning, slowly and close to its root, until the soil is moist. Let the soil dry before you water it again, since wet roots rot.',
      },
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 120, completion_tokens: 40, total_tokens: 160 },
});
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };

const server = createServer((request, response) => {
  const answer = (): void => {
    response.writeHead(200, headers);
    response.end(body);
  };
  request.on('end', () => {
    if (latencyMilliseconds > 0) {
      setTimeout(answer, latencyMilliseconds);
    } else {
      answer();
    }
  });
  request.resume();
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}/v1` }));
});
process.stdin.resume().once('end', () => process.exit(0));
