/** Callbacks of a worker for metrics, besides the progress that callers see. */
export interface WorkerWatch {
  /** A row finished in this invocation. */
  readonly rowDone: () => void;
  /** The model has not responded for so long that it is only probed. */
  readonly circuitOpened: () => void;
}
