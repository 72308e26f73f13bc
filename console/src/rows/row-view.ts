import type { Schemas } from 'tunesmith';
import type { Row, RowsPage } from './pages.ts';

type Cell = Schemas['ShownCell'];
type Column = RowsPage['columns'][number];

/** A text before and after the run; null where there was or is none. */
export interface Pair {
  readonly before: string | null;
  readonly after: string | null;
  /** Whether a text is cut here. */
  readonly isCut: boolean;
}

/** A row as people compare it: what is asked, what is answered, and everything else. */
export interface RowView {
  readonly prompt: Pair | null;
  readonly completion: Pair | null;
  readonly trace: Cell | null;
  readonly chosen: Cell | null;
  readonly rejected: Cell | null;
  readonly safety: readonly Cell[];
  /** Other columns of the source. */
  readonly source: readonly Cell[];
  /** Other columns that the run wrote. */
  readonly written: readonly Cell[];
}

export interface Turn {
  readonly role: string;
  readonly text: string;
  readonly calls: readonly Call[];
}

/** A call of a tool; its arguments as they are written. */
export interface Call {
  readonly name: string;
  readonly arguments: string;
}

/** What a turn says and calls, as one text. */
export const saidIn = ({ text, calls }: Turn): string =>
  [
    ...(text === '' && calls.length > 0 ? [] : [text]),
    ...calls.map((call) => `calls ${call.name}(${call.arguments})`),
  ].join('\n');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The calls of tools in a turn; one that cannot be read is shown as it is. */
function callsOf(calls: unknown): Call[] {
  if (!Array.isArray(calls)) return [];
  return (calls as unknown[]).map((call) => {
    const called = typeof call === 'object' && call !== null && 'function' in call ? call.function : call;
    if (typeof called !== 'object' || called === null || !('name' in called))
      return { name: JSON.stringify(call), arguments: '' };
    const given = 'arguments' in called ? called.arguments : '';
    return {
      name: String(called.name),
      arguments: typeof given === 'string' ? given : JSON.stringify(given),
    };
  });
}

/** A turn of ShareGPT as the other form has it; any other value as it is. */
function inRoles(turn: unknown): unknown {
  if (typeof turn !== 'object' || turn === null) return turn;
  const { role, from: speaker, value } = turn as Readonly<Record<string, unknown>>;
  if (role !== undefined || typeof speaker !== 'string' || typeof value !== 'string') return turn;
  const known = SPEAKERS.get(speaker) ?? speaker;
  const calls = speaker === 'function_call' ? parsed(value) : null;
  return calls === null
    ? { role: known, content: value }
    : { role: known, content: null, tool_calls: Array.isArray(calls) ? calls : [calls] };
}

const SPEAKERS: ReadonlyMap<string, string> = new Map([
  ['human', 'user'],
  ['gpt', 'assistant'],
  ['function_call', 'assistant'],
  ['observation', 'tool'],
]);

/** The turns of a conversation in JSON; null if the text is none. */
export function turnsOf(text: string): Turn[] | null {
  const found = parsed(text);
  const turns = Array.isArray(found) ? found.map(inRoles) : found;
  if (!Array.isArray(turns) || turns.length === 0) return null;
  const read: Turn[] = [];
  for (const turn of turns as unknown[]) {
    if (typeof turn !== 'object' || turn === null || !('role' in turn) || typeof turn.role !== 'string') {
      return null;
    }
    const content = 'content' in turn ? turn.content : '';
    const text = typeof content === 'string' ? content : content === null ? '' : JSON.stringify(content);
    read.push({ role: turn.role, text, calls: 'tool_calls' in turn ? callsOf(turn.tool_calls) : [] });
  }
  return read;
}

/** The last reply of a conversation, with the turns before it as JSON; null if there is none. */
function lastReply(text: string): { readonly asked: string; readonly reply: string } | null {
  const turns = parsed(text);
  const read = turnsOf(text);
  const last = read?.at(-1);
  if (last?.role !== 'assistant' || !Array.isArray(turns)) return null;
  const reply = last.calls.length > 0 ? JSON.stringify(turns.slice(-1)) : last.text;
  return { asked: JSON.stringify(turns.slice(0, -1)), reply };
}

const pairOf = (before: Cell | null, after: Cell | null): Pair | null =>
  before === null && after === null
    ? null
    : {
        before: before?.text ?? null,
        after: after?.text ?? null,
        isCut: before?.truncated === true || after?.truncated === true,
      };

/** Finds what a person looks at in the cells of a row, by the roles of the columns. */
export function viewRow(columns: readonly Column[], row: Pick<Row, 'before' | 'after'>): RowView {
  const used = new Set<Cell>();
  const take = (side: 'before' | 'after', role: Column['role']): Cell | null => {
    const names = new Set(
      columns.filter((column) => column.side === side && column.role === role).map(({ name }) => name),
    );
    const cell = row[side]?.find(({ column }) => names.has(column)) ?? null;
    if (cell !== null) used.add(cell);
    return cell;
  };
  let prompt = pairOf(take('before', 'prompt'), take('after', 'prompt'));
  let completion = pairOf(take('before', 'completion'), take('after', 'completion'));
  const chat = row.before.find(({ column }) =>
    columns.some(({ name, side, role }) => side === 'before' && role === 'chat' && name === column),
  );
  const reply = chat === undefined || chat.truncated ? null : lastReply(chat.text);
  if (chat !== undefined && reply !== null) {
    used.add(chat);
    prompt = { before: reply.asked, after: prompt?.after ?? null, isCut: prompt?.isCut ?? false };
    completion = { before: reply.reply, after: completion?.after ?? null, isCut: completion?.isCut ?? false };
  } else if (chat !== undefined && completion?.before == null) {
    used.add(chat);
    completion = { before: chat.text, after: completion?.after ?? null, isCut: true };
  }
  const isSafety = new Set(columns.filter(({ role }) => role === 'safety').map(({ name }) => name));
  const safety = (row.after ?? []).filter(({ column }) => isSafety.has(column));
  for (const cell of safety) used.add(cell);
  const special = {
    trace: take('after', 'reasoning_trace'),
    chosen: take('after', 'chosen'),
    rejected: take('after', 'rejected'),
  };
  return {
    prompt,
    completion,
    ...special,
    safety,
    source: row.before.filter((cell) => !used.has(cell)),
    written: (row.after ?? []).filter((cell) => !used.has(cell)),
  };
}

export interface SafetyFinding {
  readonly category: string;
  /** 0 to 1; null if it was not scored. */
  readonly score: number | null;
}

/** From this score on a text has an issue (docs/adaptation.md). */
export const SAFETY_ISSUE_MIN = 0.5;

/** The findings of a cell with safety scores, with why it was not scored; null if the text is none. */
export function safetyOf(
  text: string,
): { readonly findings: readonly SafetyFinding[]; readonly notScored: string | null } | null {
  const scores = parsed(text);
  if (typeof scores !== 'object' || scores === null || Array.isArray(scores)) return null;
  const findings: SafetyFinding[] = [];
  let notScored: string | null = null;
  for (const [category, score] of Object.entries(scores)) {
    if (category === 'not_scored') notScored = typeof score === 'string' ? score : null;
    else if (score === null || typeof score === 'number') findings.push({ category, score });
    else return null;
  }
  return { findings, notScored };
}

const EDITS: Readonly<Record<NonNullable<Row['edit']>['kind'], string>> = {
  mended: 'writing corrected',
  completed: 'missing end written',
  translated: 'translated',
  reformatted: 'put into form',
  corrected: 'fact corrected',
  rewritten: 'rewritten',
  written: 'written anew',
  reviewed: 'given by a reviewer',
};

const EVIDENCE: Readonly<Record<NonNullable<Row['edit']>['evidence'], string>> = {
  computed: 'a program computed it',
  checked: 'it passes every check that the original failed',
  consistent: 'the model gives it repeatedly',
  judged: 'a calibrated judge prefers it',
  reviewed: 'a person says so',
};

/** What was done to a completion, in words. */
export const editWords = ({ kind }: NonNullable<Row['edit']>): string => EDITS[kind];
export const evidenceWords = ({ evidence }: NonNullable<Row['edit']>): string => EVIDENCE[evidence];

export const LENGTH_WORDS: Readonly<Record<NonNullable<Row['length_change']>, string>> = {
  shorter: 'shorter',
  same: 'same length',
  longer: 'longer',
};

/** The name of a language; its code if the browser knows no name. */
export function languageName(code: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}
