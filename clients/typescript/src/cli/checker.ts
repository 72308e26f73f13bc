/** A table that `check` reads. */
export interface TableFile {
  readonly path: string;
  readonly name: string;
  readonly format: 'csv' | 'json' | 'jsonl';
}

export interface CheckRequest {
  readonly files: readonly TableFile[];
  /** Null: that of the form which the files have. */
  readonly mapping: {
    readonly prompt?: string;
    readonly completion?: string;
    readonly chat?: string;
    readonly context?: string[];
  } | null;
  /** The most touched rows of the report. */
  readonly rowsMax: number;
  readonly signal: AbortSignal;
  readonly onProgress: (rows: number, total: number) => void;
}

export interface RowPlace {
  readonly file: string;
  /** The row's number in its file, counted from 0. */
  readonly row: number;
}

/** A row that adapting would touch. */
export interface TouchedRow extends RowPlace {
  readonly outcome: 'changed' | 'doubted';
  readonly defect: string;
  /** What is wrong, in words that continue "The answer …". */
  readonly why: string;
  /** The form that the answer is held against. */
  readonly form: string;
  readonly prompt: string;
  readonly completion: string;
  /** The new completion; null if it takes a model to write one. */
  readonly becomes: string | null;
  /** What a row of which a model is asked gets if no answer of the model is taken; null if it stays as it is. */
  readonly fallback: string | null;
}

/** How many rows a check touches. */
export interface CheckCount {
  readonly check: string;
  readonly defect: string;
  readonly changed: number;
  readonly doubted: number;
}

/** What adapting does to the rows of files before it asks a model. Every row is in one of the five counts. */
export interface CheckReport {
  readonly rows: number;
  /** Rows without a defect. */
  readonly kept: number;
  /** Rows whose completion changes without a model. */
  readonly changed: number;
  /** Rows with a defect about which a model is asked. */
  readonly doubted: number;
  /** Rows without a completion, for which a model writes one. */
  readonly empty: number;
  /** Rows without a prompt or a conversation, which stay as they are. */
  readonly skipped: number;
  /** The first empty rows, and the first skipped ones. */
  readonly empty_rows: readonly RowPlace[];
  readonly skipped_rows: readonly RowPlace[];
  /** The checks that touch rows, the most frequent first. */
  readonly checks: readonly CheckCount[];
  /** Touched rows in their order: all of them, or some of every check. */
  readonly touched: readonly TouchedRow[];
  /** Remarks of the readers on the files. */
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

/** The service's own checks, bundled into one file that only `check` loads. */
export interface Checker {
  /** @throws errors with a stable `code` for what is wrong with the columns or a file */
  checkFiles(request: CheckRequest): Promise<CheckReport>;
}

/** The bundle lies beside the compiled modules, and has no types of its own. */
const BUNDLE = new URL('../../check/check-files.js', import.meta.url);

export const loadChecker = (): Promise<Checker> => import(BUNDLE.href);
