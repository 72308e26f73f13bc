import { need } from '#shared/platform/runtime/need.ts';
import { Trainer } from '../schema/training.ts';

/** The trainers of the installation. */
export const trainers = /* @__PURE__ */ need<readonly Trainer[]>({ trainers: true }, (use) =>
  use.env.trainers().map((name) => Trainer.parse(name)),
);
