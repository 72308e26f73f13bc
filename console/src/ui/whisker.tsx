import { percent } from '../format.ts';
import './whisker.css';

const across = (share: number): string => `${share * 100}%`;

/** The axis above whiskers, from 0 to 100 %. What it shows stands in the head of the table too. */
export function WhiskerScale({ target = null }: { readonly target?: number | null }) {
  return (
    <div className="whisker whisker-scale" aria-hidden="true">
      <span style={{ left: across(0.5) }}>50 %</span>
      {target === null || Math.abs(target - 0.5) < 0.12 ? null : (
        <span style={{ left: across(target) }}>{percent(target)}</span>
      )}
    </div>
  );
}

/**
 * A share as a dot with its interval as a line, on an axis from 0 to 100 % with a mark at one half. A text beside it says
 * the same.
 */
export function Whisker(props: {
  /** Null without a value. */
  readonly value: number | null;
  readonly interval: readonly [number, number] | null;
  /** A share to reach, as a dashed line. */
  readonly target?: number | null;
}) {
  const { value, interval, target = null } = props;
  return (
    <svg className="whisker" aria-hidden="true" width="100%" height="28">
      <title>Win rate</title>
      <line className="whisker-axis" x1="0" x2="100%" y1="14" y2="14" />
      <line className="whisker-even" x1="50%" x2="50%" y1="2" y2="26" />
      {target === null ? null : (
        <line className="whisker-target" x1={across(target)} x2={across(target)} y1="0" y2="28" />
      )}
      {interval === null ? null : (
        <>
          <line
            className="whisker-interval"
            x1={across(interval[0])}
            x2={across(interval[1])}
            y1="14"
            y2="14"
          />
          {interval.map((end, side) => (
            <line
              key={side === 0 ? 'low' : 'high'}
              className="whisker-interval"
              x1={across(end)}
              x2={across(end)}
              y1="9"
              y2="19"
            />
          ))}
        </>
      )}
      {value === null ? null : <circle className="whisker-dot" cx={across(value)} cy="14" r="5" />}
    </svg>
  );
}
