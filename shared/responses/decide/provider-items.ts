import type { CountedTurn } from './budget.ts';

/** Maximum nesting of a provider's item or tool: what is deeper is refused before anything serializes it. */
export const PROVIDER_NESTING_MAX = 64;

/** Maximum links of one request: each is resolved, or its image fetched, before the model call. */
export const LINKS_MAX = 64;

/** A value inside of a provider's item or tool; `field` is the field that holds it, or the list in which it is. */
interface Inside {
  readonly field: string;
  readonly value: unknown;
  readonly depth: number;
}

/** Everything inside of a provider's item or tool, itself included, at any depth. */
function* valuesIn(whole: unknown): Generator<Inside> {
  const open: Inside[] = [{ field: '', value: whole, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    const { field, value, depth } = next;
    if (typeof value !== 'object' || value === null) continue;
    const isList = Array.isArray(value);
    for (const [name, each] of Object.entries(value)) {
      open.push({ field: isList ? field : name, value: each, depth: depth + 1 });
    }
  }
}

/** Types of objects that a provider shows to its model as an image. */
const IMAGE_TYPE = /image|computer_screenshot/;

/** The images that a provider counts for an item: objects of an image's type, or with a link to one. */
export function countImages(item: unknown): number {
  let images = 0;
  for (const { value } of valuesIn(item)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    const { type, image_url: url } = value as { type?: unknown; image_url?: unknown };
    if ((typeof type === 'string' && IMAGE_TYPE.test(type)) || (url ?? null) !== null) images += 1;
  }
  return images;
}

/** Fields that name a file, or hold one, whose tokens nothing here can bound; ids are those of the operator's account. */
const FILE_FIELD = /^(?:input_)?file_(?:ids?|url|data)$|^vector_store_ids$/;
/** Fields of a tool that name something of the operator's account: a container with the files in it, a skill. */
const ACCOUNT_FIELD = /^container$|_ids?$/;

const isGiven = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';

/**
 * Why an item or a tool is not passed on to its provider, as the end of a sentence about it; null if it is.
 * @param of `tool` also rejects ids of the operator's account; an item only repeats those that its provider gave
 */
export function refusalOfProvided(whole: unknown, of: 'item' | 'tool'): string | null {
  for (const { field, value, depth } of valuesIn(whole)) {
    if (depth > PROVIDER_NESTING_MAX) return `nests deeper than ${PROVIDER_NESTING_MAX} levels`;
    const isFile = isGiven(value) && FILE_FIELD.test(field);
    if (isFile || (field === 'type' && value === 'input_file')) {
      return `names a file of the provider (${field === 'type' ? 'input_file' : field}), which has no price here: put its text into the request`;
    }
    if (of === 'tool' && isGiven(value) && ACCOUNT_FIELD.test(field)) {
      return `names something of the operator's account at the provider (${field}): leave it out; a container is created with {"type": "auto"}`;
    }
  }
  return null;
}

/** URL parsers leave out tabs and line breaks anywhere, and blanks and control characters at the beginning (WHATWG URL). */
const isLink = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what parsers leave out
  /^[\u0000-\u0020]*h[\t\n\r]*t[\t\n\r]*t[\t\n\r]*p[\t\n\r]*(?:s[\t\n\r]*)?:/i.test(text);

/** The images of messages that are links: the service fetches them, so that no model's server opens a link. */
export function imageLinksOf({ items }: Pick<CountedTurn, 'items'>): string[] {
  const links = new Set<string>();
  for (const item of items) {
    if (item.type !== 'message') continue;
    for (const part of item.content) if (part.type === 'image' && isLink(part.url)) links.add(part.url);
  }
  return [...links];
}

/** The links in items and tools of the provider, which it may open. */
export function providerLinksOf({
  items,
  providerTools,
}: Pick<CountedTurn, 'items' | 'providerTools'>): string[] {
  const links = new Set<string>();
  const provided = items.flatMap((item) => (item.type === 'provider_item' ? [item.item] : []));
  for (const whole of [...provided, ...providerTools]) {
    for (const { value } of valuesIn(whole)) {
      if (typeof value === 'string' && isLink(value)) links.add(value);
    }
  }
  return [...links];
}
