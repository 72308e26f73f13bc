interface Block {
  readonly language: string;
  readonly code: string;
  readonly isClosed: boolean;
}

const FENCE = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))(.*)$/;
const INDENTED_FENCE = /^\s{0,40}(`{3,}(?!`))(.*)$/;

/** The fenced blocks of a Markdown text. */
export const codeBlocks = (text: string): Block[] => [...eachCodeBlock(text)];

/** The same one after the other: a long text may have millions of them. */
export function* eachCodeBlock(text: string): Generator<Block> {
  let open: { fence: string; language: string; from: number; isInside?: true } | null = null;
  for (const { line, from, to } of linesOf(text)) {
    // A block that begins within a line, of an item of a list for example, may end behind any indentation.
    const mark: RegExp = open?.isInside === true ? INDENTED_FENCE : FENCE;
    const [, fence = '', info = ''] = mark.exec(line) ?? [];
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
      if (/^[a-z][\w+#-]*$/.test(language)) open = { fence: '```', language, from: to + 1, isInside: true };
    } else if (open === null) {
      const language =
        info
          .trim()
          .split(/[\s,{:]/, 1)[0]
          ?.toLowerCase() ?? '';
      open = { fence, language, from: to + 1 };
    } else if (fence.startsWith(open.fence) && info.trim() === '') {
      yield {
        language: open.language,
        code: text.slice(open.from, Math.max(open.from, from - 1)),
        isClosed: true,
      };
      open = null;
    }
  }
  if (open !== null) yield { language: open.language, code: text.slice(open.from), isClosed: false };
}

/** The lines of a text, with where they begin and end. */
function* linesOf(text: string): Generator<{ line: string; from: number; to: number }> {
  for (let from = 0; from <= text.length; ) {
    const end = text.indexOf('\n', from);
    const to = end === -1 ? text.length : end;
    yield { line: text.slice(from, to), from, to };
    from = to + 1;
  }
}
