import { PROFILE_ROWS_MAX, profileAnswers } from './answer-profile.ts';

const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** Longer cells are no labels, whatever follows. */
const CELL_CHARACTERS_MAX = 100;

/**
 * Learns the closed sets of labels in columns of a dataset, from rows that pass one by one: from all of them, or from
 * some hundreds that are spread over all. A row is among those by its number alone, so that the same rows teach the same.
 */
export class LabelLearner {
  /** The cells of each sampled row, by column. */
  private sample: { readonly row: number; readonly cells: readonly string[] }[] = [];
  private share = 1;

  private readonly columns: readonly string[];

  constructor(columns: readonly string[]) {
    this.columns = columns;
  }

  /** Takes a row; `cellOf` reads the text of one of the columns, and is called for sampled rows only. */
  take(row: number, cellOf: (column: string) => string | null | undefined): void {
    if (!this.isSampled(row)) return;
    const cells = this.columns.map((column) => (cellOf(column) ?? '').trim().slice(0, CELL_CHARACTERS_MAX));
    this.sample.push({ row, cells });
    while (this.sample.length > PROFILE_ROWS_MAX) {
      this.share /= 2;
      this.sample = this.sample.filter((sampled) => this.isSampled(sampled.row));
    }
  }

  /** The labels of all columns; empty if none has a closed set. */
  labels(): string[] {
    const found = this.columns.flatMap(
      (_, column) => profileAnswers(this.sample.map(({ cells }) => cells[column] ?? '')).labels,
    );
    return [...new Set(found)];
  }

  /** Multiples of the golden ratio are spread evenly, over sorted and over periodic rows. */
  private isSampled(row: number): boolean {
    return (row * GOLDEN) % 1 < this.share;
  }
}
