import type { LanguageDetector } from '#shared/languages/decide/detect-language.ts';
import type { RowReason } from '#shared/runs/schema/run-result.ts';
import {
  type ChatTurn,
  hasOtherParts,
  isSystemTurn,
  readTurns,
  type TurnRole,
  turnText,
  untilTrained,
  withText,
} from '#shared/tabular/decide/chat-turns.ts';
import { behindSystem, historyTurns, systemText } from '#shared/tabular/decide/forms/history.ts';
import { holdsTurns, isTurnsCell, joinAnswer, turnsOfCell } from '#shared/tabular/decide/forms/join-turns.ts';
import { callCell, callsOf, toolsIn, turnsCell } from '#shared/tabular/decide/forms/tool-calls.ts';
import { readImageCell } from '#shared/tabular/decide/images/image-cell.ts';
import {
  ANSWERS_MIN,
  type AnswerProfile,
  learnDemands,
  PROFILE_ROWS_MAX,
  profileAnswers,
} from './answer-profile.ts';
import { ownDebris } from './debris.ts';
import { contradictionIn, type EvidenceSource } from './evidence.ts';
import { learnOutline } from './outline.ts';
import { readCells, type SourceCells } from './read-cells.ts';
import { type AnswerForm, readForm } from './read-form.ts';
import { splitReasoning } from './read-text.ts';
import type { RowMapping } from './row-mapping.ts';

export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** The content of a row, independent of its columns. */
export interface RowMaterial {
  /** Turns before the prompt, of a conversation or of columns beside the prompt. */
  readonly history: readonly { readonly role: TurnRole; readonly text: string }[];
  /** The prompt; empty if it has to be inferred from the completion. */
  readonly prompt: string;
  /** The current answer; empty if there is none. */
  readonly completion: string;
  /** Context columns for the answer; columns without text are omitted. */
  readonly context: readonly NamedText[];
  /** The unchanged image cell; null if the row has none. */
  readonly image: string | null;
  /** Whether the turns of its user have images or other parts that are no text, which no model is shown; absent if they have none. */
  readonly hasUnseenParts?: true;
  /** Returns the row's `enhanced_prompt` for a final prompt. */
  readonly promptCell: (prompt: string) => string;
}

export interface MaterialReader {
  /** Columns that the reader reads. */
  readonly columns: readonly string[];
  /** The row, or why it has nothing to improve. */
  read(cells: SourceCells): RowMaterial | { readonly skip: RowReason };
  /** `enhanced_prompt` and `enhanced_completion` of an unchanged row. */
  original(cells: SourceCells): { readonly prompt: string | null; readonly completion: string | null };
}

const PROMPT_EMPTY: RowReason = {
  code: 'prompt_empty',
  message: 'The row has no prompt, so there is nothing to answer',
};
const COMPLETION_EMPTY: RowReason = {
  code: 'completion_empty',
  message: 'The row has no completion, so there is nothing to infer a prompt from',
};
const CHAT_CALL: RowReason = {
  code: 'chat_call',
  message: 'The conversation ends with a call of a tool, which is data: it stays as it is',
};
const PARTS_UNSEEN: RowReason = {
  code: 'parts_unseen',
  message:
    'The turns have images or other parts that are no text, which no model is shown, so that none can answer: map the images as the column image',
};
const CHAT_EMPTY: RowReason = {
  code: 'chat_empty',
  message: 'The row has no conversation, so there is nothing to improve',
};

/** How the rows of a run are read (spec §4.8, `column_mapping`). */
export function materialReader(specification: RowMapping): MaterialReader {
  switch (specification.mode) {
    case 'chat':
      return chatReader(specification);
    case 'universal_prompt':
      return universalReader(specification);
    default:
      return promptReader(specification);
  }
}

/** The columns that a row has besides its prompt and its completion. */
function besides({ mapping, before = {} }: RowMapping) {
  const textColumns = mapping.context.filter((name) => name !== mapping.image);
  const imageOf = (cells: SourceCells): string | null => {
    const cell = mapping.image === undefined ? null : (cells.get(mapping.image) ?? null);
    return readImageCell(cell) === null ? null : cell;
  };
  const { history, system } = before;
  const cellOf = (cells: SourceCells, name: string | undefined): string =>
    name === undefined ? '' : (cells.get(name) ?? '');
  return {
    beside: [...textColumns, mapping.image, history, system].filter((name) => name !== undefined),
    /** The turns before a prompt that is a text. */
    earlier: (cells: SourceCells): readonly ChatTurn[] => historyTurns(cellOf(cells, history)),
    /** Turns behind the system prompt of the row. */
    told: (cells: SourceCells, turns: RowMaterial['history']): RowMaterial['history'] => {
      const text = systemText(cellOf(cells, system).trim());
      return behindSystem(turns, text === '' ? null : { role: 'system', text });
    },
    around: (cells: SourceCells): Pick<RowMaterial, 'context' | 'image'> => ({
      context: textColumns.flatMap((name) => {
        const text = cells.get(name) ?? '';
        return text.trim() === '' ? [] : [{ name, text }];
      }),
      image: imageOf(cells),
    }),
  };
}

function chatReader(specification: RowMapping): MaterialReader {
  const { mode, mapping } = specification;
  const { around, beside, told } = besides(specification);
  const column = mapped(mapping.chat, mode);
  return {
    columns: [column, ...beside],
    read(cells) {
      const text = cells.get(column) ?? '';
      if (text.trim() === '') return { skip: CHAT_EMPTY };
      const parts = splitConversation(text);
      if (typeof parts === 'string') {
        return { skip: { code: 'chat_invalid', message: `The conversation ${parts}` } };
      }
      if ('call' in parts) return { skip: CHAT_CALL };
      if (isBlind(parts)) return { skip: PARTS_UNSEEN };
      return { ...parts, history: told(cells, parts.history), ...around(cells) };
    },
    original(cells) {
      const parts = splitConversation(cells.get(column) ?? '');
      if (typeof parts === 'string') return { prompt: null, completion: null };
      if ('call' in parts) return { prompt: parts.before, completion: parts.call };
      return { prompt: parts.promptCell(parts.prompt), completion: parts.completion || null };
    },
  };
}

function universalReader(specification: RowMapping): MaterialReader {
  const { mode, mapping } = specification;
  const { around, beside, earlier, told } = besides(specification);
  const completionColumn = mapping.completion;
  const answerOf = answerReader(specification);
  const instruction = mapped(mapping.universal_prompt, mode);
  const columns = [...(completionColumn === undefined ? [] : [completionColumn]), ...beside];
  const promptCell = (context: readonly NamedText[]) => (prompt: string) =>
    requestWithContext(prompt, context);
  return {
    columns,
    read(cells) {
      const material = around(cells);
      if (material.context.length === 0 && material.image === null) {
        return {
          skip: { code: 'context_empty', message: 'All context columns of the row are empty' },
        };
      }
      const answer = answerOf(cells, () => []);
      if ('skip' in answer) return answer;
      return {
        history: told(cells, earlier(cells).map(shownTurn)),
        prompt: instruction,
        completion: answer.text ?? '',
        promptCell: promptCell(material.context),
        ...material,
      };
    },
    original: (cells) => ({
      prompt: promptCell(around(cells).context)(instruction),
      completion: answerOf(cells, () => []).text,
    }),
  };
}

function promptReader(specification: RowMapping): MaterialReader {
  const { mode, mapping, conversations = [] } = specification;
  const promptColumn = mapping.prompt;
  if (promptColumn !== undefined && conversations.includes(promptColumn)) {
    return turnsReader(specification, promptColumn);
  }
  const { around, beside, earlier, told } = besides(specification);
  const answerOf = answerReader(specification);
  const columns = [promptColumn, mapping.completion].filter((name) => name !== undefined);
  const promptOf = (cells: SourceCells): string | null =>
    promptColumn === undefined ? null : (cells.get(promptColumn) ?? null);
  const answerIn = (cells: SourceCells) =>
    answerOf(cells, () => {
      const content = promptOf(cells) ?? '';
      return content.trim() === '' ? [] : [...earlier(cells), { role: 'user', content }];
    });
  return {
    columns: [...columns, ...beside],
    read(cells) {
      const answer = answerIn(cells);
      if ('skip' in answer) return answer;
      const [prompt, completion] = [promptOf(cells) ?? '', answer.text ?? ''];
      if (mode === 'completion_only') {
        if (completion.trim() === '') return { skip: COMPLETION_EMPTY };
      } else if (prompt.trim() === '') {
        return { skip: PROMPT_EMPTY };
      }
      const history = told(cells, earlier(cells).map(shownTurn));
      return { history, prompt, completion, promptCell: (text) => text, ...around(cells) };
    },
    original: (cells) => ({ prompt: promptOf(cells), completion: answerIn(cells).text }),
  };
}

/** Rows whose prompts are conversations: what their answers are, and may go on from, their trainings read in the same way. */
function turnsReader(specification: RowMapping, promptColumn: string): MaterialReader {
  const { mapping, conversations = [] } = specification;
  const { around, beside, told } = besides(specification);
  const completionColumn = mapping.completion;
  const answerOf = (cells: SourceCells): string | null =>
    completionColumn === undefined ? null : (cells.get(completionColumn) ?? null);
  const partsIn = (cells: SourceCells) => {
    const text = cells.get(promptColumn) ?? '';
    const asked = turnsOfCell(text, 'user', true);
    if (typeof asked === 'string') return invalid('prompt', asked);
    const isOfTurns = completionColumn !== undefined && conversations.includes(completionColumn);
    const answered = turnsOfCell(answerOf(cells), 'assistant', isOfTurns);
    if (typeof answered === 'string') return invalid('completion', answered);
    const joined = joinAnswer(asked, answered);
    if (typeof joined === 'string') return invalid('row', joined);
    const { before, reply } = joined;
    if (before.length === 0) return { skip: PROMPT_EMPTY };
    return reply === null && before.at(-1)?.role !== 'user'
      ? invalid('prompt', NOBODY_ASKS)
      : partsOf(before, reply, toolsIn(text));
  };
  return {
    columns: [promptColumn, ...(completionColumn === undefined ? [] : [completionColumn]), ...beside],
    read(cells) {
      const parts = partsIn(cells);
      if ('skip' in parts) return parts;
      if ('call' in parts) return { skip: CHAT_CALL };
      if (isBlind(parts)) return { skip: PARTS_UNSEEN };
      return { ...parts, history: told(cells, parts.history), ...around(cells) };
    },
    original(cells) {
      const parts = partsIn(cells);
      if ('skip' in parts) return { prompt: cells.get(promptColumn) ?? null, completion: answerOf(cells) };
      if ('call' in parts) return { prompt: parts.before, completion: parts.call };
      return { prompt: parts.promptCell(parts.prompt), completion: parts.completion || null };
    },
  };
}

const invalid = (what: string, problem: string): { readonly skip: RowReason } => ({
  skip: { code: 'chat_invalid', message: `The ${what} ${problem}` },
});

/**
 * Reads the answers to prompts that are texts.
 * @returns a function of the cells of a row and the turns of its prompt: the text of the answer, null without one; or why it cannot be
 * improved, and then the cell as it is
 */
function answerReader({ mapping: { completion: column }, conversations = [] }: RowMapping) {
  const isOfTurns = column !== undefined && conversations.includes(column);
  type Answer = { readonly text: string | null } | { readonly text: string; readonly skip: RowReason };
  return (cells: SourceCells, askedOf: () => readonly ChatTurn[]): Answer => {
    const text = column === undefined ? null : (cells.get(column) ?? null);
    if (text === null || !isTurnsCell(text, 'assistant', isOfTurns)) return { text };
    const turns = turnsOfCell(text, 'assistant', isOfTurns);
    if (typeof turns === 'string') return { text, ...invalid('completion', turns) };
    const asked = askedOf();
    const joined = joinAnswer(asked, turns);
    if (typeof joined === 'string') return { text, ...invalid('row', joined) };
    const { before, reply } = joined;
    // The prompt that is delivered is a text.
    if (reply === null || !holdsTurns(asked, before)) {
      return { text, ...invalid('completion', 'has turns that the prompt lacks: map it as chat') };
    }
    return callsOf(reply).length > 0 ? { text, skip: CHAT_CALL } : { text: turnText(reply) };
  };
}

/** Learns the common form of the completions of some rows; each line is a canonical row. */
export function learnProfile(
  lines: readonly string[],
  specification: RowMapping,
  detectLanguage: LanguageDetector,
): AnswerProfile {
  const { columns, read, original } = materialReader(specification);
  const rows = spread(lines, PROFILE_ROWS_MAX).map((line) => readCells(line, columns));
  const profile = profileAnswers(rows.map((cells) => original(cells).completion ?? ''));
  const materials = spread(rows, DEMANDS_ROWS_MAX)
    .map(read)
    .filter((material) => !('skip' in material) && material.completion.trim() !== '') as RowMaterial[];
  const demanded = materials.map((material) => ({
    request: requestOf(material, material.prompt),
    form: demandedForm(material, material.prompt, profile),
    answer: withoutTemplateEnd(splitCompletion(material.completion).answer),
  }));
  const answered = materials.map(answerOf);
  return {
    ...profile,
    ...learnLanguages(spread(materials, LANGUAGE_ROWS_MAX), detectLanguage),
    ...learnDemands(demanded),
    debris: answered.length < ANSWERS_MIN ? null : ownDebris(answered),
    outline: learnOutline(answered),
    hasOwnArithmetic: calculatesOtherwise(demanded),
  };
}

const answerOf = (material: RowMaterial) => ({
  prompt: material.prompt,
  request: requestOf(material, material.prompt),
  answer: splitCompletion(material.completion).answer,
});

/** Share of equations that look false above which they follow other rules: nobody calculates so often wrongly. */
const OTHERWISE_SHARE_MIN = 0.8;

function calculatesOtherwise(rows: readonly EvidenceSource[]): boolean {
  const stating = rows.filter(({ answer }) => answer.includes('='));
  const contradicted = stating.filter((row) => contradictionIn(row) !== null);
  return contradicted.length >= ANSWERS_MIN && contradicted.length >= OTHERWISE_SHARE_MIN * stating.length;
}

/**
 * At most so many items, spread over all of them, since the rows of a file are often sorted: one of each stretch of equal
 * length, at a place that moves by the golden ratio, since they are often periodic, too.
 */
function spread<T>(items: readonly T[], max: number): readonly T[] {
  if (items.length <= max) return items;
  const stretch = items.length / max;
  return Array.from({ length: max }, (_, n) => items[Math.floor((n + ((n * GOLDEN) % 1)) * stretch)] as T);
}

const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Rows whose demands are held against their answers. */
const DEMANDS_ROWS_MAX = 100;
/** Number of rows for comparing the languages of requests and answers. */
const LANGUAGE_ROWS_MAX = 50;
/** With fewer rows the comparison is not significant. */
const LANGUAGE_ROWS_MIN = 6;

function learnLanguages(
  materials: readonly RowMaterial[],
  detectLanguage: LanguageDetector,
): Pick<AnswerProfile, 'isBilingual' | 'language'> {
  const counts = new Map<string, number>();
  let told = 0;
  let foreign = 0;
  for (const { prompt, completion } of materials) {
    const asked = detectLanguage(prompt);
    if (asked === null) continue;
    counts.set(asked, (counts.get(asked) ?? 0) + 1);
    const answered = detectLanguage(completion);
    if (answered === null) continue;
    told += 1;
    if (asked !== answered) foreign += 1;
  }
  const [commonest] = [...counts].sort(([, a], [, b]) => b - a);
  const isUsual =
    commonest !== undefined && commonest[1] >= LANGUAGE_ROWS_MIN && commonest[1] > materials.length / 2;
  return {
    isBilingual: told >= LANGUAGE_ROWS_MIN && foreign > told / 2,
    language: isUsual ? commonest[0] : null,
  };
}

/** A completion, split before its answer: the reasoning stays with the row, and only the answer is compared. */
export interface SplitCompletion {
  /** The reasoning in its marks, with the blanks behind it; empty if there is none, or if it is not before the answer. */
  readonly reasoning: string;
  readonly answer: string;
}

/** A mark of a template, which no check holds against an answer. */
const TEMPLATE_MARK = /(?:<\|[^|<>\s]{1,30}\|>|<\/s>|<end_of_turn>|###)$/;
/** Characters of the longest mark. */
const TEMPLATE_MARK_MAX = 40;

/** An answer without the marks of a template behind it. */
export function withoutTemplateEnd(answer: string): string {
  let text = answer;
  for (;;) {
    const whole = text.trimEnd();
    const mark = TEMPLATE_MARK.exec(whole.slice(-TEMPLATE_MARK_MAX))?.[0];
    if (mark === undefined) return text;
    text = whole.slice(0, -mark.length);
  }
}

export function splitCompletion(completion: string): SplitCompletion {
  const { answer } = splitReasoning(completion);
  const whole = completion.trimEnd();
  if (answer === '' || answer === completion.trim() || !whole.endsWith(answer)) {
    return { reasoning: '', answer: completion };
  }
  return { reasoning: whole.slice(0, -answer.length), answer };
}

/** The form that a row's request demands of an answer, with its instructions and its context. */
export function demandedForm(
  material: Pick<RowMaterial, 'history' | 'context' | 'completion'>,
  prompt: string,
  profile: AnswerProfile,
): AnswerForm {
  const told = material.history.filter(isSystemTurn);
  return readForm({
    request: [...told.map(({ text }) => text), prompt].join('\n'),
    context: material.context.map(({ text }) => text).join('\n'),
    answer: withoutTemplateEnd(splitCompletion(material.completion).answer),
    profile,
  });
}

/** A reply to "Anything else?" that asks for nothing. */
const DECLINED =
  /^\P{L}*(?:no|nope|nah|nein|non|nee|nej|não|nie|нет|いいえ|不|没|ok|okay|thanks?|thank|thx|danke|merci|gracias|grazie|obrigad[oa]|bedankt|tack|tak|спасибо|ありがとう|谢谢|that'?s|that’s)(?!\p{L})/iu;

/** A turn that asks does so at its end. */
const ASKED_IN = 200;
const asks = (text: string): boolean => /[?？؟]/.test(text);
const isReply = (turn: ChatTurn): boolean => turn.role === 'assistant' && turnText(turn).trim() !== '';

/**
 * Whether the last turn that says something is a user's who wants an answer: it asks, answers what it was asked, or has
 * an empty reply below it. Thanks for an answer want none.
 */
function isUnanswered(turns: readonly ChatTurn[], last: number): boolean {
  const [before, turn] = [turns[last - 1], turns[last]];
  if (turn?.role !== 'user') return false;
  const text = turnText(turn);
  const isAsked =
    before?.role === 'assistant' && asks(turnText(before).slice(-ASKED_IN)) && !DECLINED.test(text);
  return asks(text) || isAsked || last < turns.length - 1;
}

type ConversationParts = Pick<
  RowMaterial,
  'history' | 'prompt' | 'completion' | 'hasUnseenParts' | 'promptCell'
>;

/** Whether an answer would have to be written without what it is about. */
const isBlind = ({ completion, hasUnseenParts }: ConversationParts): boolean =>
  hasUnseenParts === true && completion.trim() === '';

/** A conversation whose last reply is a call of a tool: the turns before it, and the call, as cells. */
interface CalledConversation {
  readonly before: string;
  readonly call: string;
}

/** The last reply, if it is a call of a tool that nothing but results follows; -1 otherwise. */
function findLastCall(turns: readonly ChatTurn[]): number {
  const last = turns.findLastIndex(({ role }) => role !== 'tool');
  const turn = turns[last];
  return turn?.role === 'assistant' && callsOf(turn).length > 0 ? last : -1;
}

/** What a turn says, and which tools it calls. */
const shownText = (turn: ChatTurn): string =>
  [turnText(turn), ...callsOf(turn).map(({ name, arguments: given }) => `calls ${name}(${given})`)]
    .filter((text) => text !== '')
    .join('\n');

const shownTurn = (turn: ChatTurn): RowMaterial['history'][number] => ({
  role: turn.role,
  text: shownText(turn),
});

/**
 * Splits a conversation at its last reply, which is the text to improve, or after its last turn if a user asks there
 * and nobody has answered; returns a message if the cell is invalid. A last reply that is a call is no text.
 */
function splitConversation(text: string): ConversationParts | CalledConversation | string {
  const read = readTurns(text);
  if (typeof read === 'string') return read;
  const turns = untilTrained(read);
  if (turns.length === 0) return 'has no reply to train on: each has the weight 0';
  const tools = toolsIn(text);
  const called = findLastCall(turns);
  if (called !== -1) return partsOf(turns.slice(0, called), turns[called] as ChatTurn, tools);
  const last = turns.findLastIndex((turn) => turn.role !== 'assistant' || isReply(turn));
  const reply = isUnanswered(turns, last) ? -1 : turns.findLastIndex(isReply);
  if (reply === -1 && turns[last]?.role !== 'user') return NOBODY_ASKS;
  return partsOf(turns.slice(0, reply === -1 ? last + 1 : reply), turns[reply] ?? null, tools);
}

const NOBODY_ASKS = 'has neither a reply nor a last turn that asks for one';

/** The parts of a conversation: the turns before the reply that is to improve, null without one, and the tools that may be called. */
function partsOf(
  before: readonly ChatTurn[],
  reply: ChatTurn | null,
  tools: readonly unknown[] | null,
): ConversationParts | CalledConversation {
  if (reply !== null && callsOf(reply).length > 0) {
    return { before: askedCell(before, tools), call: callCell(reply) };
  }
  const asking = before.at(-1);
  const isAsked = asking?.role === 'user';
  const told = isAsked ? before.slice(0, -1) : before;
  return {
    history: told.map(shownTurn),
    prompt: isAsked ? turnText(asking) : '',
    completion: reply === null ? '' : turnText(reply),
    ...(before.some((turn) => turn.role !== 'assistant' && hasOtherParts(turn))
      ? { hasUnseenParts: true }
      : {}),
    promptCell: (prompt) =>
      askedCell(isAsked && prompt !== turnText(asking) ? [...told, withText(asking, prompt)] : before, tools),
  };
}

/** The cell of the turns before a reply; empty where the conversation begins with it, since a list of no turns is no conversation. */
const askedCell = (turns: readonly ChatTurn[], tools: readonly unknown[] | null): string =>
  turns.length === 0 ? '' : turnsCell(turns, tools);

/** A request for a judge, with its context. */
export function requestWithContext(prompt: string, context: readonly NamedText[]): string {
  return [prompt, ...context.map(({ name, text }) => `${name}: ${text}`)].join('\n');
}

/** The whole request of a row for a judge, with earlier turns. */
export function requestOf(material: Pick<RowMaterial, 'history' | 'context'>, prompt: string): string {
  const told = material.history.map(({ role, text }) => `${role}: ${text}`);
  return [...told, requestWithContext(prompt, material.context)].filter((text) => text !== '').join('\n');
}

function mapped(value: string | undefined, mode: string): string {
  if (value === undefined) throw new Error(`A run of mode ${mode} lacks its column.`);
  return value;
}
