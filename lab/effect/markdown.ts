type Cells = readonly (string | number)[];

/** A table, whose columns are numbers but for the first ones. */
export function table(head: readonly string[], rows: readonly Cells[], textColumns = 1): string {
  const line = (cells: Cells): string => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, n) => (n < textColumns ? '---' : '---:'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

/** A text as one line without marks of Markdown, and its beginning if it has more characters. */
export function oneLine(text: string, charactersMax = Number.POSITIVE_INFINITY): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const cut = line.length > charactersMax ? `${line.slice(0, charactersMax)} …` : line;
  return cut.replaceAll(/([\\`*_<>[\]|])/g, '\\$1');
}

/** A share in percent. */
export const shareOf = (count: number, of: number): string =>
  of === 0 ? 'none' : `${((100 * count) / of).toFixed(2)} %`;

/** A count with its share in percent. */
export const withShare = (count: number, of: number): string => `${count} (${shareOf(count, of)})`;
