import { useId } from 'react';
import { number } from '../format.ts';
import type { Interval } from './raw-results.ts';
import { binsOf, placeOn, type Scale } from './scales.ts';

export interface Whisker {
  readonly label: string;
  readonly value: number;
  readonly interval: Interval | null;
  readonly tone?: 'quiet' | 'accent' | 'good' | 'bad';
}

const LINE_HEIGHT = 48;
const LABEL_HEIGHT = 18;
const AXIS_HEIGHT = 24;
/** Room at both sides, in percent of the width: widths are percentages, so that letters keep their size. */
const MARGIN = 3;

const across = (share: number): string => `${MARGIN + share * (100 - 2 * MARGIN)}%`;

/** Values as dots with their 95 % intervals as lines, on one axis. Each value stands above its line as text. */
export function Whiskers(props: {
  readonly title: string;
  readonly scale: Scale;
  readonly of: readonly Whisker[];
  /** Marks of the axis. */
  readonly ticks: readonly { readonly at: number; readonly label: string }[];
  readonly unit?: string;
}) {
  const { title, scale, of, ticks, unit = '' } = props;
  const height = of.length * LINE_HEIGHT + AXIS_HEIGHT;
  const x = (value: number): string => across(placeOn(scale, value));
  const id = useId();
  const said = of.map((each) => `${each.label}: ${withInterval(each, unit)}`).join('. ');
  return (
    <svg height={height} role="img" aria-labelledby={`${id}-title ${id}-said`} className="chart">
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-said`}>{said}</desc>
      {ticks.map(({ at, label }) => (
        <g key={at}>
          <line className="chart-grid" x1={x(at)} x2={x(at)} y1={0} y2={height - AXIS_HEIGHT} />
          <text className="chart-tick" x={x(at)} y={height - 6} textAnchor="middle">
            {label}
          </text>
        </g>
      ))}
      {of.map((each, index) => {
        const { label, value, interval, tone = 'accent' } = each;
        const top = index * LINE_HEIGHT;
        const y = top + LABEL_HEIGHT + 12;
        return (
          <g key={label} className={`chart-${tone}`}>
            <text className="chart-label" x={0} y={top + 13}>
              <tspan className="chart-name">{label}</tspan> {withInterval(each, unit)}
            </text>
            {interval === null ? null : (
              <>
                <line className="chart-whisker" x1={x(interval[0])} x2={x(interval[1])} y1={y} y2={y} />
                {interval.map((end, side) => (
                  <line
                    key={side === 0 ? 'low' : 'high'}
                    className="chart-whisker"
                    x1={x(end)}
                    x2={x(end)}
                    y1={y - 5}
                    y2={y + 5}
                  />
                ))}
              </>
            )}
            <circle className="chart-dot" cx={x(value)} cy={y} r={5} />
          </g>
        );
      })}
    </svg>
  );
}

/** `8.1 (95 %: 7.2 to 8.9)` */
export function withInterval(
  { value, interval }: { readonly value: number; readonly interval: Interval | null },
  unit = '',
): string {
  const text = `${number(value)}${unit}`;
  return interval === null ? text : `${text} (95 %: ${number(interval[0])} to ${number(interval[1])}${unit})`;
}

const BAR_HEIGHT = 110;

/** How often which score occurs, before above after, in ten bins from 0 to 10. */
export function Histogram(props: {
  readonly title: string;
  readonly label: string;
  readonly scores: readonly number[];
  readonly tone: NonNullable<Whisker['tone']>;
  /** Rows of the highest bar, so that two drawings can be compared. */
  readonly most: number;
}) {
  const { title, label, scores, tone, most } = props;
  const bins = binsOf(scores);
  const id = useId();
  const said = bins.map((rows, bin) => `${bin} to ${bin + 1}: ${rows}`).join(', ');
  return (
    <svg
      height={BAR_HEIGHT + AXIS_HEIGHT}
      role="img"
      aria-labelledby={`${id}-title ${id}-said`}
      className={`chart chart-${tone}`}
    >
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-said`}>Rows by score, {said}</desc>
      <text className="chart-label" x={0} y={13}>
        <tspan className="chart-name">{label}</tspan>
      </text>
      {bins.map((rows, bin) => {
        const height = most === 0 ? 0 : (rows / most) * (BAR_HEIGHT - 36);
        return (
          // A bin is its place.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <g key={bin}>
            <rect
              className="chart-bar"
              x={across((bin + 0.08) / bins.length)}
              y={BAR_HEIGHT - height}
              width={`${(0.84 / bins.length) * (100 - 2 * MARGIN)}%`}
              height={height}
            />
            {rows === 0 ? null : (
              <text
                className="chart-tick"
                x={across((bin + 0.5) / bins.length)}
                y={BAR_HEIGHT - height - 4}
                textAnchor="middle"
              >
                {rows}
              </text>
            )}
            <text
              className="chart-tick"
              x={across(bin / bins.length)}
              y={BAR_HEIGHT + 18}
              textAnchor="middle"
            >
              {bin}
            </text>
          </g>
        );
      })}
      <line className="chart-grid" x1={across(0)} x2={across(1)} y1={BAR_HEIGHT} y2={BAR_HEIGHT} />
      <text className="chart-tick" x={across(1)} y={BAR_HEIGHT + 18} textAnchor="middle">
        {bins.length}
      </text>
    </svg>
  );
}
