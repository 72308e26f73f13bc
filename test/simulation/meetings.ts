import type { Cloud } from './cloud.ts';
import type { SimulatedProcess } from './world-clock.ts';

interface Standing {
  readonly owner: SimulatedProcess | undefined;
  readonly keys: ReadonlySet<string>;
  /** Writes that it lets pass yet. */
  passing: number;
  goOn(): void;
}

/** Writes of one of its things that a process lets pass before it goes on with the next one. */
const PASSING = [0, 0, 0, 1, 2] as const;

/**
 * Lets two requests for one item, or object, meet. A process stands still before its request, as one does that the
 * host freezes, until another process is about to write one of the same things, now and then the second or third time, or for a while: what both have decided by is then what
 * was true before either. Races that ordinary latencies bring about once in thousands of simulations so come about in each.
 */
export class Meetings {
  readonly #standing = new Set<Standing>();
  private readonly cloud: Pick<Cloud, 'clock' | 'random'>;
  private readonly standingMilliseconds: number;
  /** Called with each process that begins to stand still. */
  onStanding: (owner: SimulatedProcess | undefined) => void = () => {};

  /** @param standingMilliseconds for which a process stands still that nobody meets, on average */
  constructor(cloud: Pick<Cloud, 'clock' | 'random'>, standingMilliseconds: number) {
    this.cloud = cloud;
    this.standingMilliseconds = standingMilliseconds;
  }

  /** Tells those who stand still before a request for one of these that a write of it comes. */
  arrive(keys: readonly string[]): void {
    for (const standing of [...this.#standing]) {
      if (!keys.some((key) => standing.keys.has(key))) continue;
      standing.passing -= 1;
      if (standing.passing >= 0) continue;
      this.#standing.delete(standing);
      if (standing.owner?.isAlive !== false) standing.goOn();
    }
  }

  /** Whether a process stands still before a request for something that has this in its name. */
  isStanding(name: string): boolean {
    const alive = [...this.#standing].filter(({ owner }) => owner?.isAlive !== false);
    return alive.some(({ keys }) => [...keys].some((key) => key.includes(name)));
  }

  /** Stands still before a request for these. */
  async stand(keys: readonly string[]): Promise<void> {
    const { clock, random } = this.cloud;
    const meeting = new AbortController();
    const standing = {
      owner: clock.current(),
      keys: new Set(keys),
      passing: random.pick(PASSING),
      goOn: () => meeting.abort(MET),
    };
    this.#standing.add(standing);
    this.onStanding(standing.owner);
    await clock.sleep(random.wait(this.standingMilliseconds), meeting.signal).catch((error: unknown) => {
      if (error !== MET) throw error;
    });
    this.#standing.delete(standing);
  }
}

const MET = Symbol('met');
