import { wilsonInterval } from '#shared/judging/decide/statistics.ts';
import { estimateWithVerdicts, type VerdictEstimate } from '#shared/judging/decide/verdict-estimate.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { groupBy } from '#shared/platform/group-by.ts';
import { seededRandom } from '#shared/runs/decide/sample-rows.ts';
import type { PairVerdict, ReviewedArm } from '../schema/pair-verdicts.ts';
import type { PilotRow } from '../schema/pilot.ts';

/** Drawn pairs from which on verdicts correct what checks and judge say. */
const DRAWN_MIN = 30;
const NEXT_DEFAULT = 10;
/** Pairs drawn next that count as drawn, also where people skip some, or several look at once. */
const AHEAD = 20;

/** What the pilot says of a pair, as the probability that the arm wins. */
const PREDICTIONS = { better: 1, undecided: 0.5, worse: 0 } as const;
const VALUES: Readonly<Record<PairVerdict['verdict'], number>> = { better: 1, same: 0.5, worse: 0 };

interface Pair {
  readonly row: number;
  readonly predicted: number;
}

/**
 * Win rates of the arms of a pilot by what people say of pairs: verdicts on few correct what checks and judge say of all, as in
 * a review of rows. Only pairs that were drawn at random tell of the others; those that people chose bound the rate.
 *
 * @throws {ServiceError} `invalid_request` for a verdict on no pair, or a second one of a person
 */
export function reviewPairs(
  pilotId: string,
  arms: readonly number[],
  rows: readonly PilotRow[],
  {
    verdicts,
    next = NEXT_DEFAULT,
  }: { readonly verdicts: readonly PairVerdict[]; readonly next?: number | undefined },
): ReviewedArm[] {
  const pairsOf = new Map(arms.map((arm) => [arm, orderedPairs(pilotId, arm, rows)]));
  requireVerdicts(verdicts, pairsOf);
  const saidOf = groupBy(verdicts, ({ arm }) => arm);
  return arms.map((arm) => reviewArm(arm, pairsOf.get(arm) ?? [], saidOf.get(arm) ?? [], next));
}

/** The rows that an arm changed and that were compared, in an order that is drawn at random, and always the same. */
function orderedPairs(pilotId: string, arm: number, rows: readonly PilotRow[]): Pair[] {
  const random = seededRandom(`pairs ${pilotId} ${arm}`);
  return rows
    .flatMap(({ row, answers }): Pair[] => {
      const answer = answers.find((each) => each.arm === arm);
      const verdict = answer?.verdict ?? 'same';
      return answer?.outcome === 'changed' && verdict !== 'same'
        ? [{ row, predicted: PREDICTIONS[verdict] }]
        : [];
    })
    .map((pair) => ({ pair, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ pair }) => pair);
}

function requireVerdicts(
  verdicts: readonly PairVerdict[],
  pairsOf: ReadonlyMap<number, readonly Pair[]>,
): void {
  const known = new Set([...pairsOf].flatMap(([arm, pairs]) => pairs.map(({ row }) => `${arm} ${row}`)));
  const said = new Set<string>();
  for (const [at, { arm, row, reviewer = '' }] of verdicts.entries()) {
    if (!known.has(`${arm} ${row}`)) {
      throw invalidField(
        `verdicts.${at}.row`,
        `is no row that arm ${arm} changed and whose answers were compared; next names such rows`,
      );
    }
    const name = `${arm} ${row} ${reviewer}`;
    if (said.has(name)) {
      throw invalidField(`verdicts.${at}`, 'is the second verdict of the same reviewer on this pair');
    }
    said.add(name);
  }
}

function reviewArm(
  arm: number,
  pairs: readonly Pair[],
  verdicts: readonly PairVerdict[],
  next: number,
): ReviewedArm {
  const valuesOf = new Map(
    [...groupBy(verdicts, ({ row }) => row)].map(([row, said]) => [
      row,
      said.map(({ verdict }) => VALUES[verdict]),
    ]),
  );
  const ahead = valuesOf.size + AHEAD;
  const drawn = new Map<number, number[]>();
  const chosen: number[][] = [];
  for (const [place, { row }] of pairs.entries()) {
    const values = valuesOf.get(row);
    if (values === undefined) continue;
    if (place < ahead) drawn.set(place, values);
    else chosen.push(values);
  }
  const needed = Math.min(DRAWN_MIN, pairs.length);
  const estimate =
    drawn.size < needed
      ? null
      : estimateWithVerdicts({
          predictions: pairs.map(({ predicted }) => predicted),
          verdicts: drawn,
          seen: { looked: chosen.length, lookedRight: chosen.reduce((sum, values) => sum + mean(values), 0) },
        });
  return {
    arm,
    pairs: pairs.length,
    verdicts: valuesOf.size,
    drawn: drawn.size,
    missing: Math.max(0, needed - drawn.size),
    disputed: [...valuesOf.values()].filter((values) => values.some((each) => each !== values[0])).length,
    result: estimate === null ? null : { ...roundedRate(estimate), ...comparedOf(estimate) },
    agreement: agreementOf(pairs, valuesOf),
    next: pairs
      .filter(({ row }) => !valuesOf.has(row))
      .slice(0, next)
      .map(({ row }) => row),
  };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, each) => sum + each, 0) / values.length;

const roundedRate = ({
  mean: rate,
  interval95: [low, high],
}: Pick<VerdictEstimate, 'mean' | 'interval95'>) => ({
  win_rate: thousandths(rate),
  interval: [thousandths(low), thousandths(high)] as [number, number],
});

const comparedOf = ({ verdictsAlone, interval95: [low] }: VerdictEstimate) => ({
  verdicts_alone: roundedRate(verdictsAlone),
  is_better: low > 0.5,
});

/** How often people agree with what checks and judge had decided. */
function agreementOf(
  pairs: readonly Pair[],
  valuesOf: ReadonlyMap<number, readonly number[]>,
): ReviewedArm['agreement'] {
  let [decided, agreed] = [0, 0];
  for (const { row, predicted } of pairs) {
    const values = valuesOf.get(row);
    if (values === undefined || predicted === PREDICTIONS.undecided || mean(values) === VALUES.same) continue;
    decided += 1;
    if (mean(values) > VALUES.same === predicted > PREDICTIONS.undecided) agreed += 1;
  }
  if (decided === 0) return null;
  const [low, high] = wilsonInterval(agreed / decided, decided);
  return {
    pairs: decided,
    share: thousandths(agreed / decided),
    interval: [thousandths(low), thousandths(high)],
  };
}

const thousandths = (value: number): number => Math.round(value * 1000) / 1000;
