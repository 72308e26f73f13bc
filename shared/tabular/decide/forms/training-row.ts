import type { TrainingForm } from '#shared/platform/schema/file-format.ts';
import {
  type ChatTurn,
  hasOtherParts,
  isSystemTurn,
  RESULTS_JOINT,
  readTurns,
  turnText,
} from '../chat-turns.ts';
import { parseWithin } from '../measure-json.ts';
import { behindSystem, historyTurns, systemText } from './history.ts';
import { holdsTurns, joinAnswer, turnsOfCell } from './join-turns.ts';
import { heldByBlock } from './metadata-block.ts';
import { callsOf, declaredTools, toolsIn, toolsOf } from './tool-calls.ts';
import type { TurnsColumn } from './turns-column.ts';

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
  /** The steps to the completion. */
  readonly reasoning: string | null;
  /** Those whose cells are lists of turns. */
  readonly conversations: readonly string[];
  /** The turns that rows came with, where a run has written the prompt; absent of a row that is as it came. */
  readonly turns?: TurnsColumn | undefined;
}

/** What trainers read of a row. */
interface TrainingRow {
  /** The turns in front of the answer; empty only of a conversation that begins with it. */
  readonly asked: readonly ChatTurn[];
  /** What the last turn of the user says besides, from the columns of context. */
  readonly context: string;
  /** None of a pair. */
  readonly answer: ChatTurn | null;
  /** The turns of a conversation behind its answer, up to its last reply: none is trained on. */
  readonly after: readonly ChatTurn[];
  /** The steps to the answer; empty without any. */
  readonly reasoning: string;
  readonly pair: { readonly chosen: ChatTurn; readonly rejected: ChatTurn } | null;
  /** Whether it is a conversation, and no prompt with its answer. */
  readonly isWhole: boolean;
  readonly tools: readonly unknown[] | null;
}

/**
 * Writes a row in a form for trainers.
 * @returns null for a row without an answer, or with one to another conversation than its prompt, and for one that the form cannot
 * hold: calls of tools in Alpaca's, and images and other parts that are no text in Alpaca's and ShareGPT's
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

/** Reads a row as trainings do, but with the ids, weights and images of its turns; null for one that has nothing to train on. */
function readRow(columns: FormColumns, cells: ReadonlyMap<string, string | null>): TrainingRow | null {
  const { chat, prompt } = columns;
  const textOf = (name: string | null): string => (name === null ? '' : (cells.get(name) ?? ''));
  const system = systemText(textOf(columns.system));
  const told: ChatTurn | null = system.trim() === '' ? null : { role: 'system', content: system };
  const whole = chat ?? ownAnswers(columns);
  const read = whole === null ? readAnswers(columns, cells) : readConversation(textOf(whole));
  if (read === null) return null;
  const asked =
    read.asked.length > 0 || chat !== null ? read.asked : [{ role: 'user' as const, content: '' }];
  const lastAsked = asked.findLast(({ role }) => role === 'user');
  const context = contextOf(columns.context, cells, lastAsked === undefined ? '' : turnText(lastAsked));
  // A text without a prompt stays one.
  const isText = read.asked.length === 0 && context === '';
  return {
    ...read,
    asked: isText ? asked : behindSystem(asked, told),
    context,
    reasoning: read.answer === null ? '' : textOf(columns.reasoning),
    isWhole: chat !== null,
    tools: toolsOf(textOf(columns.tools)) ?? toolsIn(textOf(chat ?? prompt)),
  };
}

/** The column of prompts that are conversations with their own answers; null if they are answered elsewhere. */
const ownAnswers = ({ prompt, completion, chosen, conversations }: FormColumns): string | null =>
  prompt !== null && completion === null && chosen === null && conversations.includes(prompt) ? prompt : null;

type Answered = Pick<TrainingRow, 'asked' | 'answer' | 'after' | 'pair'>;

/** A conversation before the last reply that is trained on, and up to its last reply. */
function readConversation(cell: string): Answered | null {
  const turns = readTurns(cell);
  if (typeof turns === 'string') return null;
  const at = turns.findLastIndex(({ role, weight }) => role === 'assistant' && weight !== 0);
  const answer = turns[at];
  if (answer === undefined) return null;
  const end = turns.findLastIndex(({ role }) => role === 'assistant') + 1;
  return { asked: turns.slice(0, at), answer, after: turns.slice(at + 1, end), pair: null };
}

function readAnswers(columns: FormColumns, cells: ReadonlyMap<string, string | null>): Answered | null {
  const { prompt, chosen, rejected } = columns;
  const isOfTurns = (name: string): boolean => columns.conversations.includes(name);
  const turnsIn = (name: string | null, role: 'user' | 'assistant') =>
    name === null ? [] : turnsOfCell(cells.get(name), role, isOfTurns(name));
  const told = turnsIn(prompt, 'user');
  if (typeof told === 'string') return null;
  const hasHistory = columns.history !== null && prompt !== null && !isOfTurns(prompt) && told.length > 0;
  const asked = hasHistory ? [...historyTurns(cells.get(columns.history)), ...told] : told;
  const joined = (name: string | null) => {
    const answered = turnsIn(name, 'assistant');
    // A conversation may be its own prompt and answer, but none of a pair.
    if (typeof answered === 'string' || (answered.length === 0 && chosen !== null)) return null;
    const split = joinAnswer(asked, answered, columns.turns !== undefined);
    return typeof split === 'string' || split.reply === null ? null : { ...split, reply: split.reply };
  };
  const [better = null, worse = null] =
    chosen === null || rejected === null ? [] : [joined(chosen), joined(rejected)];
  if (better !== null && worse !== null) {
    const { before } = better;
    const isOfOne = before.length === worse.before.length && holdsTurns(before, worse.before);
    if (!isOfOne || before.length === 0) return null;
    const pair = { chosen: better.reply, rejected: worse.reply };
    return { asked: before, answer: null, after: [], pair };
  }
  const answered = joined(columns.completion);
  return answered === null ? null : { asked: answered.before, answer: answered.reply, after: [], pair: null };
}

/** Turns with a text behind what the user says last. */
function withContext(turns: readonly ChatTurn[], context: string): readonly ChatTurn[] {
  if (context === '') return turns;
  const last = turns.findLastIndex(({ role }) => role === 'user');
  return turns.map((turn, at) => {
    if (at !== last) return turn;
    const { content } = turn;
    return Array.isArray(content)
      ? { ...turn, content: [...content, { type: 'text', text: context }] }
      : { ...turn, content: [turnText(turn), context].filter((text) => text !== '').join('\n') };
  });
}

/** The context of a prompt, without what its metadata block says: the text itself of one column, else lines that name the columns. */
function contextOf(
  names: readonly string[],
  cells: ReadonlyMap<string, string | null>,
  prompt: string,
): string {
  const isHeld = heldByBlock(prompt);
  const texts = names
    .map((name) => ({ name, text: cells.get(name) ?? '' }))
    .filter((each) => each.text.trim() !== '' && !isHeld(each));
  if (names.length === 1) return texts[0]?.text ?? '';
  return texts.map(({ name, text }) => `${name}: ${text}`).join('\n');
}

const answerOf = ({ answer }: Pick<TrainingRow, 'answer'>): readonly ChatTurn[] =>
  answer === null ? [] : [answer];

/** The answer with the steps to it, as chat templates and APIs of models that reason name them. */
const reasonedAnswer = (row: Pick<TrainingRow, 'answer' | 'reasoning'>): readonly ChatTurn[] =>
  answerOf(row).map((turn) =>
    row.reasoning.trim() === '' ? turn : { ...turn, reasoning_content: row.reasoning },
  );

const bothOf = (pair: TrainingRow['pair']): readonly ChatTurn[] =>
  pair === null ? [] : [pair.chosen, pair.rejected];

const withTools = (row: object, tools: TrainingRow['tools']): object =>
  tools === null ? row : { ...row, tools };

/** OpenAI's fine-tuning: https://platform.openai.com/docs/api-reference/fine-tuning/chat-input and …/preference-input */
function openAiRow(row: TrainingRow): object {
  const { asked, context, after, pair, tools: given } = row;
  const tools = given === null ? null : (declaredTools(given) ?? given);
  // OpenAI knows weights: what stands behind the answer keeps its own.
  const messages = withCallIds([...withContext(asked, context), ...reasonedAnswer(row), ...after]);
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
function shareGptRow({ asked, context, answer, pair, tools }: TrainingRow): object | null {
  const turns = [...withContext(asked, context), ...answerOf({ answer })];
  if ([...turns, ...bothOf(pair)].some(hasOtherParts)) return null;
  const conversations = joinResults(turns.flatMap(shareGptTurns));
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
function alpacaRow({ asked: before, context, answer, pair }: TrainingRow): object | null {
  const all = [...before, ...answerOf({ answer })];
  if (
    [...all, ...bothOf(pair)].some(
      (turn) => turn.role === 'tool' || callsOf(turn).length > 0 || hasOtherParts(turn),
    )
  )
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
    instruction: turnText(question),
    input: context,
    ...(pair === null
      ? { output: turnText(last as ChatTurn) }
      : { chosen: turnText(pair.chosen), rejected: turnText(pair.rejected) }),
    ...(system.length === 0 ? {} : { system: system.join('\n') }),
    ...(history.length === 0 ? {} : { history }),
  };
}

/** TRL's conversational forms, whose calls have objects as arguments: https://huggingface.co/docs/trl/dataset_formats */
function trlRow(row: TrainingRow): object {
  const { asked, context, pair, isWhole, tools: given } = row;
  const tools = given === null ? null : (declaredTools(given) ?? given);
  const prompt = withContext(asked, context).map(trlTurn);
  if (pair !== null) {
    return withTools({ prompt, chosen: [trlTurn(pair.chosen)], rejected: [trlTurn(pair.rejected)] }, tools);
  }
  const completion = reasonedAnswer(row).map(trlTurn);
  return withTools(isWhole ? { messages: [...prompt, ...completion] } : { prompt, completion }, tools);
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
