import { useState } from 'react';
import { plural } from '../format.ts';
import { hrefOf } from '../route.ts';
import { AnswerBox, AnswerColumns, CutText } from '../ui/answer-box.tsx';
import { Section, State } from '../ui/parts.tsx';
import { answersOf, type ComparedAnswers, type SeedAnswers, type Shown, VERDICTS } from './shown-answers.ts';

/** The answers of the three models to held-out prompts, side by side, for one seed. */
export function Answers({
  answers,
  datasetId,
}: {
  readonly answers: readonly ComparedAnswers[];
  readonly datasetId: string;
}) {
  const [shown, setShown] = useState<Shown>('all');
  const [asked, setAsked] = useState(1);
  const seeds = [...new Set(answers.flatMap(({ by_seed }) => by_seed.map(({ seed }) => seed)))];
  const seed = seeds.includes(asked) ? asked : (seeds[0] ?? asked);
  const chosen = answersOf(answers, seed, shown);
  return (
    <Section
      title="Answers to held-out prompts"
      note="No model was trained on these prompts. The same prompts are shown for every seed."
      actions={
        <div className="line">
          {seeds.length < 2 ? null : (
            <select
              aria-label="Answers of which seed"
              className="narrow"
              value={seed}
              onChange={(event) => setAsked(Number(event.target.value))}
            >
              {seeds.map((each) => (
                <option key={each} value={each}>
                  Seed {each}
                </option>
              ))}
            </select>
          )}
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
        </div>
      }
    >
      <p className="hint" role="status">
        {chosen.length === answers.length
          ? plural(answers.length, 'prompt')
          : `${chosen.length} of ${plural(answers.length, 'prompt')}`}
      </p>
      {chosen.map(({ of, answer }) => (
        <OnePrompt key={of.row} of={of} answer={answer} datasetId={datasetId} />
      ))}
    </Section>
  );
}

function OnePrompt({
  of: { row, prompt, reference, base },
  answer,
  datasetId,
}: {
  readonly of: ComparedAnswers;
  readonly answer: SeedAnswers | null;
  readonly datasetId: string;
}) {
  return (
    <article className="card stack" aria-label={`Row ${row}`}>
      <div className="section-head">
        <h3>
          <a href={hrefOf(['datasets', datasetId, 'rows'], { row })}>Row {row}</a>
        </h3>
        {answer?.better == null ? null : (
          <State value={VERDICTS[answer.better].tone} label={VERDICTS[answer.better].label} />
        )}
      </div>
      <CutText of={prompt} />
      <AnswerColumns>
        <AnswerBox title="Base model">
          <CutText of={base} />
        </AnswerBox>
        <AnswerBox title="Trained on original rows">
          {answer === null ? <p className="quiet">not trained yet</p> : <CutText of={answer.original} />}
        </AnswerBox>
        <AnswerBox title="Trained on adapted rows">
          {answer?.adapted == null ? (
            <p className="quiet">not trained yet</p>
          ) : (
            <CutText of={answer.adapted} />
          )}
        </AnswerBox>
        <AnswerBox title="Original answer">
          <CutText of={reference} />
        </AnswerBox>
      </AnswerColumns>
    </article>
  );
}
