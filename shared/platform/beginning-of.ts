import { ownCopy } from './own-copy.ts';

/** The first characters of a text, without half of a surrogate pair; the rest of it is not held. */
export function beginningOf(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const code = text.charCodeAt(characters - 1);
  return ownCopy(text.slice(0, code >= 0xd800 && code <= 0xdbff ? characters - 1 : characters));
}
