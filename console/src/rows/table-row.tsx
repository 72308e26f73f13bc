// biome-ignore-all lint/a11y/useSemanticElements: a table of the browser draws all of its rows; this one places those that are seen
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names its active row
import { memo } from 'react';
import { count, words } from '../format.ts';
import { DoubtBadge } from '../ui/doubt.tsx';
import { State } from '../ui/parts.tsx';
import { MarkedText } from '../ui/row-text.tsx';
import { DiffText } from './diff-text.tsx';
import type { Row, RowsPage } from './pages.ts';
import { editWords, LENGTH_WORDS, saidIn, turnsOf, viewRow } from './row-view.ts';
import { type DiffPiece, diffWords, excerptOf, QUICK, sideOf } from './word-diff.ts';

/** Characters of a text that a cell has room for, at most. */
const CELL_CHARACTERS = 320;
const PROMPT_CHARACTERS = 160;

interface Excerpts {
  readonly before: readonly DiffPiece[] | null;
  readonly after: readonly DiffPiece[] | null;
}

/** Excerpts of the compared texts of rows. Rows come and go while people scroll; the work is done once. */
const compared = new WeakMap<Row, Excerpts>();

function excerptsOf(row: Row, before: string | null, after: string | null): Excerpts {
  const known = compared.get(row);
  if (known !== undefined) return known;
  const alone = (text: string | null): DiffPiece[] | null =>
    text === null ? null : excerptOf([{ kind: 'both', text }], CELL_CHARACTERS);
  let excerpts: Excerpts = { before: alone(before), after: alone(after) };
  if (before !== null && after !== null && before !== after) {
    const diff = diffWords(before, after, QUICK);
    excerpts = {
      before: excerptOf(sideOf(diff, 'before'), CELL_CHARACTERS),
      after: excerptOf(sideOf(diff, 'after'), CELL_CHARACTERS),
    };
  }
  compared.set(row, excerpts);
  return excerpts;
}

interface RowProps {
  readonly id: string;
  /** Place in the table, from 0. */
  readonly place: number;
  readonly top: number;
  readonly height: number;
  readonly isActive: boolean;
  readonly columns: RowsPage['columns'];
  readonly hasRun: boolean;
  /** Undefined while it is not loaded. */
  readonly row: Row | undefined;
  readonly onOpen: (place: number) => void;
}

/** A row of the table: what became of it, and its text before and after. Its height is fixed. */
export const TableRow = memo(function TableRow(props: RowProps) {
  const { id, place, top, height, isActive, row, hasRun, columns, onOpen } = props;
  return (
    // The table has the focus and its keys; a row is what it names as active.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      id={id}
      role="row"
      aria-rowindex={place + 2}
      aria-selected={isActive}
      className={hasRun ? 'row' : 'row row-source'}
      style={{ top, height }}
      onClick={() => onOpen(place)}
    >
      {row === undefined ? (
        <Awaited hasRun={hasRun} />
      ) : hasRun ? (
        <Compared row={row} columns={columns} />
      ) : (
        <Source row={row} />
      )}
    </div>
  );
});

/** In the place of a row that is not there yet. */
function Awaited({ hasRun }: { readonly hasRun: boolean }) {
  return (
    <>
      <div role="gridcell" className="row-facts">
        <span className="visually-hidden">Loading …</span>
        <span className="awaited" />
      </div>
      <div role="gridcell">
        <span className="awaited" />
      </div>
      {hasRun ? (
        <div role="gridcell">
          <span className="awaited" />
        </div>
      ) : null}
    </>
  );
}

function Compared({ row, columns }: { readonly row: Row; readonly columns: RowsPage['columns'] }) {
  const { prompt, completion, source } = viewRow(columns, row);
  const asked = prompt?.before ?? prompt?.after ?? null;
  const { before, after } = excerptsOf(row, completion?.before ?? null, completion?.after ?? null);
  const isSame = completion !== null && completion.before === completion.after;
  const isNewPrompt =
    prompt !== null && prompt.before !== null && prompt.after !== null && prompt.before !== prompt.after;
  return (
    <>
      <div role="gridcell" className="row-facts">
        <Outcome row={row} />
      </div>
      <div role="gridcell" className="row-side">
        {asked === null ? null : <Prompt text={asked} />}
        {before !== null ? (
          <p className="row-text" dir="auto">
            <DiffText pieces={before} isCut />
          </p>
        ) : asked === null && source[0] !== undefined ? (
          <p className="row-text" dir="auto">
            <MarkedText text={source[0].text} limit={60} />
          </p>
        ) : (
          <p className="row-text quiet">No answer</p>
        )}
      </div>
      <div role="gridcell" className="row-side">
        {isNewPrompt && prompt.after !== null ? <Prompt text={prompt.after} /> : null}
        {row.after === null ? (
          <p className="row-text quiet">{row.message ?? 'Nothing was written'}</p>
        ) : isSame ? (
          <p className="row-text quiet">The same answer</p>
        ) : after === null ? (
          <p className="row-text quiet">No answer</p>
        ) : (
          <p className="row-text" dir="auto">
            <DiffText pieces={after} isCut />
          </p>
        )}
      </div>
    </>
  );
}

/** A prompt in a line; of a conversation its last turn. */
function Prompt({ text }: { readonly text: string }) {
  const last = turnsOf(text)?.at(-1);
  const shown = last === undefined ? text : saidIn(last);
  return (
    <p className="row-prompt" dir="auto">
      <MarkedText text={shown.slice(0, PROMPT_CHARACTERS)} limit={20} />
    </p>
  );
}

function Outcome({ row }: { readonly row: Row }) {
  const facts = [
    row.edit === null ? null : editWords(row.edit),
    row.code === null ? null : words(row.code),
    row.target === null ? null : [row.target.language, row.target.country].filter(Boolean).join('-'),
    row.language,
    row.length_change === null || row.length_change === 'same' ? null : LENGTH_WORDS[row.length_change],
  ].filter((fact) => fact !== null);
  return (
    <>
      <span className="row-number">{count(row.row)}</span>{' '}
      {row.outcome === null ? null : <State value={row.outcome} />}{' '}
      {row.doubt === null ? null : <DoubtBadge doubt={row.doubt} isShort />}
      <p className="row-reason">{facts.join(' · ')}</p>
    </>
  );
}

/** Columns of a row without a run that are shown in the table. */
const COLUMNS_SHOWN = 5;

function Source({ row }: { readonly row: Row }) {
  return (
    <>
      <div role="gridcell" className="row-facts">
        <span className="row-number">{count(row.row)}</span>
        <p className="row-reason">{row.language}</p>
      </div>
      <div role="gridcell" className="row-side">
        {row.before.slice(0, COLUMNS_SHOWN).map(({ column, text }) => (
          <p key={column} className="row-line" dir="auto">
            <span className="quiet">
              <MarkedText text={column} limit={10} />
            </span>{' '}
            <MarkedText text={text.slice(0, PROMPT_CHARACTERS * 2)} limit={20} />
          </p>
        ))}
      </div>
    </>
  );
}
