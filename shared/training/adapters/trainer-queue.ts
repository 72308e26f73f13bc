import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { TrainerQueue } from '../decide/trainer-queue.ts';
import type { Trainer } from '../schema/training.ts';

/** @param urlOf returns a trainer's queue URL */
export function createTrainerQueue(
  urlOf: (trainer: Trainer) => string,
  client = new SQSClient({ useQueueUrlAsEndpoint: false }),
): TrainerQueue {
  return {
    async send(trainer, message) {
      await client.send(
        new SendMessageCommand({ QueueUrl: urlOf(trainer), MessageBody: JSON.stringify(message) }),
      );
    },
  };
}
