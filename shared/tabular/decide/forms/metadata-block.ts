/** Longer values are documents, not metadata; they are truncated. */
const VALUE_CHARACTERS_MAX = 200;

const BEGIN = '[metadata]\n';
const END = '\n[/metadata]\n\n';
/** Begins the line with the language of the prompt. */
export const LANGUAGE = 'language: ';

/** A value of a row, and its name. */
interface Named {
  readonly name: string;
  readonly text: string;
}

/** A line of a metadata block. Line breaks in a value are removed, so that no value can end the block. */
export const namedLine = ({ name, text }: Named): string => `${oneLine(name)}: ${oneLine(text)}`;

/** A prompt behind a block of lines, between the lines `[metadata]` and `[/metadata]`; without lines as it is. */
export const withBlock = (prompt: string, lines: readonly string[]): string =>
  lines.length === 0 ? prompt : BEGIN + lines.join('\n') + END + prompt;

/** Where the metadata block of a prompt ends; -1 without one. */
const endOfBlock = (prompt: string): number => (prompt.startsWith(BEGIN) ? prompt.indexOf(END) : -1);

/**
 * Parts a prompt into its metadata block, which programs read, and its text. Of a row in another language the block says
 * so, and else stays: a column of context may be called `language` as well, and stands before the language of the prompt.
 * @param language ISO 639-1 code, or the code of a language without one
 * @param isLanguage tells whether a value is such a code
 */
export function partMetadata(
  prompt: string,
  language: string,
  isLanguage: (value: string) => boolean,
): { readonly block: string; readonly text: string } {
  const end = endOfBlock(prompt);
  if (end === -1) return { block: '', text: prompt };
  const block = prompt.slice(0, end + END.length);
  const lines = block.split('\n');
  const said = lines.findLastIndex(
    (line) => line.startsWith(LANGUAGE) && isLanguage(line.slice(LANGUAGE.length)),
  );
  if (said !== -1) lines[said] = LANGUAGE + language;
  return { block: lines.join('\n'), text: prompt.slice(block.length) };
}

/** Tells of context values whether the metadata block of a prompt has them in full. */
export function heldByBlock(prompt: string): (value: Named) => boolean {
  const end = endOfBlock(prompt);
  if (end === -1) return () => false;
  const lines = new Set(prompt.slice(0, end).split('\n'));
  return ({ name, text }) => {
    const value = text.replace(/\s+/g, ' ').trim();
    return value.length <= VALUE_CHARACTERS_MAX && lines.has(`${oneLine(name)}: ${value}`);
  };
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > VALUE_CHARACTERS_MAX ? `${line.slice(0, VALUE_CHARACTERS_MAX).trimEnd()}…` : line;
}
