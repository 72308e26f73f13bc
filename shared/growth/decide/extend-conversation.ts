import type { SourceCells } from '#shared/answers/decide/read-cells.ts';
import { readText } from '#shared/answers/decide/read-text.ts';
import type { LanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { type Asking, askModel, type CallMeter, UnusableAnswer } from '#shared/models/decide/ask-model.ts';
import type { Generation, ModelClient } from '#shared/models/decide/port.ts';
import type { RowReason } from '#shared/runs/schema/run-result.ts';
import { type ChatTurn, readTurns, turnText } from '#shared/tabular/decide/chat-turns.ts';
import { behindSystem, historyTurns, systemText } from '#shared/tabular/decide/forms/history.ts';
import { joinAnswer, turnsOfCell } from '#shared/tabular/decide/forms/join-turns.ts';
import type { Conversation } from './expand-request.ts';
import { EXTEND_CONVERSATION_VERSION, extendConversation } from './prompts/extend-conversation.v1.ts';

/** Prompt versions for the run's record. */
export const EXTEND_PROMPTS: Readonly<Record<string, string>> = { extend: EXTEND_CONVERSATION_VERSION };

/** The columns that hold a conversation, with those of what stands before it. */
export function columnsOfConversation(conversation: Conversation): string[] {
  const { history, system } = conversation.before ?? {};
  const own = 'chat' in conversation ? [conversation.chat] : [conversation.prompt, conversation.completion];
  return [...own, history, system].filter((name) => name !== undefined);
}

/** The turns of a row's conversation, or why it cannot be continued. */
export function readConversation(
  conversation: Conversation,
  cells: SourceCells,
): readonly ChatTurn[] | RowReason {
  const { history, system } = conversation.before ?? {};
  const textOf = (column: string | undefined): string =>
    column === undefined ? '' : (cells.get(column) ?? '').trim();
  let turns: readonly ChatTurn[];
  if ('chat' in conversation) {
    const text = textOf(conversation.chat);
    if (text === '') return unusable('The row has no conversation');
    const read = readTurns(text);
    if (typeof read === 'string') return unusable(`The conversation ${read}`);
    turns = read;
  } else {
    const { prompt, completion, conversations } = conversation;
    const isOfTurns = (column: string): boolean =>
      conversations?.includes(column) ?? (column === prompt && typeof readTurns(textOf(column)) !== 'string');
    const turnsOf = (column: string, role: 'user' | 'assistant') =>
      turnsOfCell(textOf(column), role, isOfTurns(column));
    const [asked, answered] = [turnsOf(prompt, 'user'), turnsOf(completion, 'assistant')];
    if (typeof asked === 'string') return unusable(`The prompt ${asked}`);
    if (typeof answered === 'string') return unusable(`The completion ${answered}`);
    if (asked.length === 0) return unusable('The row has no prompt');
    if (answered.length === 0) return unusable('The row has no completion');
    const joined = joinAnswer(asked, answered);
    if (typeof joined === 'string') return unusable(`The row ${joined}`);
    const reply = joined.reply === null ? [] : [joined.reply];
    turns = [...historyTurns(textOf(history)), ...joined.before, ...reply];
  }
  const told = systemText(textOf(system));
  turns = behindSystem(turns, told === '' ? null : { role: 'system', content: told });
  const last = turns.at(-1);
  if (last === undefined || last.role !== 'assistant' || turnText(last).trim() === '') {
    return unusable('The conversation does not end with a reply of the assistant');
  }
  if (!turns.some((turn) => turn.role === 'user' && turnText(turn).trim() !== '')) {
    return unusable('The user says nothing in the conversation');
  }
  return turns;
}

const unusable = (message: string): RowReason => ({ code: 'conversation_unusable', message });

/**
 * Characters of a conversation for each token of the context; half of the context is left for the prompt and the
 * answer.
 */
const CHARACTERS_PER_TOKEN = 1.5;

/** The conversation in the prompt; of a long one, its start and its end. */
function shown(turns: readonly ChatTurn[], contextTokensMax: number): string {
  const text = turns
    .flatMap((turn) => {
      const said = turnText(turn).trim();
      return said === '' ? [] : [`${turn.role}: ${said}`];
    })
    .join('\n');
  const room = Math.floor(contextTokensMax * CHARACTERS_PER_TOKEN);
  if (text.length <= room) return text;
  return `${text.slice(0, room / 2)}\n…\n${text.slice(text.length - room / 2)}`;
}

/** On shorter text the detector too often returns a similar language. */
const LANGUAGE_CHARACTERS_MIN = 60;

/**
 * Generates the user's next message: in the language of the user's earlier messages, without repeating them.
 * @throws {AskFailure} if this row fails, {ModelOutage} if every row would
 */
export async function extendRow(
  options: {
    readonly model: ModelClient;
    readonly detectLanguage: LanguageDetector;
    readonly contextTokensMax: number;
  },
  turns: readonly ChatTurn[],
  asking: Asking,
  meter: CallMeter,
): Promise<string> {
  const { model, detectLanguage, contextTokensMax } = options;
  const said = turns.filter(({ role }) => role === 'user').map((turn) => turnText(turn).trim());
  const replies = turns.filter(({ role }) => role === 'assistant').map((turn) => turnText(turn).trim());
  const conversation = [...said, ...replies].join('\n');
  const spoken = conversation.length < LANGUAGE_CHARACTERS_MIN ? null : detectLanguage(conversation);
  const read = (generation: Generation): string => {
    const message = readText(generation).replace(/^(user|User):\s*/, '');
    if ([...said, ...replies].some((earlier) => isSame(earlier, message))) {
      throw new UnusableAnswer('The model repeated the conversation instead of continuing it');
    }
    const language = detectLanguage(message);
    if (spoken !== null && language !== null && language !== spoken) {
      throw new UnusableAnswer('The message is not in the language of the conversation');
    }
    return message;
  };
  return askModel(model, extendConversation(shown(turns, contextTokensMax)), read, asking, meter);
}

function isSame(a: string, b: string): boolean {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s\p{P}]+/gu, '');
  return plain(a) === plain(b);
}
