import type { TurnItem, TurnRequest } from '#shared/domain/model/turn.ts';

export const userSays = (text: string): TurnItem => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'text', text }],
});

/** A request that leaves everything to the provider. */
export const newTurn = (request: Partial<TurnRequest> = {}): TurnRequest => ({
  instructions: null,
  items: [userSays('Hello.')],
  tools: [],
  providerTools: [],
  toolChoice: 'auto',
  parallelToolCalls: null,
  maxOutputTokens: null,
  temperature: null,
  topP: null,
  format: { type: 'text' },
  reasoning: null,
  include: [],
  marks: { user: null, safetyIdentifier: null, cacheKey: null },
  cacheRetention: null,
  ...request,
});
