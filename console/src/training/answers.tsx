import { useState } from 'react';
import type { Schemas } from 'tunesmith';
import { plural } from '../format.ts';
import { hrefOf } from '../route.ts';
import { AnswerBox, AnswerColumns, CutText } from '../ui/answer-box.tsx';
import { Section, State } from '../ui/parts.tsx';

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
          <CutText of={pair.prompt} />
          <AnswerColumns>
            <AnswerBox title="Base model">
              <CutText of={pair.base} />
            </AnswerBox>
            <AnswerBox title="Trained model">
              <CutText of={pair.trained} />
            </AnswerBox>
            <AnswerBox title="Answer of the dataset">
              <CutText of={pair.reference} />
            </AnswerBox>
          </AnswerColumns>
        </article>
      ))}
    </Section>
  );
}
