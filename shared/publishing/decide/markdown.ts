/** Strings of JSON are strings of YAML. */
export const yaml = (text: string): string => JSON.stringify(text);

export const section = (title: string, parts: readonly string[]): string =>
  [`## ${title}`, ...parts.filter((part) => part !== '')].join('\n\n');

export const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** A text of a caller as one line of Markdown in which nothing is markup. */
export const inline = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>()#+\-.!|~&]/g, (character) => `\\${character}`);

/** The same in a code span, for a cell of a table. */
export const code = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|');
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
};
