import type { TrainingForm } from '#shared/platform/schema/file-format.ts';
import {
  type ChatTurn,
  hasOtherParts,
  isSystemTurn,
  RESULTS_JOINT,
  readTurns,
  turnText,
  untilTrained,
} from '../chat-turns.ts';
import { parseWithin } from '../measure-json.ts';
import { historyTurns, systemText } from './history.ts';
import { callsOf, declaredTools, isCallCell, toolsIn, toolsOf } from './tool-calls.ts';

/** Columns of rows that are written in a form for trainers, by what they hold. */
export interface FormColumns {
  /** Whole conversations; then there is neither prompt nor completion. */
  readonly chat: string | null;
  readonly prompt: string | null;
  readonly completion: string | null;
  readonly chosen: string | null;
  readonly rejected: string | null;
  readonly context: readonly string[];
  readonly system: string | null;
  readonly tools: string | null;
  /** Turns before a prompt that is a text, as Alpaca's rows have them. */
  readonly history: string | null;
  /** Those whose cells are lists of turns. */
  readonly conversations: readonly string[];
}

/** What trainers read of a row. */
interface TrainingRow {
  /** The turns in front of the answer; all of a conversation. */
  readonly turns: readonly ChatTurn[];
  /** The prompt alone, and its context; null where the prompt is a conversation. */
  readonly text: { readonly prompt: string; readonly context: string } | null;
  readonly answer: ChatTurn | null;
  readonly pair: { readonly chosen: ChatTurn; readonly rejected: ChatTurn } | null;
  readonly tools: readonly unknown[] | null;
}

/**
 * Writes a row in a form for trainers.
 * @returns null for a row without an answer, and for one that the form cannot hold: calls of tools in Alpaca's, and images and other
 * parts that are no text in Alpaca's and ShareGPT's
 */
export function writeTrainingRow(
  form: TrainingForm,
  columns: FormColumns,
  cells: ReadonlyMap<string, string | null>,
): object | null {
  const row = readRow(columns, cells);
  if (row === null) return null;
  switch (form) {
    case 'openai':
      return openAiRow(row);
    case 'sharegpt':
      return shareGptRow(row);
    case 'alpaca':
      return alpacaRow(row);
    case 'trl':
      return trlRow(row);
  }
}

function readRow(columns: FormColumns, cells: ReadonlyMap<string, string | null>): TrainingRow | null {
  const textOf = (name: string | null): string => (name === null ? '' : (cells.get(name) ?? ''));
  const turnsOf = (name: string | null): readonly ChatTurn[] | null => {
    if (name === null || !columns.conversations.includes(name)) return null;
    const turns = readTurns(textOf(name));
    return typeof turns === 'string' ? null : turns;
  };
  const system = systemText(textOf(columns.system));
  const before: readonly ChatTurn[] = system.trim() === '' ? [] : [{ role: 'system', content: system }];
  const tools =
    toolsOf(columns.tools === null ? null : cells.get(columns.tools)) ?? toolsIn(textOf(columns.prompt));
  if (columns.chat !== null) {
    const turns = turnsOf(columns.chat);
    if (turns === null || !turns.some(({ role }) => role === 'assistant')) return null;
    return { turns: [...before, ...turns], text: null, answer: null, pair: null, tools };
  }
  const answerOf = (name: string | null): ChatTurn | null => {
    const isCall = name !== null && isCallCell(textOf(name));
    const last = (isCall ? (readTurns(textOf(name)) as ChatTurn[]) : turnsOf(name))?.at(-1);
    if (last !== undefined) return last.role === 'assistant' ? last : null;
    return textOf(name).trim() === '' ? null : { role: 'assistant', content: textOf(name) };
  };
  const [chosen, rejected] = [answerOf(columns.chosen), answerOf(columns.rejected)];
  const pair = chosen !== null && rejected !== null ? { chosen, rejected } : null;
  const answer = answerOf(columns.completion);
  if (pair === null && answer === null) return null;
  const asked = turnsOf(columns.prompt) ?? turnsOf(columns.chosen);
  const lastRole = asked?.at(-1)?.role;
  const context = contextOf(columns.context, cells);
  const prompt = textOf(columns.prompt);
  const history = columns.history === null ? [] : historyTurns(cells.get(columns.history));
  const turns =
    asked === null
      ? [
          ...history,
          { role: 'user' as const, content: [prompt, context].filter((text) => text !== '').join('\n') },
        ]
      : asked.slice(0, lastRole === 'assistant' ? -1 : undefined);
  return {
    turns: [...before, ...turns],
    text: asked === null ? { prompt, context } : null,
    answer,
    pair,
    tools,
  };
}

/** The context of a prompt: the text itself of one column, else lines that name the columns. */
function contextOf(names: readonly string[], cells: ReadonlyMap<string, string | null>): string {
  const texts = names
    .map((name) => ({ name, text: cells.get(name) ?? '' }))
    .filter(({ text }) => text.trim() !== '');
  if (names.length === 1) return texts[0]?.text ?? '';
  return texts.map(({ name, text }) => `${name}: ${text}`).join('\n');
}

const withTools = (row: object, tools: TrainingRow['tools']): object =>
  tools === null ? row : { ...row, tools };

/** OpenAI's fine-tuning: https://platform.openai.com/docs/api-reference/fine-tuning/chat-input and …/preference-input */
function openAiRow({ turns, answer, pair, tools: given }: TrainingRow): object {
  const tools = given === null ? null : (declaredTools(given) ?? given);
  const messages = withCallIds(answer === null || pair !== null ? turns : [...turns, answer]);
  if (pair === null) return withTools({ messages }, tools);
  return {
    input: withTools({ messages }, tools),
    preferred_output: withCallIds([pair.chosen]),
    non_preferred_output: withCallIds([pair.rejected]),
  };
}

/** Turns whose calls have ids, which their results name. A file of another form has none, or has them of the results alone. */
function withCallIds(turns: readonly ChatTurn[]): object[] {
  let made = 0;
  // Calls without a result are those from `first` on that are not in `answered`. A turn may have thousands of both: none is walked twice.
  let ids: string[] = [];
  let first = 0;
  let answered = new Set<unknown>();
  /** Whether the ids of the calls before the results were made here. */
  let areMade = false;
  return turns.map(typedParts).map((turn) => {
    const calls = callsOf(turn);
    if (calls.length > 0) {
      const given = calls.map(({ id }) => id ?? `call_${++made}`);
      areMade = calls.every(({ id }) => id === null);
      [ids, first, answered] = [given, 0, new Set()];
      const written = calls.map(({ name, arguments: text }, n) => ({
        id: given[n],
        type: 'function',
        function: { name, arguments: text },
      }));
      return { ...turn, content: turn.content ?? null, tool_calls: written };
    }
    if (turn.role !== 'tool') return turn;
    const { tool_call_id: named } = turn as { readonly tool_call_id?: unknown };
    while (first < ids.length && answered.has(ids[first])) first += 1;
    const given = areMade || named === undefined ? (ids[first] ?? named) : named;
    answered.add(given);
    return { ...turn, tool_call_id: given };
  });
}

/** A turn whose parts of text say so, as those of Bedrock do not. */
function typedParts(turn: ChatTurn): ChatTurn {
  const { content } = turn;
  if (!Array.isArray(content)) return turn;
  const typed = content.map((part: { readonly type?: unknown; readonly text?: unknown }) =>
    part.type === undefined && typeof part.text === 'string' ? { type: 'text', ...part } : part,
  );
  return { ...turn, content: typed };
}

const SPEAKERS = {
  system: 'system',
  developer: 'system',
  user: 'human',
  assistant: 'gpt',
  tool: 'observation',
} as const;

/** ShareGPT, as LLaMA-Factory and Axolotl read it. */
function shareGptRow({ turns, answer, pair, tools }: TrainingRow): object | null {
  if ([...turns, answer, pair?.chosen, pair?.rejected].some((turn) => turn != null && hasOtherParts(turn)))
    return null;
  const conversations = joinResults(
    (answer === null || pair !== null ? turns : [...turns, answer]).flatMap(shareGptTurns),
  );
  const row = tools === null ? { conversations } : { conversations, tools: JSON.stringify(tools) };
  if (pair === null) return row;
  return { ...row, chosen: shareGptTurns(pair.chosen).at(-1), rejected: shareGptTurns(pair.rejected).at(-1) };
}

interface ShareGptTurn {
  readonly from: string;
  readonly value: string;
  /** 0 of a reply that is not trained on. */
  readonly weight?: unknown;
}

/** The results of parallel calls as one turn: LLaMA-Factory skips rows whose speakers do not take turns. */
function joinResults(turns: readonly ShareGptTurn[]): ShareGptTurn[] {
  const joined: ShareGptTurn[] = [];
  for (const turn of turns) {
    const last = joined.at(-1);
    if (last?.from !== SPEAKERS.tool || turn.from !== SPEAKERS.tool) joined.push(turn);
    else joined[joined.length - 1] = { ...last, value: last.value + RESULTS_JOINT + turn.value };
  }
  return joined;
}

function shareGptTurns(turn: ChatTurn): ShareGptTurn[] {
  const text = turnText(turn);
  const calls = callsOf(turn).map(({ name, arguments: given }) => ({ name, arguments: parsed(given) }));
  const weight = turn.weight === 0 ? { weight: 0 } : {};
  if (calls.length === 0) return [{ from: SPEAKERS[turn.role], value: text, ...weight }];
  const call = {
    from: 'function_call',
    value: JSON.stringify(calls.length === 1 ? calls[0] : calls),
    ...weight,
  };
  return text.trim() === '' ? [call] : [{ from: 'gpt', value: text, ...weight }, call];
}

/** Alpaca, with the turns before the last one as `history`. */
function alpacaRow({ turns, text, answer, pair }: TrainingRow): object | null {
  // A last reply that is not trained on has no place either.
  const all = untilTrained(answer === null || pair !== null ? turns : [...turns, answer]);
  const told = [...all, ...(pair === null ? [] : [pair.chosen, pair.rejected])];
  if (told.some((turn) => turn.role === 'tool' || callsOf(turn).length > 0 || hasOtherParts(turn)))
    return null;
  const system = all.filter(isSystemTurn).map(turnText);
  const spoken = all.filter(({ role }) => role === 'user' || role === 'assistant');
  const last = spoken.at(-1);
  const asked = pair === null ? spoken.slice(0, -1) : spoken;
  const question = asked.at(-1);
  if (question?.role !== 'user' || (pair === null && last?.role !== 'assistant')) return null;
  const earlier = asked.slice(0, -1);
  // A last question without its answer has no pair.
  if (
    earlier.length % 2 !== 0 ||
    earlier.some(({ role }, n) => role !== (n % 2 === 0 ? 'user' : 'assistant'))
  )
    return null;
  const history = earlier.flatMap((turn, n) =>
    turn.role === 'user' ? [[turnText(turn), turnText(earlier[n + 1] as ChatTurn)]] : [],
  );
  return {
    instruction: text === null ? turnText(question) : text.prompt,
    input: text === null ? '' : text.context,
    ...(pair === null
      ? { output: turnText(last as ChatTurn) }
      : { chosen: turnText(pair.chosen), rejected: turnText(pair.rejected) }),
    ...(system.length === 0 ? {} : { system: system.join('\n') }),
    ...(history.length === 0 ? {} : { history }),
  };
}

/** TRL's conversational forms, whose calls have objects as arguments: https://huggingface.co/docs/trl/dataset_formats */
function trlRow({ turns, answer, pair, tools: given }: TrainingRow): object {
  const tools = given === null ? null : (declaredTools(given) ?? given);
  const messages = turns.map(trlTurn);
  if (pair !== null) {
    return withTools(
      { prompt: messages, chosen: [trlTurn(pair.chosen)], rejected: [trlTurn(pair.rejected)] },
      tools,
    );
  }
  return withTools(
    answer === null ? { messages } : { prompt: messages, completion: [trlTurn(answer)] },
    tools,
  );
}

function trlTurn(turn: ChatTurn): object {
  const calls = callsOf(turn);
  if (calls.length === 0) return turn;
  const written = calls.map(({ name, arguments: text }) => ({
    type: 'function',
    function: { name, arguments: parsed(text) },
  }));
  return { ...turn, content: turn.content ?? '', tool_calls: written };
}

function parsed(text: string): unknown {
  const value = parseWithin(text);
  return value === undefined ? text : value;
}
