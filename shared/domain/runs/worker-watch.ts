/** Reports of a worker about its work, besides the progress that callers see. */
export interface WorkerWatch {
  /** A row got its result in this invocation. */
  readonly rowDone: () => void;
  /** The model has answered nobody for so long that it is only probed. */
  readonly circuitOpened: () => void;
}
