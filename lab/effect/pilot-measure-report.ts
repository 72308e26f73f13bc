import { wilsonInterval } from '#shared/judging/decide/statistics.ts';
import type { Pilot } from '#shared/pilots/schema/pilot.ts';
import { oneLine, table } from './markdown.ts';
import { type MeasuredPilot, PILOT_DATASETS, type Witnessed } from './pilot-measure.ts';

/** Its file in `docs/effect`, without the ending. */
export const MEASURED_PILOTS_REPORT = 'pilots-measured';

const percent = (share: number): string => `${Math.round(share * 100)} %`;
const range = ([low, high]: readonly [number, number]): string => `${percent(low)} to ${percent(high)}`;

/** The report on pilots with a real model, in Markdown. */
export function writeMeasuredPilotsReport(measured: readonly MeasuredPilot[], model: string): string {
  return [
    '# Pilots with a real model',
    `Pilots on the running service with ${model}, three arms each, on held-out rows whose right answers are known. The pilot knows nothing of them: "right before" and "right after" are said by the checkers of the suite. \`npm run effect -- pilots\` against \`npm run local\` measures them again; a dataset that is done is not run again.`,
    ...measured.flatMap((each) => describe(each)),
  ].join('\n\n');
}

function describe({ dataset, seconds, pilot, witnessed }: MeasuredPilot): string[] {
  const says = PILOT_DATASETS[dataset]?.says ?? dataset;
  return [
    `## ${dataset}: ${says}`,
    `${pilot.sample_rows} rows, ${Math.round(seconds / 60)} minutes, ${pilot.credits_charged} ${pilot.credits_charged === 1 ? 'credit' : 'credits'}, ${pilot.status}. ${pilot.recommendation?.reason ?? ''}`,
    tableOfArms(pilot, witnessed),
    rowsThatGotWorse(pilot, witnessed),
  ];
}

const ARMS_HEAD = [
  'Arm',
  'Rows done',
  'Changed',
  'The pilot says: better / worse / undecided',
  'its interval',
  'Truly better / worse',
  '95 % interval',
  'Right before → after',
];

function tableOfArms(pilot: Pilot, witnessed: readonly (readonly Witnessed[])[]): string {
  const lines = pilot.arms.map((arm, index) => {
    const rows = witnessed[index] ?? [];
    const count = (of: (row: Witnessed) => boolean): number => rows.filter(of).length;
    const better = count(({ before, after }) => !before && after);
    const worse = count(({ before, after }) => before && !after);
    const { against_original: said } = arm;
    return [
      arm.name,
      arm.status === 'stopped_early' ? `${arm.rows.done}, stopped` : arm.rows.done,
      arm.rows.changed,
      said === null ? '–' : `${said.better} / ${said.worse} / ${said.undecided}`,
      said?.interval == null ? '–' : range(said.interval),
      `${better} / ${worse}`,
      better + worse === 0 ? '–' : range(wilsonInterval(better / (better + worse), better + worse)),
      `${count(({ before }) => before)} → ${count(({ after }) => after)}`,
    ];
  });
  return table(ARMS_HEAD, lines);
}

const QUOTE_HEAD = ['Arm', 'Row that got worse', 'Original', 'Adapted'];
const CELL_CHARACTERS = 300;

/** Every row that an arm made worse, so that a reader can verify the checkers. */
function rowsThatGotWorse(pilot: Pilot, witnessed: readonly (readonly Witnessed[])[]): string {
  const quoted = witnessed.flatMap((rows, index) =>
    rows
      .filter(({ before, after }) => before && !after)
      .map(({ id, original, adapted }) => [
        `${pilot.arms[index]?.name}`,
        id,
        oneLine(original, CELL_CHARACTERS),
        oneLine(adapted, CELL_CHARACTERS),
      ]),
  );
  return quoted.length === 0 ? 'No row got worse.' : table(QUOTE_HEAD, quoted, QUOTE_HEAD.length);
}
