import { Trainer } from '../../schema/training.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';

/** The trainers of the installation. */
export const trainers = need<readonly Trainer[]>({ trainers: true }, () =>
  env.trainers().map((name) => Trainer.parse(name)),
);
