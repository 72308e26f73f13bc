interface Block {
  readonly language: string;
  readonly code: string;
  readonly isClosed: boolean;
}

/** The fenced blocks of a Markdown text. */
export function codeBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let open: { fence: string; language: string; lines: string[] } | null = null;
  for (const line of text.split('\n')) {
    const [, fence = '', info = ''] = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))(.*)$/.exec(line) ?? [];
    if (open === null && fence === '') {
      // Models also start code blocks in the middle of a line.
      const at = line.lastIndexOf('```');
      const language =
        at === -1
          ? ''
          : line
              .slice(at + 3)
              .trim()
              .toLowerCase();
      if (/^[a-z][\w+#-]*$/.test(language)) open = { fence: '```', language, lines: [] };
    } else if (open === null) {
      const language =
        info
          .trim()
          .split(/[\s,{:]/, 1)[0]
          ?.toLowerCase() ?? '';
      open = { fence, language, lines: [] };
    } else if (fence.startsWith(open.fence) && info.trim() === '') {
      blocks.push({ language: open.language, code: open.lines.join('\n'), isClosed: true });
      open = null;
    } else open.lines.push(line);
  }
  if (open !== null) blocks.push({ language: open.language, code: open.lines.join('\n'), isClosed: false });
  return blocks;
}
