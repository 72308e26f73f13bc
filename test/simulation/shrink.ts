import { FAULT_KINDS } from './faults.ts';
import type { Globals } from './patch-globals.ts';
import { type SimulationOptions, type SimulationResult, simulate } from './simulation.ts';

/** What is left of a failing simulation: it breaks the same invariant. */
export interface Shrunk {
  readonly options: SimulationOptions;
  readonly result: SimulationResult;
  /** Simulations that it took. */
  readonly tried: number;
}

/**
 * Makes a failing simulation smaller while it breaks the same invariant: leaves out whole kinds of people and of faults, then teams and people,
 * then halves of the single faults that struck, then single ones.
 * @param triesMax simulations at most
 */
export async function shrink(
  globals: Globals,
  failing: SimulationResult,
  given: SimulationOptions,
  triesMax: number,
): Promise<Shrunk> {
  let best: Shrunk = { options: given, result: failing, tried: 0 };
  let tried = 0;
  const fails = async (options: SimulationOptions): Promise<boolean> => {
    if (tried >= triesMax) return false;
    tried += 1;
    const result = await simulate(globals, options);
    if (result.violation?.invariant !== failing.violation?.invariant) return false;
    best = { options, result, tried };
    return true;
  };
  const usedKinds = (): string[] => {
    const seen = new Set(best.result.faults.map(({ kind }) => kind));
    const left = [...best.result.kinds, ...FAULT_KINDS.filter((kind) => seen.has(kind))];
    return left.filter((kind) => best.options.without?.includes(kind) !== true);
  };

  for (const kind of usedKinds()) {
    await fails({ ...best.options, without: [...(best.options.without ?? []), kind] });
  }
  for (const teams of [1, 2]) {
    if (teams < (best.options.teams ?? 3) && (await fails({ ...best.options, teams }))) break;
  }
  for (const people of [1, 2]) {
    if (people < (best.options.people ?? 3) && (await fails({ ...best.options, people }))) break;
  }
  for (
    let size = Math.ceil(best.result.faults.length / 2);
    size >= 1 && tried < triesMax;
    size = Math.floor(size / 2)
  ) {
    for (let from = 0; from < best.result.faults.length; from += size) {
      const { skipped = new Set<number>() } = best.options;
      const part = best.result.faults.slice(from, from + size).map(({ number }) => number);
      const isNew = part.some((number) => !skipped.has(number));
      if (isNew) await fails({ ...best.options, skipped: new Set([...skipped, ...part]) });
    }
  }
  return { ...best, tried };
}
