import * as z from 'zod';
import { readCells } from '#shared/answers/decide/read-cells.ts';
import { requestWithContext } from '#shared/answers/decide/row-material.ts';
import {
  type ChatTurn,
  isSystemTurn,
  readTurns,
  turnText,
  untilTrained,
} from '#shared/tabular/decide/chat-turns.ts';
import { behindSystem, historyTurns, systemText } from '#shared/tabular/decide/forms/history.ts';
import {
  type AugmentRunRequest,
  type ExampleRow,
  type Exchange,
  historyColumn,
  isTurns,
} from './augment-request.ts';

type Asked = Pick<AugmentRunRequest, 'asks' | 'mapping' | 'conversations' | 'context' | 'history' | 'system'>;

/** The whole request of a row: what stands before its answer in training. */
export type RowRequest = Pick<ExampleRow, 'system' | 'earlier' | 'prompt' | 'context'>;

export interface ReadRow {
  /**
   * The request, then others that the row asks as well: by its original prompt, and by the first message of its conversation.
   * Empty for a row that asks nothing.
   */
  readonly requests: readonly RowRequest[];
  /** The text of the answer; empty without one. */
  readonly completion: string;
  /** Whether the cell of the answer has the turns before it, as those of UltraFeedback do. */
  readonly holdsRequest: boolean;
}

/** Reads a row as training does: with the system message and the turns before its prompt, and the context behind it. */
export function readRow(line: string, request: Asked): ReadRow {
  const { asks, mapping, context, system } = request;
  const history = historyColumn(request);
  const { chat, completion = mapping.chosen } = mapping;
  const columns = [...asks, completion, chat, history, system].filter((name) => name !== undefined);
  const cells = readCells(line, [...new Set(columns)]);

  const answer = completion === undefined ? '' : (cells.get(completion) ?? '');
  const replied = completion === undefined || !isTurns(request, completion) ? null : turnsIn(answer);
  const answered = replied === null ? null : splitAtReply(replied);
  // A dataset of conversations to which pairs are added has its answers in the conversations.
  const conversation = chat === undefined || answer !== '' ? null : turnsIn(cells.get(chat) ?? '');
  const talked = conversation === null ? null : splitAtReply(conversation);

  const earlier = history === undefined ? [] : historyTurns(cells.get(history));
  const [first = [], ...others] = asks.map((name): readonly ChatTurn[] => {
    if (name === chat) return talked?.before ?? turnsIn(cells.get(name) ?? '') ?? [];
    const text = cells.get(name) ?? '';
    const turns = isTurns(request, name) ? turnsIn(text) : null;
    if (turns !== null) return turns;
    return text.trim() === '' ? [] : [...earlier, { role: 'user', content: text }];
  });
  const content = system === undefined ? '' : systemText(cells.get(system) ?? '').trim();
  const told: ChatTurn | null = content === '' ? null : { role: 'system', content };
  const about = contextText(line, context);
  const asked = [joinTurns(first, answered?.before ?? []), ...others];
  const requests = asked.flatMap((turns) =>
    requestsIn(behindSystem(turns, told)).map((each) => ({ ...each, context: about })),
  );
  return {
    requests,
    completion: answered?.answer ?? (answer === '' ? (talked?.answer ?? '') : answer),
    holdsRequest: answered?.before.some(({ role }) => role === 'user') ?? false,
  };
}

/** What the rows of a dataset have in common: those that are added have it, too. */
export const RowShape = z.object({
  withSystem: z.boolean(),
  /** The system message where all rows with one have the same; empty otherwise. */
  system: z.string(),
  withEarlier: z.boolean(),
  withContext: z.boolean(),
  /** Of the rows with an answer. */
  holdsRequest: z.boolean(),
});
export type RowShape = Readonly<z.infer<typeof RowShape>>;

/** The shape of most of the rows: where few have a part, a row without it is none that is badly written. */
export function shapeOf(examples: readonly ExampleRow[]): RowShape {
  const isUsual = (has: (example: ExampleRow) => boolean, among = examples): boolean =>
    2 * among.filter(has).length > among.length;
  const systems = new Set(examples.flatMap(({ system }) => (system === '' ? [] : [system])));
  const [system = ''] = systems.size === 1 ? systems : [];
  return {
    withSystem: isUsual((each) => each.system !== ''),
    system,
    withEarlier: isUsual(({ earlier }) => earlier.length > 0),
    withContext: isUsual(({ context }) => context !== ''),
    holdsRequest: isUsual(
      ({ holds_request }) => holds_request,
      examples.filter(({ completion }) => completion.trim() !== ''),
    ),
  };
}

/** The examples that have the shape of most; all where none does. */
export function examplesOfShape(examples: readonly ExampleRow[]): readonly ExampleRow[] {
  const shape = shapeOf(examples);
  const alike = examples.filter(
    ({ system, earlier }) => (system !== '') === shape.withSystem && earlier.length > 0 === shape.withEarlier,
  );
  return alike.length === 0 ? examples : alike;
}

/**
 * What a prompt is about and follows: the system message, unless all rows have it, the turns before the prompt, and its context.
 * Empty without any.
 */
export const aboutText = (
  { system, earlier, context }: Omit<RowRequest, 'prompt'>,
  shape: Pick<RowShape, 'system'>,
): string =>
  [
    system === shape.system ? '' : system,
    ...earlier.map(({ user, assistant }) => `user: ${user}\nassistant: ${assistant}`),
    context,
  ]
    .filter((text) => text !== '')
    .join('\n');

/** A prompt with more behind it, such as its context. */
export const withTextBehind = (prompt: string, text: string): string =>
  text === '' ? prompt : `${prompt}\n${text}`;

/** The context of a row as `requestWithContext` puts it behind a prompt. Empty without one. */
function contextText(line: string, context: readonly string[]): string {
  // Of millions of rows without one none is parsed once more.
  if (context.length === 0) return '';
  const texts = [...readCells(line, context)].flatMap(([name, text]) =>
    text === null || text.trim() === '' ? [] : [{ name, text }],
  );
  return requestWithContext('', texts).trim();
}

function turnsIn(cell: string): readonly ChatTurn[] | null {
  const turns = readTurns(cell);
  return typeof turns === 'string' ? null : turns;
}

/** A conversation before the reply that it ends with, and the text of that; all of one that ends with no reply. */
function splitAtReply(turns: readonly ChatTurn[]): {
  readonly before: readonly ChatTurn[];
  readonly answer: string;
} {
  const trained = untilTrained(turns);
  const last = trained.findLastIndex(({ role }) => role !== 'tool');
  const reply = trained[last];
  return reply?.role === 'assistant'
    ? { before: trained.slice(0, last), answer: turnText(reply).trim() }
    : { before: trained, answer: '' };
}

/** The turns of a prompt and those before its answer: one mostly contains the other, else these go on from the prompt. */
function joinTurns(asked: readonly ChatTurn[], before: readonly ChatTurn[]): readonly ChatTurn[] {
  return before.some(({ role }) => role === 'user') && before[0]?.role !== 'assistant'
    ? asked.length > before.length
      ? asked
      : before
    : [...asked, ...before];
}

/** The request that turns end with, and the first message of the user where that is another one. */
function requestsIn(turns: readonly ChatTurn[]): Omit<RowRequest, 'context'>[] {
  const isAsked = (turn: ChatTurn): boolean => turn.role === 'user' && turnText(turn).trim() !== '';
  const [first, last] = [turns.findIndex(isAsked), turns.findLastIndex(isAsked)];
  if (last === -1) return [];
  return (first === last ? [last] : [last, first]).map((at) => {
    const before = turns.slice(0, at);
    const told = before.filter(isSystemTurn);
    return {
      system: textOf(told),
      earlier: exchangesIn(before),
      prompt: turnText(turns[at] as ChatTurn).trim(),
    };
  });
}

/** Messages of the user and what the assistant says to each; calls of tools and their results are left out. */
function exchangesIn(turns: readonly ChatTurn[]): Exchange[] {
  const starts = turns.flatMap(({ role }, at) => (role === 'user' ? [at] : []));
  return starts.flatMap((start, n) => {
    const replies = turns.slice(start + 1, starts[n + 1]).filter(({ role }) => role === 'assistant');
    const exchange = { user: textOf([turns[start] as ChatTurn]), assistant: textOf(replies) };
    return exchange.user === '' ? [] : [exchange];
  });
}

const textOf = (turns: readonly ChatTurn[]): string =>
  turns
    .map((turn) => turnText(turn).trim())
    .filter((text) => text !== '')
    .join('\n');
