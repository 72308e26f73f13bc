import { ModelError } from '#shared/domain/model/port.ts';
import type { TurnRequest } from '#shared/domain/model/turn.ts';

/**
 * Providers other than those of the Responses API tell thoughts as they are, or not at all: `auto` is all they can promise.
 * @throws {ModelError} `rejected` where another summary is asked for
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
