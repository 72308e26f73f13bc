import { resource } from '#shared/platform/runtime/need.ts';
import { createTrainerQueue } from '../adapters/trainer-queue.ts';

/** The queues of the trainers. */
export const theTrainerQueue = /* @__PURE__ */ resource('queues of trainers', ({ env }) =>
  createTrainerQueue((trainer) => env.trainerQueueUrl(trainer)),
);
