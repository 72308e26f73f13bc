import { MarkedText } from '../ui/row-text.tsx';
import type { DiffPiece } from './word-diff.ts';

/** Marks of one cell of the table at most: a cell full of them is cut, as its text is. */
const MARKS_MAX = 60;

/** Pieces of a compared text: what is only before is struck, what is only after is set off. */
export function DiffText({
  pieces,
  isCut = false,
}: {
  readonly pieces: readonly DiffPiece[];
  readonly isCut?: boolean;
}) {
  return pieces.map(({ kind, text }, index) => {
    const Tag = kind === 'before' ? 'del' : kind === 'after' ? 'ins' : 'span';
    return (
      // A piece has nothing of its own but its place, and texts never change.
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      <Tag key={index}>
        <MarkedText text={text} {...(isCut ? { limit: MARKS_MAX } : {})} />
      </Tag>
    );
  });
}
