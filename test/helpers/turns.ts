import { PLAIN_TURN, type TurnItem, type TurnRequest } from '#shared/models/decide/turn.ts';

export const userSays = (text: string): TurnItem => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'text', text }],
});

/** A request that leaves everything to the provider. */
export const newTurn = (request: Partial<TurnRequest> = {}): TurnRequest => ({
  ...PLAIN_TURN,
  items: [userSays('Hello.')],
  ...request,
});
