import type { TurnItem } from '../model/turn.ts';

/** UTF-8 bytes of a token, roughly, over languages and models. */
const BYTES_PER_TOKEN = 4;
/** Tokens of a message's frame, and of an image. */
const FRAME_TOKENS = 4;
const IMAGE_TOKENS = 800;

/** About how many tokens a text is. Used where a provider does not say, and to set credits aside. */
export function countTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** About how many tokens a step of a conversation is. */
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

/**
 * The end of a conversation that has at most about `tokensMax` tokens (`truncation: auto`). System messages stay; a
 * result stays only with its call, and what the user did not ask for in it goes.
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
  // A conversation begins with its user: what was answered before is of a question that is gone.
  const kept = others.filter((item) => chosen.has(item));
  const start = kept.findIndex((item) => item.type === 'message' && item.role === 'user');
  for (const item of kept.slice(0, start)) chosen.delete(item);
  const called = new Set(
    items.flatMap((item) => (item.type === 'tool_call' && chosen.has(item) ? [item.callId] : [])),
  );
  return items.filter((item) => chosen.has(item) && (item.type !== 'tool_result' || called.has(item.callId)));
}
