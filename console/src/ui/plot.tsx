import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import './plot.css';

/** A line of a plot: a value at each place of the axis, or null where there is none. */
export interface PlotLine {
  readonly label: string;
  /** Name of a colour of the style sheet, such as `--accent`. */
  readonly color: string;
  readonly values: readonly (number | null)[];
  /** Whether each value is a dot: for lines with few values. */
  readonly hasDots?: boolean;
  readonly format: (value: number) => string;
}

const HEIGHT = 240;
const AXIS_WIDTH = 64;

/** Lines over one axis, with a legend that tells the values below the pointer. A table beside it has to say the same. */
export function Plot(props: {
  /** What the plot shows, for people who do not see it. */
  readonly label: string;
  readonly xLabel: string;
  readonly x: readonly number[];
  readonly lines: readonly PlotLine[];
  /** Plots of one name show the same place below the pointer. */
  readonly sync?: string;
}) {
  const { label, x, xLabel, lines, sync } = props;
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(null);
  const theme = useTheme();
  const [at, setAt] = useState<number | null>(null);
  const shape = JSON.stringify(lines.map(({ label: name, color, hasDots }) => [name, color, hasDots]));
  const latest = useRef(props);
  latest.current = props;

  // biome-ignore lint/correctness/useExhaustiveDependencies: values change by setData below; only another shape or theme needs another plot
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const made = new UPlot(
      optionsOf(element, latest.current, sync, setAt),
      dataOf(latest.current.x, latest.current.lines),
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [shape, theme, sync]);

  useEffect(() => {
    plot.current?.setData(dataOf(x, lines));
  }, [x, lines]);

  const place = at === null ? undefined : x[at];
  return (
    <div className="stack plot-stack">
      <p className="line plot-legend">
        {lines.map((line) => {
          const value = at === null ? null : line.values[at];
          return (
            <span key={line.label} className="plot-mark">
              <span
                className={line.hasDots === true ? 'plot-sign plot-sign-dots' : 'plot-sign'}
                style={{ background: `var(${line.color})` }}
              />
              {line.label}
              {value == null ? null : <strong>{line.format(value)}</strong>}
            </span>
          );
        })}
        {place === undefined ? null : (
          <span className="quiet">
            {xLabel} {place}
          </span>
        )}
      </p>
      <div ref={frame} className="plot" role="img" aria-label={label} style={{ minHeight: HEIGHT }} />
    </div>
  );
}

const dataOf = (x: readonly number[], lines: readonly PlotLine[]): UPlot.AlignedData => [
  [...x],
  ...lines.map(({ values }) => [...values]),
];

function optionsOf(
  element: HTMLElement,
  { lines, xLabel }: { readonly lines: readonly PlotLine[]; readonly xLabel: string },
  sync: string | undefined,
  onPlace: (at: number | null) => void,
): UPlot.Options {
  const quiet = colorOf(element, '--quiet');
  const line = colorOf(element, '--line');
  const [first] = lines;
  const axis: UPlot.Axis = {
    stroke: quiet,
    grid: { stroke: line, width: 1 },
    ticks: { stroke: line, width: 1, size: 4 },
    font: '12px system-ui, sans-serif',
    labelFont: '12px system-ui, sans-serif',
  };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    padding: [8, 12, 0, 0],
    legend: { show: false },
    scales: { x: { time: false } },
    axes: [
      { ...axis, label: xLabel, labelSize: 18, size: 32, incrs: WHOLE_STEPS },
      {
        ...axis,
        size: AXIS_WIDTH,
        values: (_, splits) => splits.map((value) => (first === undefined ? '' : first.format(value))),
      },
    ],
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { size: 7 },
      ...(sync === undefined ? {} : { sync: { key: sync } }),
    },
    series: [
      {},
      ...lines.map(({ color, hasDots = false }): UPlot.Series => {
        const stroke = colorOf(element, color);
        return { stroke, width: 2, spanGaps: true, points: { show: hasDots, size: 7, fill: stroke } };
      }),
    ],
    hooks: { setCursor: [({ cursor }) => onPlace(cursor.idx ?? null)] },
  };
}

/** Steps are whole: so are the marks of their axis. */
const WHOLE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000];

/** A colour of the style sheet as a canvas takes it, in the theme that the element has now. */
function colorOf(element: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

const isDark = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)');

/** The theme of the system; renders again when it changes, since a canvas does not. */
function useTheme(): 'dark' | 'light' {
  return useSyncExternalStore(
    (onChange) => {
      const dark = isDark();
      dark.addEventListener('change', onChange);
      return () => dark.removeEventListener('change', onChange);
    },
    () => (isDark().matches ? 'dark' : 'light'),
    () => 'light',
  );
}
