import type { ReactNode } from 'react';
import { count } from '../format.ts';
import { hrefOf } from '../route.ts';
import { Conversation } from '../rows/conversation.tsx';
import { Differences } from '../rows/differences.tsx';
import { THOROUGH } from '../rows/word-diff.ts';
import { DoubtBadge, DoubtReasons } from '../ui/doubt.tsx';
import { State } from '../ui/parts.tsx';
import type { Seen } from './review-list.ts';
import { givenWords } from './words.ts';

const GIVEN_TONES = { right: 'succeeded', wrong: 'failed', mended: 'changed' } as const;

/** The row that is looked at: what is asked, what is answered and proposed, and who doubts it why. */
export function RowCard({
  datasetId,
  seen: { row, given, isSkipped, isStale },
  children,
}: {
  readonly datasetId: string;
  readonly seen: Seen;
  /** What stands between the row and its end: the editor. */
  readonly children?: ReactNode;
}) {
  return (
    <article className="card row-complete" aria-label={`Row ${count(row.row)}`}>
      <div className="line">
        <h2>
          <a href={hrefOf(['datasets', datasetId, 'rows'], { row: row.row })}>Row {count(row.row)}</a>
        </h2>
        {row.doubt === null ? (
          <span className="state doubt">nobody doubts it</span>
        ) : (
          <DoubtBadge doubt={row.doubt} />
        )}
        {given === null ? null : (
          <State value={GIVEN_TONES[given.verdict]} label={`your verdict: ${givenWords(given)}`} />
        )}
        {isSkipped && given === null ? <State value="pending" label="skipped" /> : null}
        {isStale ? <State value="cancelled" label="changed since you saw it" /> : null}
      </div>
      {row.doubt === null || row.doubt.reasons.length === 0 ? null : (
        <section className="row-part" aria-label="What the witnesses say">
          <DoubtReasons reasons={row.doubt.reasons} />
        </section>
      )}
      {row.drawn_as === 'audit' ? (
        <p className="hint">Drawn at random: verdicts on such rows make the grade of the dataset honest.</p>
      ) : null}
      <section className="row-part">
        <h3>Prompt</h3>
        <TextOrNone text={row.prompt} />
      </section>
      <Answers row={row} given={given} />
      {children}
    </article>
  );
}

function TextOrNone({ text }: { readonly text: string | null }) {
  return text === null ? <p className="quiet">None</p> : <Conversation text={text} />;
}

function Answers({ row, given }: Pick<Seen, 'row' | 'given'>) {
  const { original, completion, proposal } = row;
  const mended = given?.completion ?? null;
  const other = mended ?? proposal;
  const isChanged = original !== completion;
  const byRun = (
    <Differences
      before={original ?? ''}
      after={completion ?? ''}
      bounds={THOROUGH}
      labels={['Source', 'Answer now']}
    />
  );
  return (
    <section className="row-part">
      <h3>Answer</h3>
      {other !== null && other !== completion ? (
        <Differences
          before={completion ?? ''}
          after={other}
          bounds={THOROUGH}
          labels={['Answer now', mended === null ? 'Proposal' : 'Your answer']}
        />
      ) : isChanged ? (
        byRun
      ) : (
        <TextOrNone text={completion} />
      )}
      {isChanged && other !== null && other !== completion ? (
        <details>
          <summary>What the run has changed</summary>
          {byRun}
        </details>
      ) : null}
    </section>
  );
}
