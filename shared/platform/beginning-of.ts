/** The first characters of a text, without half of a surrogate pair. */
export function beginningOf(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const code = text.charCodeAt(characters - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? characters - 1 : characters);
}
