import type { Cloud } from './cloud.ts';
import type { SimulatedProcess } from './world-clock.ts';

/** For which a process stands still at most, on average, if nobody else writes. */
const STANDING_MILLISECONDS = 15_000;

interface Standing {
  readonly owner: SimulatedProcess | undefined;
  readonly keys: ReadonlySet<string>;
  goOn(): void;
}

/**
 * Lets two requests for one item, or object, meet. A process stands still before its request, as one does that the
 * host freezes, until another process is about to write one of the same things, or for a while: what both have decided by is then what
 * was true before either. Races that ordinary latencies bring about once in thousands of simulations so come about in each.
 */
export class Meetings {
  readonly #standing = new Set<Standing>();
  private readonly cloud: Pick<Cloud, 'clock' | 'random'>;

  constructor(cloud: Pick<Cloud, 'clock' | 'random'>) {
    this.cloud = cloud;
  }

  /** Tells those who stand still before a request for one of these that a write of it comes. */
  arrive(keys: readonly string[]): void {
    for (const standing of [...this.#standing]) {
      if (!keys.some((key) => standing.keys.has(key))) continue;
      this.#standing.delete(standing);
      if (standing.owner?.isAlive !== false) standing.goOn();
    }
  }

  /** Stands still before a request for these. */
  async stand(keys: readonly string[]): Promise<void> {
    const { clock, random } = this.cloud;
    const meeting = new AbortController();
    const standing = { owner: clock.current(), keys: new Set(keys), goOn: () => meeting.abort(MET) };
    this.#standing.add(standing);
    await clock.sleep(random.wait(STANDING_MILLISECONDS), meeting.signal).catch((error: unknown) => {
      if (error !== MET) throw error;
    });
    this.#standing.delete(standing);
  }
}

const MET = Symbol('met');
