import type { TurnItem } from '../decide/turn.ts';

/**
 * The conversation with the results directly after their calls: messages in between, such as images from a tool, follow
 * the last result.
 */
export function putResultsFirst(items: readonly TurnItem[]): readonly TurnItem[] {
  const ordered: TurnItem[] = [];
  let held: TurnItem[] = [];
  let mayFollow = false;
  for (const item of items) {
    if (mayFollow && item.type === 'message' && item.role !== 'assistant') {
      held.push(item);
      continue;
    }
    if (item.type !== 'tool_result') {
      ordered.push(...held);
      held = [];
    }
    ordered.push(item);
    mayFollow = item.type === 'tool_call' || item.type === 'tool_result';
  }
  return [...ordered, ...held];
}
