import type * as z from 'zod';
import type { Asking } from './ask-model.ts';

/** What a model is measured with. If any of it changes, earlier trials say nothing of it any more. */
export interface MeasurementKey {
  readonly model_id: string;
  readonly prompt_version: string;
  readonly set_hash: string;
}

/** Answers of a model to known questions, by names that are unique within a measurement. */
export type Trials = Readonly<Record<string, unknown>>;

/** Stores the trials of measurements that have broken off. */
export interface TrialStore {
  /** None for a measurement that has not broken off. */
  findTrials(key: MeasurementKey): Promise<Trials>;
  saveTrials(key: MeasurementKey, trials: Trials): Promise<void>;
}

/** The answer of an earlier invocation to a question, or else that of `ask`, which is kept unless it is null. */
export type Trial = <T>(
  name: string,
  schema: z.ZodType<T>,
  ask: (asking: Asking) => Promise<T | null>,
) => Promise<T | null>;

/** Trials that nobody keeps. */
export const newTrials =
  (asking: Asking): Trial =>
  (_name, _schema, ask) =>
    ask(asking);
