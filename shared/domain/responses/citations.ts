import type { Annotation, Citation } from '../../schema/response.ts';
import { fence } from '../model/fence.ts';
import type { TurnAnnotation } from '../model/turn.ts';
import type { FoundRow } from './dataset-search.ts';

/** Of the annotations of a text, those that the provider knows: citations of rows are the service's own. */
export const ofProvider = (annotations: readonly Annotation[]): readonly TurnAnnotation[] =>
  annotations.filter((each): each is TurnAnnotation => !('dataset_id' in each));

/** Rows that searches of one answer found, numbered from 1 as the model is told to cite them. */
export class Passages {
  readonly #rows: FoundRow[] = [];
  readonly #numbers = new Map<string, number>();

  get count(): number {
    return this.#rows.length;
  }

  /** What the model reads of a search; a row that an earlier one found keeps its number. */
  describe(found: readonly FoundRow[]): string {
    if (found.length === 0) return 'Nothing was found. Say so rather than answering from elsewhere.';
    return found
      .map(
        (row) =>
          `[${this.#numberOf(row)}] dataset ${JSON.stringify(row.dataset_name)}, row ${row.row}\n${fence([{ name: 'passage', text: row.text }])}`,
      )
      .join('\n\n');
  }

  /**
   * The citations of a text: each `[n]` that is the number of a passage. A text without any rests on all passages
   * that the model was given, which are then cited at its end.
   */
  cite(text: string): Citation[] {
    const cited = [...text.matchAll(/\[(\d{1,4})\]/g)].flatMap((match) => {
      const row = this.#rows[Number(match[1]) - 1];
      return row === undefined ? [] : [citationOf(row, match.index)];
    });
    return cited.length > 0 ? cited : this.#rows.map((row) => citationOf(row, text.length));
  }

  #numberOf(row: FoundRow): number {
    const identity = `${row.dataset_id}\n${row.row}`;
    const known = this.#numbers.get(identity);
    if (known !== undefined) return known;
    this.#rows.push(row);
    this.#numbers.set(identity, this.#rows.length);
    return this.#rows.length;
  }
}

function citationOf(row: FoundRow, index: number): Citation {
  return {
    type: 'file_citation',
    file_id: row.dataset_id,
    filename: row.dataset_name,
    index,
    dataset_id: row.dataset_id,
    row: row.row,
  };
}
