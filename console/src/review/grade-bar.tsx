import type { ReviewGrade } from './contract.ts';
import { gradeWords } from './words.ts';

/** The best score. */
const SCORE_MAX = 10;

const across = (score: number): string => `${(Math.min(Math.max(score, 0), SCORE_MAX) / SCORE_MAX) * 100}%`;

function Interval({
  of: [low, high],
  name,
}: {
  readonly of: readonly [number, number];
  readonly name: string;
}) {
  const width = `${((Math.min(high, SCORE_MAX) - Math.max(low, 0)) / SCORE_MAX) * 100}%`;
  return <span className={`review-${name}`} style={{ left: across(low), width }} />;
}

/** The grade of the dataset with its interval, which narrows as verdicts come in, as a bar and as text. */
export function GradeBar({ grade }: { readonly grade: ReviewGrade | null }) {
  if (grade === null) {
    return (
      <p className="hint">There is no grade yet: it comes with an adaptation, or with enough verdicts.</p>
    );
  }
  const { now, note } = gradeWords(grade);
  return (
    <div className="review-grade">
      <p>
        <strong>{now}</strong>
      </p>
      <div className="review-axis" aria-hidden="true">
        {grade.without_verdicts === null ? null : (
          <Interval name="without" of={grade.without_verdicts.score_interval} />
        )}
        <Interval name="interval" of={grade.score_interval} />
        <span className="review-score" style={{ left: across(grade.score) }} />
      </div>
      <div className="review-ends hint" aria-hidden="true">
        <span>0</span>
        <span>5</span>
        <span>10</span>
      </div>
      <p className="hint">{note}</p>
    </div>
  );
}
