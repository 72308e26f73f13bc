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

/**
 * The end of a conversation with at most about `tokensMax` tokens (`truncation: auto`). System messages stay; a result
 * stays only with its call; items before the first user message go.
 */
export function keepRecent(items: readonly TurnItem[], tokensMax: number): TurnItem[] {
  const isKept = (item: TurnItem): boolean =>
    item.type === 'message' && (item.role === 'system' || item.role === 'developer');
  let left = tokensMax - items.filter(isKept).reduce((sum, item) => sum + countItemTokens(item), 0);
  const chosen = new Set<TurnItem>(items.filter(isKept));
  const others = items.filter((item) => !isKept(item));
  for (const [n, item] of [...others].reverse().entries()) {
    left -= countItemTokens(item);
    if (left < 0 && n > 0) break;
    chosen.add(item);
  }
  // The kept part starts with a user message: earlier answers belong to a removed question.
  const kept = others.filter((item) => chosen.has(item));
  const start = kept.findIndex((item) => item.type === 'message' && item.role === 'user');
  for (const item of kept.slice(0, start)) chosen.delete(item);
  const called = new Set(
    items.flatMap((item) => (item.type === 'tool_call' && chosen.has(item) ? [item.callId] : [])),
  );
  return items.filter((item) => chosen.has(item) && (item.type !== 'tool_result' || called.has(item.callId)));
}
