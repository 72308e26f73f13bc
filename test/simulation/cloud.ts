import type { Faults } from './faults.ts';
import type { Meetings } from './meetings.ts';
import type { SeededRandom } from './random.ts';
import type { Swarm } from './swarm.ts';
import type { SimulatedProcess, WorldClock } from './world-clock.ts';

/** A process that can crash: an invocation of a function. */
export interface FunctionProcess extends SimulatedProcess {
  crash(): void;
}

/** What every double of a service of AWS stands on. */
export interface Cloud {
  readonly clock: WorldClock;
  readonly swarm: Swarm;
  readonly faults: Faults;
  readonly random: SeededRandom;
  readonly meetings: Meetings;
  /** Adds a line to the story. */
  tell(text: string): void;
  breaks(invariant: string, seen: string): void;
}

const MEAN_MILLISECONDS = 4;
const SLOW_MILLISECONDS = 6000;
const DAWDLING_MILLISECONDS = 400;

const never = new Promise<never>(() => {});

const isFunction = (process: SimulatedProcess | undefined): process is FunctionProcess =>
  process !== undefined && 'crash' in process;

export const nameOf = ({ clock }: Pick<Cloud, 'clock'>): string => clock.current()?.name ?? 'the service';

/** An error as the SDK of AWS throws it for an answer of the server. */
export const serverError = (name: string, status = 500): Error =>
  Object.assign(new Error(`${name} of the simulation`), {
    name,
    $fault: 'server',
    $metadata: { httpStatusCode: status },
  });

/**
 * A request of the running process to a service of AWS, in which the process may crash.
 * @param where what is requested, for the story
 */
export async function request<T>(
  cloud: Cloud,
  { where, isWrite, mean = MEAN_MILLISECONDS }: { where: string; isWrite: boolean; mean?: number },
  effect: () => Promise<T> | T,
): Promise<T> {
  const { clock, faults, random } = cloud;
  const process = clock.current();
  if (process?.isAlive === false) return never;
  const at = (): string => `${where} by ${nameOf(cloud)}`;
  let there = random.wait(mean);
  const back = random.wait(mean);
  if (faults.strikes('slow', at)) there += random.wait(SLOW_MILLISECONDS);
  if (isFunction(process)) {
    const [functionId = ''] = process.name.split('#');
    if (faults.dawdles(functionId)) there += random.wait(DAWDLING_MILLISECONDS);
    if (faults.strikes('crash before', at)) {
      process.crash();
      return never;
    }
    if (isWrite && faults.strikes('crash after', at)) {
      clock.after(
        there,
        () =>
          void Promise.resolve()
            .then(effect)
            .catch(() => {}),
      );
      process.crash();
      return never;
    }
    if (faults.strikes('function hangs', at)) return clock.awaiting(never);
  }
  return clock.operation(there, back, effect);
}
