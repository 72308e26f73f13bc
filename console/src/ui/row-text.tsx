import { memo, useState } from 'react';
import { count } from '../format.ts';
import { cutText, markText } from './mark-text.ts';

/**
 * Text of a row, a model or a file, as what it is: nothing in it is interpreted, and characters that would not be seen, or
 * that turn the direction of text, stand there as marks.
 */
export const MarkedText = memo(function MarkedText({
  text,
  limit,
}: {
  readonly text: string;
  /** Pieces at most. */
  readonly limit?: number;
}) {
  return markText(text, limit).map((piece, index) =>
    piece.kind === 'text' ? (
      piece.text
    ) : (
      <span
        // A piece has nothing of its own but its place, and a text never changes.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        key={index}
        className="control-mark"
        title={piece.name ?? 'character that is not shown'}
      >
        {piece.code}
        {piece.times > 1 ? ` ×${count(piece.times)}` : null}
      </span>
    ),
  );
});

/** Characters of a text that are shown before it is asked for whole: more make the page slow. */
const CHARACTERS_SHOWN = 2000;

/** A text of a row in a block of its own; of a long one the beginning, and the rest when it is asked for. */
export function RowText({ text, label }: { readonly text: string; readonly label?: string }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? text : cutText(text, CHARACTERS_SHOWN);
  return (
    <>
      <p className="text" dir="auto" {...(label === undefined ? {} : { 'aria-label': label })}>
        <MarkedText text={shown} />
        {shown.length < text.length ? ' …' : null}
      </p>
      {text.length > CHARACTERS_SHOWN ? (
        <button type="button" className="plain" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show the beginning only' : `Show all ${count(text.length)} characters`}
        </button>
      ) : null}
    </>
  );
}
