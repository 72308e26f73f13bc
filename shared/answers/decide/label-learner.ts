import { ownCopy } from '#shared/platform/own-copy.ts';
import { readTurns, turnText } from '#shared/tabular/decide/chat-turns.ts';
import { type AnswerProfile, isLabelLike, PROFILE_ROWS_MAX, profileAnswers } from './answer-profile.ts';

const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** Longer cells are no labels, whatever is in them: nothing of them is kept. */
const CELL_CHARACTERS_MAX = 100;
/** Stands for each longer cell. */
const LONG_CELL = '.'.repeat(CELL_CHARACTERS_MAX + 1);
/** Different short cells of a column that are counted; one with more has no closed set. */
const DISTINCT_MAX = 10_000;

/**
 * The text of the reply of a cell of turns that has one alone, or of its last turn without one; any other cell as it is. The replies
 * at the ends of longer conversations are often courtesies, which are no labels, however few they are.
 */
function answerIn(cell: string): string {
  const turns = readTurns(cell);
  if (typeof turns === 'string') return cell;
  const [reply, ...others] = turns.filter(isReply);
  if (others.length > 0) return LONG_CELL;
  const answer = reply ?? turns.at(-1);
  return answer === undefined ? cell : turnText(answer);
}

const isReply = ({ role }: { readonly role: string }): boolean => role === 'assistant';

/** Whether a prompt is turns with a reply before what is asked; a reply at their end is replaced by the answer. */
function goesOn(prompt: string): boolean {
  const turns = readTurns(prompt);
  return typeof turns !== 'string' && turns.slice(0, -1).some(isReply);
}

/**
 * Learns the closed sets of labels in columns of a dataset, from rows that pass one by one. Whether a column has one is decided by
 * some hundreds of rows that are spread over all; a row is among those by its number alone, so that the same rows teach the same.
 * Where nearly all cells are labels, those of all rows are learned, the rare ones too.
 */
export class LabelLearner {
  /** The cells of each sampled row, by column. */
  private sample: { readonly row: number; readonly cells: readonly string[] }[] = [];
  private share = 1;
  /** How often each cell that may be a label occurs, by column; null of a column with too many. */
  private readonly counts: (Map<string, number> | null)[];

  private readonly columns: readonly string[];
  private readonly prompt: string | undefined;

  /** @param prompt the column of what the others answer: an answer in a longer conversation is no label */
  constructor(columns: readonly string[], prompt?: string) {
    this.columns = columns;
    this.prompt = prompt;
    this.counts = columns.map(() => new Map());
  }

  /** Takes a row; `cellOf` reads the text of one of the columns, or of the prompt. */
  take(row: number, cellOf: (column: string) => string | null | undefined): void {
    const isLater = this.prompt !== undefined && goesOn(cellOf(this.prompt) ?? '');
    const cells = this.columns.map((column) => {
      if (isLater && column !== this.prompt) return LONG_CELL;
      const cell = answerIn(cellOf(column) ?? '').trim();
      return cell.length > CELL_CHARACTERS_MAX ? LONG_CELL : ownCopy(cell);
    });
    for (const [column, cell] of cells.entries()) this.count(column, cell);
    if (!this.isSampled(row)) return;
    this.sample.push({ row, cells });
    while (this.sample.length > PROFILE_ROWS_MAX) {
      this.share /= 2;
      this.sample = this.sample.filter((sampled) => this.isSampled(sampled.row));
    }
  }

  /** The labels of all columns; empty if none has a closed set. */
  labels(): string[] {
    return this.find(({ labels, spelled }, counts) =>
      // Beside labels, answers of a few words may be anything. What occurs twice is no slip.
      spelled.length === 0
        ? labels
        : [...labels, ...counts.filter(([, count]) => count >= 2).map(([cell]) => cell)],
    );
  }

  /** The labels, and whatever else of a few words stands in a column of labels: what is made after its rows may be any of it. */
  known(): string[] {
    return this.find(({ labels }, counts) => [...labels, ...counts.map(([cell]) => cell)]);
  }

  private find(
    read: (profile: AnswerProfile, counts: readonly (readonly [string, number])[]) => readonly string[],
  ): string[] {
    const found = this.columns.flatMap((_, column) => {
      const profile = profileAnswers(this.sample.map(({ cells }) => cells[column] ?? ''));
      return profile.labels.length === 0 ? [] : read(profile, [...(this.counts[column] ?? [])]);
    });
    return [...new Set(found)];
  }

  private count(column: number, cell: string): void {
    const counts = this.counts[column];
    if (counts === null || counts === undefined || cell === '' || !isLabelLike(cell)) return;
    counts.set(cell, (counts.get(cell) ?? 0) + 1);
    if (counts.size > DISTINCT_MAX) this.counts[column] = null;
  }

  /** Multiples of the golden ratio are spread evenly, over sorted and over periodic rows. */
  private isSampled(row: number): boolean {
    return (row * GOLDEN) % 1 < this.share;
  }
}
