import { RowText } from '../ui/row-text.tsx';
import { DiffText } from './diff-text.tsx';
import { saidIn, turnsOf } from './row-view.ts';
import './rows.css';
import { type DiffBounds, diffWords, sideOf } from './word-diff.ts';

/** Characters of a compared text that are drawn at once. */
const COMPARED_CHARACTERS = 20_000;

/** Two texts side by side, with the words marked in which they differ. */
export function Differences({
  before,
  after,
  bounds,
  labels: [first, second] = ['Before', 'After'],
}: {
  readonly before: string;
  readonly after: string;
  /** What the two texts are. */
  readonly labels?: readonly [string, string];
  /** How much work the comparison may be. */
  readonly bounds: DiffBounds;
}) {
  // Two conversations are compared as they are read, not as JSON.
  const [old, now] = [plainTurns(before), plainTurns(after)];
  if (old.length + now.length > COMPARED_CHARACTERS) {
    return (
      <>
        <p className="hint">These texts are too long to compare by word here.</p>
        <div className="columns">
          <Side label={first} cell={{ text: old }} />
          <Side label={second} cell={{ text: now }} />
        </div>
      </>
    );
  }
  const diff = diffWords(old, now, bounds);
  return (
    <>
      {diff.isByWord ? null : (
        <p className="hint">
          The texts differ in too much to mark word by word: all between the common parts is marked.
        </p>
      )}
      <div className="columns">
        <div>
          <h4>{first}</h4>
          <p className="text row-block" dir="auto">
            <DiffText pieces={sideOf(diff, 'before')} />
          </p>
        </div>
        <div>
          <h4>{second}</h4>
          <p className="text row-block" dir="auto">
            <DiffText pieces={sideOf(diff, 'after')} />
          </p>
        </div>
      </div>
    </>
  );
}

/** A conversation as text with the role before each turn; any other text as it is. */
const plainTurns = (text: string): string =>
  turnsOf(text)
    ?.map((turn) => `${turn.role}: ${saidIn(turn)}`)
    .join('\n\n') ?? text;

/** One of two texts; null where there is none. */
export function Side({
  label,
  cell,
}: {
  readonly label: string;
  readonly cell: { readonly text: string } | null;
}) {
  return (
    <div>
      <h4>{label}</h4>
      {cell === null ? (
        <p className="quiet">None</p>
      ) : (
        <div className="row-block">
          <RowText text={cell.text} />
        </div>
      )}
    </div>
  );
}
