import { TrainerMessage, TrainingJob } from '#shared/training/schema/training-job.ts';
import { type AttemptPorts, takeJob } from './attempt.ts';
import { AttemptOverError } from './errors.ts';

export interface QueueMessage {
  readonly body: string;
  readonly receipt: string;
}

/** What the credentials of an attempt open. */
export interface LentPorts extends Pick<AttemptPorts, 'attempts' | 'startTraining'> {
  readonly readObject: (bucket: string, key: string) => Promise<string>;
}

export interface QueuePorts extends Omit<AttemptPorts, keyof LentPorts> {
  /** Waits for a message for as long as the queue lets it; undefined where none came. */
  readonly receive: (signal: AbortSignal) => Promise<QueueMessage | undefined>;
  readonly remove: (receipt: string) => Promise<void>;
  /** Opens what the credentials open that are lent, and renewed, for the attempt of a message. */
  readonly borrow: (message: TrainerMessage) => LentPorts;
}

const pauseAfterFailureSeconds = 5;

/**
 * Takes jobs from a queue, one after another, until the signal aborts. An unreadable message stays in the queue, which
 * eventually moves it to the dead-letter queue.
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
  let lent: LentPorts;
  try {
    const asked = TrainerMessage.parse(JSON.parse(body));
    lent = ports.borrow(asked);
    job = TrainingJob.parse(JSON.parse(await lent.readObject(asked.bucket, asked.job_key)));
  } catch (error) {
    if (error instanceof AttemptOverError) {
      ports.log('credentials_refused');
      await ports.remove(receipt);
      return;
    }
    ports.log('message_left', { error: error instanceof Error ? error.name : 'unknown' });
    return;
  }
  await takeJob(job, { ...ports, ...lent }, () => ports.remove(receipt));
}
