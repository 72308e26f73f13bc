import { useState } from 'react';
import type { Schemas } from 'tunesmith';
import { plural } from '../format.ts';
import { hrefOf } from '../route.ts';
import { Section, State } from '../ui/parts.tsx';
import { RowText } from '../ui/row-text.tsx';

type Pair = Schemas['AnswerPair'];
type Shown = 'all' | 'win' | 'loss' | 'tie';

const VERDICTS = {
  win: { tone: 'succeeded', label: 'trained is better' },
  loss: { tone: 'failed', label: 'base is better' },
  tie: { tone: 'pending', label: 'neither is better' },
} as const;

/** Answers of base and trained model to held-out rows, side by side. */
export function Answers({
  pairs,
  datasetId,
}: {
  readonly pairs: readonly Pair[];
  readonly datasetId: string;
}) {
  const [shown, setShown] = useState<Shown>('all');
  const chosen = pairs.filter(({ verdict }) => shown === 'all' || verdict === shown);
  return (
    <Section
      title="Answers to held-out rows"
      note="Neither model was trained on these rows. The same rows are shown for every iteration."
      actions={
        <select
          aria-label="Which answers"
          className="narrow"
          value={shown}
          onChange={(event) => setShown(event.target.value as Shown)}
        >
          <option value="all">All answers</option>
          {Object.entries(VERDICTS).map(([verdict, { label }]) => (
            <option key={verdict} value={verdict}>
              {label}
            </option>
          ))}
        </select>
      }
    >
      <p className="hint" role="status">
        {chosen.length === pairs.length
          ? plural(pairs.length, 'row')
          : `${chosen.length} of ${plural(pairs.length, 'row')}`}
      </p>
      {chosen.map((pair) => (
        <article key={pair.row} className="card stack" aria-label={`Row ${pair.row}`}>
          <div className="section-head">
            <h3>
              <a href={hrefOf(['datasets', datasetId, 'rows'], { row: pair.row })}>Row {pair.row}</a>
            </h3>
            {pair.verdict === null ? null : (
              <State value={VERDICTS[pair.verdict].tone} label={VERDICTS[pair.verdict].label} />
            )}
          </div>
          <Cut of={pair.prompt} />
          <div className="columns answer-columns">
            <Answer title="Base model" of={pair.base} />
            <Answer title="Trained model" of={pair.trained} />
            <Answer title="Answer of the dataset" of={pair.reference} />
          </div>
        </article>
      ))}
    </Section>
  );
}

function Answer({ title, of }: { readonly title: string; readonly of: Schemas['CutText'] }) {
  return (
    <div className="answer">
      <h4>{title}</h4>
      <Cut of={of} />
    </div>
  );
}

function Cut({ of: { text, truncated } }: { readonly of: Schemas['CutText'] }) {
  if (text === '') return <p className="quiet">(empty)</p>;
  return (
    <>
      <RowText text={text} />
      {truncated ? <p className="hint">The text is longer. Its beginning is shown.</p> : null}
    </>
  );
}
