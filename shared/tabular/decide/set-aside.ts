import { fileUnreadable } from './file-error.ts';
import type { ReadWarning } from './row-reader.ts';

/** Rows of which the warning names the place and the reason. */
const NAMED_MAX = 5;
/** Characters of a reason in the warning. */
const REASON_CHARACTERS_MAX = 90;

/** A row that cannot be read. */
export interface UnreadableRow {
  /** Its place in the file: `line 12`. */
  readonly where: string;
  readonly reason: string;
  /** What the upload fails with where no row may be left out. */
  readonly message: string;
  readonly cause?: unknown;
  /** Lines of the file that are left out with it; 1 by default. */
  readonly lines?: number;
}

/** Leaves rows out that cannot be read, up to a share of the file's rows; without a share the first one fails the file. */
export class SetAside {
  readonly #shareMax: number | null;
  readonly #named: UnreadableRow[] = [];
  #count = 0;

  /** @param shareMax null where the caller cannot set a share, so that errors do not say how to */
  constructor(shareMax: number | null = null) {
    this.#shareMax = shareMax;
  }

  /** Whether a row that cannot be read is left out. */
  get isOpen(): boolean {
    return this.#shareMax !== null && this.#shareMax > 0;
  }

  /** How to leave such rows out, as the end of an error. */
  get hint(): string {
    if (this.#shareMax === null) return '';
    return ' To leave such rows out, upload the file with max_unreadable_share: 0.01 allows one row in a hundred.';
  }

  /** @throws {ServiceError} `file_unreadable` if no row may be left out */
  add(row: UnreadableRow): void {
    if (!this.isOpen) throw fileUnreadable(`${row.message}${this.hint}`, row.cause);
    this.#count += row.lines ?? 1;
    if (this.#named.length < NAMED_MAX) this.#named.push(row);
  }

  /**
   * Checks the share once all rows are read.
   * @param rowCount rows that were read
   * @throws {ServiceError} `file_unreadable` if more rows were left out than the share allows
   */
  requireFew(rowCount: number): void {
    const [first] = this.#named;
    if (first === undefined || this.#count <= (this.#shareMax ?? 0) * (rowCount + this.#count)) return;
    throw fileUnreadable(
      `${this.#count} of ${rowCount + this.#count} rows cannot be read, and max_unreadable_share allows a share of ${this.#shareMax}. The first: ${first.message}`,
      first.cause,
    );
  }

  /** The warning that names the first rows that were left out; none where none was. */
  warnings(rowCount: number): ReadWarning[] {
    if (this.#count === 0) return [];
    const named = this.#named.map(({ where, reason }) => {
      const short =
        reason.length <= REASON_CHARACTERS_MAX ? reason : `${reason.slice(0, REASON_CHARACTERS_MAX - 1)}…`;
      return `${where} (${short})`;
    });
    const more = this.#count > this.#named.length ? ', and others' : '';
    const message = `${this.#count} of ${rowCount + this.#count} rows could not be read and were left out: ${named.join(', ')}${more}.`;
    return [{ code: 'rows_set_aside', message }];
  }
}
