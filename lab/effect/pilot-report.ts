import { type PilotShares, type SimulatedKind, simulatePilots } from './pilot-simulation.ts';

/** Its file in `docs/effect`, without the ending. */
export const PILOTS_REPORT = 'pilots';

/** Simulated pilots behind each figure: its standard error is at most 0.8 percentage points. */
const PILOTS = 4_000;
const SAMPLES = [30, 60, 120];
const WIN_RATES = [0.6, 0.7, 0.8, 0.9];

/** Who decides the changed rows, and how often the judge is wrong. */
const DECIDERS = {
  judged: {
    title: 'The judge decides every changed row, and is wrong about 10 % of the pairs',
    judgeError: 0.1,
    checked: [0, 0],
  },
  shared: {
    title: 'The checks decide half of the changed rows, and a judge that is wrong about 10 % the others',
    judgeError: 0.1,
    checked: [0.5, 0.5],
  },
  careful: {
    title: 'The judge decides every changed row, and is wrong about 5 % of the pairs',
    judgeError: 0.05,
    checked: [0, 0],
  },
} as const satisfies Record<string, Pick<SimulatedKind, 'judgeError' | 'checked'> & { title: string }>;

/** Win rates of arms that do not help: between these two, or all at the upper one, where errors are most likely. */
const USELESS = [0.35, 0.5] as const;

const NAMES = Object.keys(DECIDERS) as (keyof typeof DECIDERS)[];

/**
 * Simulates the pilots of one cell. `winRate` is that of the best arm; no arm beats the originals if it is `useless`, and
 * all are exactly as good as they are if it is `even`.
 */
export function simulateCell(
  decider: keyof typeof DECIDERS,
  winRate: number | 'useless' | 'even',
  sampleRows: number,
): PilotShares {
  const { judgeError, checked } = DECIDERS[decider];
  const best = typeof winRate === 'number' ? ([winRate, winRate] as const) : null;
  const others = winRate === 'even' ? ([USELESS[1], USELESS[1]] as const) : USELESS;
  return simulatePilots(
    { sampleRows, judgeError, checked, best, others },
    PILOTS,
    `${decider} ${winRate} ${sampleRows}`,
  );
}

/** Bounds of the win rate of an arm that a pilot is expected to find. */
const CLEARLY_BETTER = [0.85, 0.95] as const;

/** Simulates datasets of which half have an arm that is clearly better than the originals, and half have none. */
export function simulateHalves(
  kind: Pick<SimulatedKind, 'sampleRows' | 'judgeError' | 'checked'>,
  datasets: number,
): { readonly right: number; readonly falsely: number } {
  const helping = simulatePilots({ ...kind, best: CLEARLY_BETTER, others: USELESS }, datasets / 2, 'helping');
  const useless = simulatePilots({ ...kind, best: null, others: USELESS }, datasets / 2, 'useless');
  return { right: (helping.right + useless.right) / 2, falsely: useless.wrong };
}

/** The report on simulated pilots, in Markdown. */
export function writePilotsReport(): string {
  return [
    '# Pilots',
    `How often a pilot names the right arm, in simulations of its decisions without a model: ${PILOTS.toLocaleString('en')} pilots for each figure, of 2 to 8 arms that each change 60 to 100 % of the rows. One arm has the true win rate of the line, the others ${USELESS.join(' to ')}. The intervals of all arms hold together with 95 %. \`npm run effect -- pilot-simulation --report ${PILOTS_REPORT}\` simulates them again.`,
    'A pilot of 30 rows mostly finds an arm that wins nine of ten rows. Smaller differences take a larger sample, and the more often the judge is wrong, the larger. It hardly ever recommends an arm that does not help.',
    `Of datasets of which half have an arm with a win rate of ${CLEARLY_BETTER.join(' to ')} and half have none that helps, these shares get the right arm, or none:`,
    halvesTable(),
    ...NAMES.flatMap((decider) => [`## ${DECIDERS[decider].title}`, tableOf(decider)]),
  ].join('\n\n');
}

function halvesTable(): string {
  const samples = [30, 40, 60];
  return [
    `| | ${samples.map((rows) => `${rows} rows`).join(' | ')} |`,
    `| --- | ${samples.map(() => '---:').join(' | ')} |`,
    ...NAMES.map((decider) =>
      line(
        DECIDERS[decider].title,
        samples.map((sampleRows) => simulateHalves({ ...DECIDERS[decider], sampleRows }, 2 * PILOTS).right),
      ),
    ),
  ].join('\n');
}

function line(name: string, cells: readonly number[]): string {
  return `| ${name} | ${cells.map((share) => `${(100 * share).toFixed(1)} %`).join(' | ')} |`;
}

function tableOf(decider: keyof typeof DECIDERS): string {
  const helping = WIN_RATES.map((winRate) => SAMPLES.map((rows) => simulateCell(decider, winRate, rows)));
  const useless = SAMPLES.map((rows) => simulateCell(decider, 'useless', rows));
  const even = SAMPLES.map((rows) => simulateCell(decider, 'even', rows));
  const mean = (of: (cell: PilotShares) => number): number[] =>
    SAMPLES.map((_, at) => helping.reduce((sum, cells) => sum + valueAt(cells, at, of), 0) / helping.length);
  return [
    `| | ${SAMPLES.map((rows) => `${rows} rows`).join(' | ')} |`,
    `| --- | ${SAMPLES.map(() => '---:').join(' | ')} |`,
    ...helping.map((cells, at) =>
      line(
        `win rate ${WIN_RATES[at]?.toFixed(1)}: the best arm is recommended`,
        cells.map(({ right }) => right),
      ),
    ),
    line(
      'one of these four: another arm is recommended',
      mean(({ wrong }) => wrong),
    ),
    line(
      'no arm helps: one is recommended',
      useless.map(({ wrong }) => wrong),
    ),
    line(
      'all arms have a win rate of 0.5: one is recommended',
      even.map(({ wrong }) => wrong),
    ),
  ].join('\n');
}

function valueAt(cells: readonly PilotShares[], at: number, of: (cell: PilotShares) => number): number {
  const cell = cells[at];
  return cell === undefined ? 0 : of(cell);
}
