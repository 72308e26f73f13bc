import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './attempt.ts';
import { borrow, createQueue, createTasks } from './aws-ports.ts';
import { takeMessages } from './take-messages.ts';

/**
 * The embedded trainer: takes jobs from a queue and trains them on this machine's CPU. Environment:
 * `TRAINER_QUEUE_URL`, `AWS_REGION`, `AWS_ENDPOINT_URL`, the usual credentials, `TUNESMITH_MODELS_DIR`,
 * `TUNESMITH_TRAINER_THREADS`. Prints JSON lines; the first says that it takes jobs. With `--stop-with-parent` it ends
 * when its stdin closes.
 */
const queueUrl = process.env.TRAINER_QUEUE_URL;
if (queueUrl === undefined || queueUrl === '') {
  throw new Error('Set TRAINER_QUEUE_URL to the address of the trainer’s queue.');
}

const log: Log = (event, fields) =>
  console.log(JSON.stringify({ at: new Date().toISOString(), event, ...fields }));

process.once('SIGTERM', () => process.exit(0));
process.once('SIGINT', () => process.exit(0));
if (process.argv.includes('--stop-with-parent')) process.stdin.resume().once('end', () => process.exit(0));

log('ready', { pid: process.pid });
await takeMessages(
  {
    ...createQueue(queueUrl),
    borrow,
    tasks: createTasks(),
    newOwner: () => `embedded:${randomUUID()}`,
    now: () => new Date(),
    pause: (seconds, signal) =>
      sleep(seconds * 1000, undefined, { signal }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      }),
    log,
  },
  new AbortController().signal,
);
