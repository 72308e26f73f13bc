import type { ReactNode } from 'react';
import type { Schemas } from 'tunesmith';
import './answer-box.css';
import { RowText } from './row-text.tsx';

/** Answers to one row side by side. */
export function AnswerColumns({ children }: { readonly children: ReactNode }) {
  return <div className="columns answer-columns">{children}</div>;
}

/** One of several answers to a row, below its heading. */
export function AnswerBox({ title, children }: { readonly title: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="answer">
      <h4>{title}</h4>
      {children}
    </div>
  );
}

/** A text of which the service may have sent the beginning only, and of rows to a key that may not read these nothing. */
export function CutText({ of: { text, truncated } }: { readonly of: Schemas['CutText'] }) {
  if (text === '' && truncated)
    return <p className="quiet">This key may not read rows: it lacks datasets:read.</p>;
  if (text === '') return <p className="quiet">(empty)</p>;
  return (
    <>
      <RowText text={text} />
      {truncated ? <p className="hint">The text is longer. Its beginning is shown.</p> : null}
    </>
  );
}
