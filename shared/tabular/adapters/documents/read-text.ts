import type { Passages } from '../../decide/documents/passages.ts';
import { TextBlocks } from '../../decide/text-blocks.ts';

/** A paragraph is emitted at this many characters, so that none is completely in memory. */
const HELD_CHARACTERS_MAX = 65_536;

/**
 * Paragraphs of a plain text, separated by empty lines; lines that begin with `#` as in Markdown are headings.
 * @throws {ServiceError} `file_unreadable` for a file that is not text
 */
export async function readText(source: AsyncIterable<Buffer>, passages: Passages): Promise<void> {
  const blocks = new TextBlocks('txt');
  let rest = '';
  let paragraph = '';
  const endParagraph = (): void => {
    passages.paragraph(paragraph);
    paragraph = '';
  };
  const takeLine = (line: string): void => {
    const [, marks, title] = /^(#{1,6})\s(.*)$/.exec(line) ?? [];
    if (line.trim() === '') endParagraph();
    else if (marks !== undefined && title !== undefined && title.trim().length < HELD_CHARACTERS_MAX) {
      endParagraph();
      passages.heading(marks.length, title.trimStart());
    } else {
      paragraph += `${paragraph === '' ? '' : '\n'}${line.trimEnd()}`;
      if (paragraph.length > HELD_CHARACTERS_MAX) endParagraph();
    }
  };
  const take = (block: Buffer): void => {
    const lines = (rest + block.toString('utf8')).split(/\r\n|\n|\r(?=.)/s);
    rest = lines.pop() ?? '';
    for (const line of lines) takeLine(line);
    if (rest.length > HELD_CHARACTERS_MAX) {
      // Between words, if there are any.
      const end = rest.lastIndexOf(' ') + 1 || rest.length;
      takeLine(rest.slice(0, end));
      rest = rest.slice(end);
    }
  };
  for await (const block of source) take(blocks.push(block));
  take(blocks.end());
  takeLine(rest);
  endParagraph();
}
