import { TrainerMessage, TrainingJob } from '#shared/schema/training-job.ts';
import { type AttemptPorts, takeJob } from './attempt.ts';

export interface QueueMessage {
  readonly body: string;
  readonly receipt: string;
}

export interface QueuePorts extends AttemptPorts {
  /** Waits for a message for as long as the queue lets it; undefined where none came. */
  readonly receive: (signal: AbortSignal) => Promise<QueueMessage | undefined>;
  readonly remove: (receipt: string) => Promise<void>;
  readonly readObject: (bucket: string, key: string) => Promise<string>;
}

const pauseAfterFailureSeconds = 5;

/**
 * Takes jobs from a queue, one after the other, until the signal fires. What cannot be read stays in the queue, which
 * in time makes a dead letter of it.
 */
export async function takeMessages(ports: QueuePorts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const message = await ports.receive(signal);
      if (message !== undefined) await takeMessage(message, ports);
    } catch (error) {
      if (signal.aborted) return;
      ports.log('queue_failed', { error: error instanceof Error ? error.name : 'unknown' });
      await ports.pause(pauseAfterFailureSeconds, signal);
    }
  }
}

async function takeMessage({ body, receipt }: QueueMessage, ports: QueuePorts): Promise<void> {
  let job: TrainingJob;
  try {
    const { bucket, job_key: key } = TrainerMessage.parse(JSON.parse(body));
    job = TrainingJob.parse(JSON.parse(await ports.readObject(bucket, key)));
  } catch (error) {
    ports.log('message_left', { error: error instanceof Error ? error.name : 'unknown' });
    return;
  }
  await takeJob(job, ports, () => ports.remove(receipt));
}
