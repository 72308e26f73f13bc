import type { GenerateRequest, Generation } from './port.ts';

/** Where a job of a provider stands. */
export interface BatchJobStatus {
  /**
   * `ended` for any end: completed, expired, failed or cancelled. What it answered until then can be read. `queue_full`: it
   * failed since it has more tokens than there is room for in the provider's queue, and can be submitted again later.
   */
  readonly state: 'running' | 'ended' | 'queue_full';
  /** The provider's own word. */
  readonly said: string;
}

/** What became of one call of a batch: its answer, or the status and the body of the provider's error. */
export interface BatchJobResult {
  readonly id: string;
  readonly outcome:
    | { readonly generation: Generation }
    | { readonly status: number | null; readonly body: string };
}

/** A job before it is submitted. Its name is unique, and is found again at the provider. */
export interface BatchJobSubmission {
  readonly name: string;
  readonly modelId: string;
  /** Object with its lines. */
  readonly inputKey: string;
  /** Prefix of the objects that a provider writes itself, ending in a slash. */
  readonly outputPrefix: string;
}

/** A job of a provider. */
export interface SubmittedBatchJob extends BatchJobSubmission {
  readonly jobId: string;
}

/** The batch interface of a provider: calls at half the price, answered within a day. All errors are `ModelError`s. */
export interface BatchProvider {
  /** Limits of one job, in calls and in bytes of its lines. */
  readonly limits: { readonly callsMin: number; readonly callsMax: number; readonly bytesMax: number };
  /**
   * The line of a call in a job's input.
   * @param refused fields that the model does not take
   */
  toLine(id: string, modelId: string, request: GenerateRequest, refused: readonly string[]): string;
  /** The field of a call that was refused, by its error, and whether the model takes none such, whatever its value; null for any other error. */
  refusedField(
    modelId: string,
    request: GenerateRequest,
    refused: readonly string[],
    error: { readonly status: number | null; readonly body: string },
  ): { readonly field: string; readonly isUnknown: boolean } | null;
  /** Starts a job; returns its id. */
  submit(job: BatchJobSubmission): Promise<string>;
  /** The id of a job that was submitted under this name; null if there is none. */
  find(name: string): Promise<string | null>;
  look(job: SubmittedBatchJob): Promise<BatchJobStatus>;
  /** What an ended job has answered: any line may be missing, repeated or unknown. */
  results(job: SubmittedBatchJob): AsyncIterable<BatchJobResult>;
  /** Asks the provider to end a job; does nothing to one that has ended. */
  cancel(job: SubmittedBatchJob): Promise<void>;
  /** Deletes what the provider keeps of an ended job. */
  forget(job: SubmittedBatchJob): Promise<void>;
}
