import { keys } from '#shared/platform/store/keys.ts';

/** Items of the moment, and those that would tell the world again what it was told before. */
const LEFT_OUT = {
  claims: keys.claim(''),
  rates: keys.rate('', 0),
  tokens: keys.tokens('', 0),
  freeUses: keys.freeUse('', '', 0),
  unbilled: keys.unbilledTokens('', 0),
  outbox: keys.outbox('', ''),
  webhooks: keys.webhook('', ''),
  deliveries: keys.delivery('', 0),
  // The platform's copy is the other stage's.
  deployments: keys.deployment(''),
  dueDeliveries: keys.dueDelivery('', '', 0),
} as const;

const prefixes = Object.values(LEFT_OUT).map(({ pk }) => pk.slice(0, pk.indexOf('#') + 1));

/** Whether an item with this partition key is left out of a restoration. */
export const isLeftOut = (pk: string): boolean => prefixes.some((prefix) => pk.startsWith(prefix));
