import type { ModelRole } from '../schema/model-role.ts';
import { env } from './env.ts';
import { logger } from './logger.ts';

export interface ModelCall {
  readonly operation: 'chat' | 'embeddings';
  readonly model: string;
  readonly role: ModelRole;
}

export interface ModelCallResult {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly finish_reason?: string;
  /** Why it failed. */
  readonly kind?: string;
}

/**
 * Logs a call of a model where telemetry leaves the installation, which makes a span of the line.
 * @param started from `performance.now()`
 */
export function logModelCall(call: ModelCall, started: number, result: ModelCallResult): void {
  if (!env.logsModelCalls()) return;
  logger.info('model call', { ...call, duration_ms: Math.round(performance.now() - started), ...result });
}
