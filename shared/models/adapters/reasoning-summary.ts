import { ModelError } from '../decide/port.ts';
import type { TurnRequest } from '../decide/turn.ts';

/**
 * Providers outside the Responses API return reasoning unchanged, or not at all: they only support `auto`.
 * @throws {ModelError} `rejected` if another summary is requested
 */
export function requireSummary(modelId: string, reasoning: TurnRequest['reasoning']): void {
  const summary = reasoning?.summary ?? 'auto';
  if (summary === 'auto') return;
  throw new ModelError(
    'rejected',
    `the provider of ${modelId} does not support reasoning summaries: omit it or send "auto"`,
    {
      requestField: 'reasoning.summary',
    },
  );
}
