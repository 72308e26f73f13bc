import { wholePercent } from '../format.ts';
import './doubt.css';
import { type Doubt, doubtTone, doubtWords, witnessWords } from './doubt-words.ts';
import { MarkedText } from './row-text.tsx';

/** How probably a row is wrong, as words and number; the colour repeats them. */
export function DoubtBadge({
  doubt,
  isShort = false,
}: {
  readonly doubt: Pick<Doubt, 'probability'>;
  /** Whether there is room for the number alone. */
  readonly isShort?: boolean;
}) {
  const words = doubtWords(doubt);
  const className = `state state-${doubtTone(doubt)}`;
  return isShort ? (
    <span className={`${className} doubt-short`} title={words}>
      doubt {wholePercent(doubt.probability)}
    </span>
  ) : (
    <span className={`${className} doubt`}>{words}</span>
  );
}

/** What the witnesses say of a row. */
export function DoubtReasons({ reasons }: Pick<Doubt, 'reasons'>) {
  return (
    <ul className="row-notes">
      {reasons.map(({ witness, kind, message }) => (
        <li key={`${witness} ${kind} ${message}`}>
          <strong>{witnessWords(witness)}:</strong> <MarkedText text={message} />
        </li>
      ))}
    </ul>
  );
}
