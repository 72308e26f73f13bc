import type { RowsColumn } from '../../schema/rows-manifest.ts';
import { type ChatTurn, isSystemTurn, readTurns, turnText } from '../chat-turns.ts';
import { TURNS_MAX } from '../limits.ts';
import { parseWithin } from '../measure-json.ts';
import { findForm } from './known-form.ts';
import { isLikeName } from './like-name.ts';
import { TOOLS, toolsColumn } from './tool-calls.ts';

/** The column in which LLaMA-Factory's Alpaca has the turns before the instruction. */
export const HISTORY = 'history';

/** The turns of such a cell; none of a cell that cannot be read. */
export const historyTurns = (cell: string | null | undefined): readonly ChatTurn[] => readHistory(cell) ?? [];

/**
 * Reads a cell of turns before an instruction: a list of pairs of a question and its answer, of texts that are one and the other by
 * turns, or of turns `{role, content}` or `{from, value}`; also as a text of JSON.
 * @param areTexts whether a list of texts is read as turns, which may be a list of anything
 * @returns no turns for an empty cell, and null for one that holds anything else
 */
export function readHistory(cell: string | null | undefined, areTexts = true): readonly ChatTurn[] | null {
  let text = (cell ?? '').trim();
  let value: unknown = text;
  for (let depth = 0; depth < 2 && typeof value === 'string'; depth += 1) {
    text = value.trim();
    if (text === '') return [];
    if (!/^["[{n]/.test(text)) return null;
    value = parseWithin(text);
  }
  if (value === null) return [];
  if (!Array.isArray(value) || value.length > TURNS_MAX) return null;
  if (value.length === 0) return [];
  if (value.every(isPair)) return value.flatMap(pairTurns);
  if (value.every((each) => typeof each === 'string')) {
    return areTexts && value.length % 2 === 0
      ? value.map((content, n) => ({ role: SPEAKERS[(n % 2) as 0 | 1], content }))
      : null;
  }
  const turns = readTurns(text);
  return typeof turns === 'string' ? null : turns;
}

const SPEAKERS = ['user', 'assistant'] as const;

const pairTurns = (pair: readonly [string, string]): ChatTurn[] =>
  pair.map((content, n) => ({ role: SPEAKERS[n as 0 | 1], content }));

const isPair = (value: unknown): value is readonly [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((text) => typeof text === 'string');

/** The column in which files of LLaMA-Factory have the system prompt of a row. */
export const SYSTEM = 'system';

/** Columns that are read by their names, beside the prompts of their rows. */
export const READ_BY_NAME = [HISTORY, SYSTEM, ...TOOLS] as const;

/** A system prompt; of Anthropic's and Bedrock's, which may be a list of parts, their text. */
export function systemText(cell: string): string {
  if (!cell.startsWith('[{')) return cell;
  const parts = parseWithin(cell);
  const isText = (part: unknown): boolean =>
    typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string';
  return Array.isArray(parts) && parts.every(isText) ? turnText({ role: 'system', content: parts }) : cell;
}

/** Turns behind the system prompt of their row, if there is one, unless they begin with one of their own. */
export function behindSystem<T extends { readonly role: string }>(
  turns: readonly T[],
  told: T | null,
): readonly T[] {
  const [first] = turns;
  return told === null || (first !== undefined && isSystemTurn(first)) ? turns : [told, ...turns];
}

/** The columns of what stands before the prompts of rows. */
export interface ColumnsBefore {
  /** Turns before the prompt. */
  readonly history?: string | undefined;
  /** The system prompt of the row. */
  readonly system?: string | undefined;
}

/** The columns of what is read beside the prompts of rows. */
export interface ColumnsBeside extends ColumnsBefore {
  /** The tools that the row declares. */
  readonly tools?: string | undefined;
}

/**
 * The columns of what is read beside the prompts of rows, of those that no role has. A column `history` of lists of texts, or of
 * anything else, is one in the form of Alpaca alone, which has it.
 * @param columns those of the upload
 * @param stored those that are read of a dataset that was made of others, whatever its columns are called
 */
export function columnsBeside(
  columns: readonly RowsColumn[],
  isFree: (name: string) => boolean,
  stored?: ColumnsBeside,
): ColumnsBeside {
  const isRead = (name: string | undefined): boolean => name !== undefined && isFree(name);
  if (stored !== undefined) {
    return Object.fromEntries(Object.entries(stored).filter(([, name]) => isRead(name)));
  }
  const tools = toolsColumn(columns, isFree);
  return {
    ...(isFree(HISTORY) && (isLikeName(columns, HISTORY) || findForm(columns)?.name === 'alpaca')
      ? { history: HISTORY }
      : {}),
    ...(isFree(SYSTEM) && holdsSystemPrompts(columns) ? { system: SYSTEM } : {}),
    ...(tools === undefined ? {} : { tools }),
  };
}

/** Whether the column `system` has the system prompts of rows: a text in a form that has them, which its upload tells. Elsewhere it is a column as any. */
const holdsSystemPrompts = (columns: readonly RowsColumn[]): boolean =>
  columns.some(({ name, type }) => name === SYSTEM && (type === 'VARCHAR' || type === 'JSON')) &&
  findForm(columns) !== null;
