import type { TurnItem, TurnRequest } from '#shared/models/decide/turn.ts';

/** Average UTF-8 bytes of a token, over languages and models. */
const BYTES_PER_TOKEN = 4;
/** Tokens of a message's template, and of an image. */
const FRAME_TOKENS = 4;
const IMAGE_TOKENS = 800;

/** Estimates the tokens of a text, for reservations and if a provider reports no usage. */
export function countTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** Estimates the tokens of a conversation item. */
export function countItemTokens(item: TurnItem): number {
  switch (item.type) {
    case 'message':
      return item.content.reduce(
        (sum, part) => sum + (part.type === 'text' ? countTokens(part.text) : IMAGE_TOKENS),
        FRAME_TOKENS,
      );
    case 'reasoning':
      return FRAME_TOKENS + countTokens(item.text);
    case 'tool_call':
      return FRAME_TOKENS + countTokens(item.name) + countTokens(item.arguments);
    case 'tool_result':
      return FRAME_TOKENS + countTokens(item.output);
    case 'provider_item':
      return FRAME_TOKENS + countTokens(JSON.stringify(item.item));
  }
}

/** Estimates the tokens of a model call's prompt. */
export function countPromptTokens({
  instructions,
  items,
  tools,
  format,
}: Pick<TurnRequest, 'instructions' | 'items' | 'tools' | 'format'>): number {
  const described =
    (tools.length === 0 ? 0 : countTokens(JSON.stringify(tools))) +
    (format.type === 'text' ? 0 : countTokens(JSON.stringify(format)));
  return items.reduce(
    (sum, item) => sum + countItemTokens(item),
    countTokens(instructions ?? '') + described,
  );
}

/** Whether an item is what a user says; a tool's images are a message behind its result. */
const isQuestion = (item: TurnItem, before: TurnItem | undefined): boolean =>
  item.type === 'message' &&
  item.role === 'user' &&
  !(before?.type === 'tool_result' && item.content.every(({ type }) => type === 'image'));

/**
 * A conversation that fits about `tokensMax` tokens as it is, else the end of it that does (`truncation: auto`). System messages
 * and the last user message stay, and so does what came last; the others go from the beginning, up to a user message. A
 * result stays only with its call.
 */
export function keepRecent(items: readonly TurnItem[], tokensMax: number): TurnItem[] {
  const kept = new Set<TurnItem>();
  let left = tokensMax;
  const keep = (...more: readonly TurnItem[]): void => {
    for (const item of more) {
      if (!kept.has(item)) left -= countItemTokens(item);
      kept.add(item);
    }
  };
  const isBy = (item: TurnItem, ...roles: readonly string[]): boolean =>
    item.type === 'message' && roles.includes(item.role);
  if (items.reduce((sum, item) => sum + countItemTokens(item), 0) <= tokensMax) return [...items];

  const isStanding = (item: TurnItem): boolean => isBy(item, 'system', 'developer');
  const others = items.filter((item) => !isStanding(item));
  const calls = new Map(items.flatMap((item) => (item.type === 'tool_call' ? [[item.callId, item]] : [])));
  keep(...items.filter(isStanding));
  keep(...items.filter((item, at) => isQuestion(item, items[at - 1])).slice(-1));
  for (const [n, item] of others.toReversed().entries()) {
    const call = item.type === 'tool_result' ? calls.get(item.callId) : undefined;
    const unit = [item, ...(call === undefined ? [] : [call])].filter((each) => !kept.has(each));
    if (n > 0 && unit.reduce((sum, each) => sum + countItemTokens(each), 0) > left) break;
    keep(...unit);
  }
  // Answers before the first question that is left belong to one that is gone.
  const asked = items.findIndex((item, at) => kept.has(item) && isQuestion(item, items[at - 1]));
  const called = new Set<string>();
  return items.filter((item, at) => {
    const isLeft = kept.has(item) && (at >= asked || isStanding(item));
    if (item.type === 'tool_call' && isLeft) called.add(item.callId);
    // Its call may have been said before a question that is gone.
    return isLeft && (item.type !== 'tool_result' || called.has(item.callId));
  });
}
