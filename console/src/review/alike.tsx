import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { count, plural } from '../format.ts';
import { DiffText } from '../rows/diff-text.tsx';
import { type DiffPiece, diffWords, excerptOf, QUICK } from '../rows/word-diff.ts';
import { Dialog } from '../ui/parts.tsx';
import { MarkedText } from '../ui/row-text.tsx';
import { Key } from './action-bar.tsx';
import type { AlikeRow } from './contract.ts';
import { whyWords } from './words.ts';

/** Rows with the same defect as one that was mended. */
export interface Offer {
  /** The mended row. */
  readonly row: number;
  readonly rows: readonly AlikeRow[];
  /** Whether there are no others. */
  readonly isComplete: boolean;
}

/** Characters of a compared text that a row of the list shows. */
const SHOWN_CHARACTERS = 400;
const PROMPT_CHARACTERS = 160;

/** Compared once: the list is drawn anew with each choice. */
const compared = new WeakMap<AlikeRow, readonly DiffPiece[]>();

function piecesOf(row: AlikeRow): readonly DiffPiece[] {
  const known = compared.get(row);
  if (known !== undefined) return known;
  const pieces = excerptOf(diffWords(row.completion, row.proposal, QUICK).pieces, SHOWN_CHARACTERS);
  compared.set(row, pieces);
  return pieces;
}

/** Share of a row that has to be in sight for it to count as shown. */
const SHOWN_SHARE = 0.6;

/** The rows of a list that have been in sight since it was opened. */
function useShown(list: RefObject<HTMLUListElement | null>): ReadonlySet<number> {
  const [shown, setShown] = useState<ReadonlySet<number>>(new Set());
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const rows = entries
          .filter(({ isIntersecting }) => isIntersecting)
          .map(({ target }) => Number((target as HTMLElement).dataset.row));
        if (rows.length > 0) setShown((before) => new Set([...before, ...rows]));
      },
      { threshold: SHOWN_SHARE },
    );
    for (const item of list.current?.children ?? []) observer.observe(item);
    return () => observer.disconnect();
  }, [list]);
  return shown;
}

/**
 * The rows alike with what the same edit makes of each, to accept all, some or none of them. By keyboard: arrows move, space
 * chooses, Enter accepts those that are chosen, Escape none. A accepts all once all were in sight, and until then shows the next ones.
 */
export function AlikeDialog({
  offer: { row, rows, isComplete },
  onAccept,
  onClose,
}: {
  readonly offer: Offer;
  readonly onAccept: (accepted: readonly AlikeRow[]) => void;
  readonly onClose: () => void;
}) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const list = useRef<HTMLUListElement>(null);
  const shown = useShown(list);
  const left = rows.filter((each) => !shown.has(each.row));
  const accepted = rows.filter((each) => chosen.has(each.row));
  const acceptAll = (): void => {
    const [next] = left;
    if (next === undefined) {
      onAccept(rows);
      return;
    }
    const item = list.current?.children[rows.indexOf(next)];
    item?.querySelector('input')?.focus({ preventScroll: true });
    item?.scrollIntoView({ block: 'start' });
  };
  const move = (by: 1 | -1): void => {
    const boxes = [...(list.current?.querySelectorAll('input') ?? [])];
    const at = boxes.indexOf(document.activeElement as HTMLInputElement);
    boxes[Math.min(Math.max(0, at + by), boxes.length - 1)]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isOnButton = event.target instanceof HTMLButtonElement;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key.toLowerCase() === 'a' && !event.repeat) acceptAll();
    else if (event.key === 'Enter' && !isOnButton && accepted.length > 0) onAccept(accepted);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={`${plural(rows.length, 'row')} alike`} isWide onClose={onClose}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its controls have the focus, and their keys come here */}
      <div className="stack" onKeyDown={onKeyDown}>
        <p>
          {rows.length === 1 ? 'This row has' : 'These rows have'} the same defect as row {count(row)}. Each
          shows what the same edit makes of it.
          {isComplete ? null : ' There are more: mend another one, and they are offered then.'}
        </p>
        <ul className="review-alike" ref={list}>
          {rows.map((each) => (
            <AlikeItem
              key={each.row}
              of={each}
              isChosen={chosen.has(each.row)}
              onChoose={(isChosen) => {
                const changed = new Set(chosen);
                if (isChosen) changed.add(each.row);
                else changed.delete(each.row);
                setChosen(changed);
              }}
            />
          ))}
        </ul>
        <div className="dialog-foot review-alike-foot">
          <button type="button" onClick={onClose}>
            None <Key name="Esc" />
          </button>
          <button
            type="button"
            aria-disabled={accepted.length === 0}
            onClick={() => {
              if (accepted.length > 0) onAccept(accepted);
            }}
          >
            Accept {accepted.length === 0 ? 'the chosen ones' : count(accepted.length)} <Key name="Enter" />
          </button>
          <button type="button" className="primary" onClick={acceptAll}>
            {left.length === 0 ? `Accept all ${count(rows.length)}` : `See ${count(left.length)} more`}{' '}
            <Key name="A" />
          </button>
        </div>
      </div>
    </Dialog>
  );
}

function AlikeItem({
  of,
  isChosen,
  onChoose,
}: {
  readonly of: AlikeRow;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
}) {
  return (
    <li data-row={of.row}>
      <label>
        <input type="checkbox" checked={isChosen} onChange={(event) => onChoose(event.target.checked)} />
        <span className="review-alike-text">
          <strong>Row {count(of.row)}</strong> <span className="quiet">{whyWords(of.why)}</span>
          {of.prompt === null ? null : (
            <span className="row-prompt" dir="auto">
              <MarkedText text={of.prompt.slice(0, PROMPT_CHARACTERS)} limit={20} />
            </span>
          )}
          <span className="text" dir="auto">
            <DiffText pieces={piecesOf(of)} />
          </span>
        </span>
      </label>
    </li>
  );
}
