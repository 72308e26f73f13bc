import { fence } from '#shared/models/decide/fence.ts';
import type { TurnAnnotation } from '#shared/models/decide/turn.ts';
import type { Annotation, Citation } from '../schema/response.ts';
import { CITATIONS_MAX, type FileSearchCallItem } from '../schema/response-request.ts';
import type { FoundRow } from './dataset-search.ts';

type Row = Pick<FoundRow, 'dataset_id' | 'dataset_name' | 'row'>;
type Results = NonNullable<FileSearchCallItem['results']>;

/** Text for the model if a search found nothing. */
const NOTHING = 'Nothing was found. Say so rather than answering from elsewhere.';

/** The annotations of a text that the provider knows: citations of rows are the service's own. */
export const ofProvider = (annotations: readonly Annotation[]): readonly TurnAnnotation[] =>
  annotations.filter((each): each is TurnAnnotation => !('dataset_id' in each));

/**
 * Numbers the rows that searches of a conversation found, for citations by the model. Numbers count from 1 across the
 * whole conversation, so that a number means the same row in all turns.
 */
export class Passages {
  readonly #rows = new Map<number, Row>();
  readonly #numbers = new Map<string, number>();
  readonly #found = new Set<Row>();
  #last = 0;
  #hasCited = false;

  /** Whether a search of this answer found anything. */
  get hasFound(): boolean {
    return this.#found.size > 0;
  }

  /** The number of a row: its existing one, else `wanted` if free, else a new one. */
  numberOf(row: Row, wanted?: number): number {
    const identity = `${row.dataset_id}\n${row.row}`;
    const known = this.#numbers.get(identity);
    if (known !== undefined) return known;
    const number = wanted === undefined || this.#rows.has(wanted) ? this.#last + 1 : wanted;
    this.#rows.set(number, row);
    this.#numbers.set(identity, number);
    this.#last = Math.max(this.#last, number);
    return number;
  }

  /** The text for the model with the results of a search. */
  describe(found: readonly FoundRow[]): string {
    for (const row of found) this.#found.add(row);
    return found.map((row) => describeRow(row, this.numberOf(row), row.text)).join('\n\n') || NOTHING;
  }

  /** The text for the model with the results of an earlier search, which may have been replayed in any form. */
  recall(results: Results): string {
    return (
      results
        .map(({ text = '', filename, attributes }) => {
          const { dataset_id: id, row, passage } = attributes ?? {};
          if (typeof id !== 'string' || !isCount(row)) return fenceText(text);
          const known = { dataset_id: id, dataset_name: filename ?? id, row };
          return describeRow(known, this.numberOf(known, toNumber(passage)), text);
        })
        .join('\n\n') || NOTHING
    );
  }

  /** Registers numbers that a text of an earlier turn has cited, whose results may be missing now. */
  learn(text: string, annotations: readonly Annotation[]): void {
    for (const { dataset_id: id, row, filename, index } of annotations) {
      // Eight characters hold the largest number: thousands of annotations may name one text of megabytes.
      const place = isCount(index) ? text.slice(index, index + 8) : '';
      const number = toNumber(Number(/^\[(\d{1,5})\]/.exec(place)?.[1]));
      if (number === undefined || typeof id !== 'string' || !isCount(row)) continue;
      this.numberOf({ dataset_id: id, dataset_name: String(filename ?? id), row }, number);
    }
  }

  /** The citations of a text: each `[n]` with the number of a row, up to the first thousand. */
  cite(text: string): Citation[] {
    const cited: Citation[] = [];
    for (const match of text.matchAll(/\[(\d{1,5})\]/g)) {
      const row = this.#rows.get(Number(match[1]));
      if (row !== undefined) cited.push(citationOf(row, match.index));
      if (cited.length === CITATIONS_MAX) break;
    }
    this.#hasCited ||= cited.length > 0;
    return cited;
  }

  /** Citations of all results of this response at the end of its text; empty if the text has its own citations. */
  citeAll(text: string): Citation[] {
    return this.#hasCited ? [] : [...this.#found].map((row) => citationOf(row, text.length));
  }
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;

/** A valid row number. */
const toNumber = (value: unknown): number | undefined =>
  isCount(value) && value > 0 && value < 100_000 ? value : undefined;

const fenceText = (text: string): string => fence([{ name: 'passage', text }]);

const describeRow = ({ dataset_name: name, row }: Row, number: number, text: string): string =>
  `[${number}] dataset ${JSON.stringify(name)}, row ${row}\n${fenceText(text)}`;

function citationOf(row: Row, index: number): Citation {
  return {
    type: 'file_citation',
    file_id: row.dataset_id,
    filename: row.dataset_name,
    index,
    dataset_id: row.dataset_id,
    row: row.row,
  };
}
