import type { BlindKind } from './blind-answers.ts';
import type { BlindCalibration, BlindFigures } from './blind-calibration.ts';

/** How often a witness speaks about a right row, and about a wrong one. */
export interface WitnessRates {
  readonly falseAlarm: number;
  readonly sensitivity: number;
}

/** The rates of blind answers alone, and of those that the critic confirms. */
export interface BlindRates {
  readonly differing: WitnessRates;
  readonly confirmed: WitnessRates;
}

/**
 * The rates of a kind, with half a hit and half a miss more (Jeffreys): those of all kinds together, unless this one is
 * worse. Null without a measurement.
 */
export function blindRates(calibration: BlindCalibration | null, kind: BlindKind): BlindRates | null {
  const kinds = calibration?.kinds ?? {};
  const own = kinds[kind];
  if (own === undefined || own.right === 0 || own.wrong === 0) return null;
  const pooled = Object.values(kinds);
  const rate = (hits: keyof BlindFigures, of: 'right' | 'wrong') => {
    const mean = (some: readonly BlindFigures[]) => (sumOf(some, hits) + 0.5) / (sumOf(some, of) + 1);
    return { pooled: mean(pooled), own: mean([own]), hits: own[hits] };
  };
  const ratesOf = (name: 'differed' | 'confirmed'): WitnessRates => {
    const [alarm, found] = [rate(`right_${name}`, 'right'), rate(`wrong_${name}`, 'wrong')];
    return {
      falseAlarm: alarm.hits === 0 ? alarm.pooled : Math.max(alarm.pooled, alarm.own),
      sensitivity: Math.min(found.pooled, found.own),
    };
  };
  return { differing: ratesOf('differed'), confirmed: ratesOf('confirmed') };
}

const sumOf = (some: readonly BlindFigures[], name: keyof BlindFigures): number =>
  some.reduce((total, figures) => total + figures[name], 0);

/** A model corrects if its critic confirmed an error in none of so many right answers, and so many of the kind agreed. */
export const RIGHT_MIN = 200;
export const RIGHT_OF_KIND_MIN = 20;

/** Whether a model may correct rows of a kind: it spoiled no known answer of any kind. */
export function mayCorrect(calibration: BlindCalibration, kind: BlindKind): boolean {
  const all = Object.values(calibration.kinds);
  return (
    sumOf(all, 'right_confirmed') === 0 &&
    sumOf(all, 'right') >= RIGHT_MIN &&
    (calibration.kinds[kind]?.right ?? 0) >= RIGHT_OF_KIND_MIN
  );
}

/** The probability that a row is wrong after a witness has spoken against it, or not, by the theorem of Bayes. */
export function wrongProbability(
  wrongShare: number,
  differs: boolean,
  { falseAlarm, sensitivity }: WitnessRates,
): number {
  const [ofWrong, ofRight] = differs ? [sensitivity, falseAlarm] : [1 - sensitivity, 1 - falseAlarm];
  return (wrongShare * ofWrong) / (wrongShare * ofWrong + (1 - wrongShare) * ofRight);
}
