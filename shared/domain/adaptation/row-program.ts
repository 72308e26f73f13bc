import { type Asking, type CallMeter, UnusableAnswer } from '#shared/domain/model/ask-model.ts';
import type { Generation } from '#shared/domain/model/port.ts';
import type { AnswerEdit, RowReason, Source } from '#shared/schema/run-result.ts';
import { cellText, splitRawObject } from '../tabular/raw-object.ts';

/** The columns that a run produces for a row, as plain text; null where the row has nothing to show for one. */
export type ProducedCells = Record<string, string | null>;

/** The mapped cells of a row as plain text, by column; null for null and missing ones. */
export type SourceCells = ReadonlyMap<string, string | null>;

/** Facts about a row that are kept whatever its outcome; see `RunResult`. */
export interface RowRemarks {
  readonly notes?: RowReason[];
  readonly sources?: Source[];
  readonly edit?: AnswerEdit;
  readonly safety_scorer?: string;
}

export type RowVerdict = RowRemarks &
  (
    | { readonly outcome: 'changed'; readonly cells: ProducedCells }
    | { readonly outcome: 'kept' | 'failed'; readonly reason: RowReason; readonly cells: ProducedCells }
  );

/** The processing of one row. Each mode of adapting is one program; the chunk worker knows no other difference. */
export interface RowProgram {
  /** Columns that it reads. */
  readonly columns: readonly string[];
  /** The produced columns of a row to which nothing is done. */
  original(cells: SourceCells): ProducedCells;
  /** @throws {AskFailure} when this row fails, {ModelOutage} when every row would */
  run(cells: SourceCells, asking: Asking, meter: CallMeter): Promise<RowVerdict>;
}

/**
 * Reads cells of a canonical row as text: a string's content, any other value as its JSON text stands in the row,
 * so that 12345678901234567890 and 1.0 keep every digit.
 */
export function readCells(line: string, columns: readonly string[]): SourceCells {
  const row = JSON.parse(line) as Record<string, unknown>;
  const values = columns.map((column) => (Object.hasOwn(row, column) ? row[column] : null));
  if (values.every((value) => value === null || typeof value === 'string')) {
    return new Map(columns.map((column, n) => [column, values[n] as string | null]));
  }
  const raw = new Map(splitRawObject(line));
  return new Map(columns.map((column) => [column, cellText(raw.get(column))]));
}

/** Cleans a model's output: removes reasoning and wrappings that models add. */
export function readText(generation: Generation): string {
  const text = unwrap(splitReasoning(generation.text).answer);
  if (text === '') {
    throw new UnusableAnswer('The model returned an empty answer');
  }
  if (/<\/?data-[0-9a-f]{6}/.test(text)) {
    throw new UnusableAnswer('The model repeated the marks around the row instead of answering');
  }
  return generation.finishReason === 'length' ? cutToSentence(text) : text;
}

const REASONING = /<(think|thinking|thought|reasoning|scratchpad)>([\s\S]*?)<\/\1>/gi;

/**
 * Splits reasoning from the answer: blocks such as `<think>…</think>`, also if the opening mark was part of the
 * model's template or the closing one was cut off.
 */
export function splitReasoning(text: string): { readonly reasoning: string; readonly answer: string } {
  const thoughts: string[] = [];
  const take = (_: string, __: string, thought: string): string => {
    thoughts.push(thought.trim());
    return '';
  };
  const answer = text
    .replace(REASONING, take)
    .replace(/^()([\s\S]*?)<\/think(?:ing)?>/i, take)
    .replace(/^\s*<(think|thinking|thought|reasoning|scratchpad)>([\s\S]*)$/i, take);
  return { reasoning: thoughts.filter((thought) => thought !== '').join('\n'), answer: answer.trim() };
}

function unwrap(text: string): string {
  const inner = text
    .replace(/^(sure|certainly|of course)[^\n]{0,80}:\s*\n+/i, '')
    .replace(/^\**(improved |rewritten |better )?(answer|request|prompt)\**:\**\s+/i, '')
    .trim();
  const quoted = /^"([^"]+)"$/s.exec(inner) ?? /^“([^“”]+)”$/s.exec(inner);
  return quoted?.[1]?.trim() ?? inner;
}

/** Of a text that ran into the token limit, what comes before the last whole sentence's end. */
function cutToSentence(text: string): string {
  const end = Math.max(
    ...['. ', '.\n', '! ', '!\n', '? ', '?\n', '。', '！', '？'].map((mark) => text.lastIndexOf(mark)),
  );
  const kept = text.slice(0, end + 1);
  const hasOpenCode = (kept.match(/```/g)?.length ?? 0) % 2 === 1;
  if (kept.length < text.length / 2 || hasOpenCode) {
    throw new UnusableAnswer('The answer exceeded its token limit');
  }
  return kept;
}
