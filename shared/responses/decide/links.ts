import type { CountedTurn } from './budget.ts';

/** URL parsers ignore leading blanks. */
const LINK = /^\s*https?:/i;

/** Maximum links of one request: each is resolved before the model call. */
export const LINKS_MAX = 64;

/** Maximum depth at which provider tool items are searched for links. */
const DEPTH_MAX = 8;

/** The links that a provider fetches for this call: images of messages, and URLs in its own tools. */
export function linksOf({ items, providerTools }: Pick<CountedTurn, 'items' | 'providerTools'>): string[] {
  const links = new Set<string>();
  const add = (value: unknown, depth: number): void => {
    if (typeof value === 'string') {
      if (LINK.test(value)) links.add(value);
    } else if (typeof value === 'object' && value !== null && depth < DEPTH_MAX) {
      for (const each of Object.values(value)) add(each, depth + 1);
    }
  };
  for (const item of items) {
    if (item.type === 'provider_item') add(item.item, 0);
    else if (item.type === 'message') {
      for (const part of item.content) if (part.type === 'image') add(part.url, 0);
    }
  }
  add(providerTools, 0);
  return [...links];
}
