/** Returns the fenced code blocks of a Markdown page in the given language, in order. */
export function codeBlocks(page: string, language: string): string[] {
  return [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .filter(([, name]) => name === language)
    .map(([, , code = '']) => code);
}
