import { type Claims, INTAKE_CLAIM } from '#shared/platform/storage/claims.ts';

/** What a drain needs of a deployed stage. */
export interface DrainPorts {
  readonly claims: Pick<Claims, 'take' | 'release'>;
  /** Names this command as who closed the intake. */
  readonly holder: string;
  /** Running executions by state machine, without those that have none. */
  readonly running: () => Promise<ReadonlyMap<string, number>>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  readonly print: (line: string) => void;
}

/** The intake opens by itself when the command that closed it has ended for this long. */
export const CLOSED_SECONDS = 300;
const LOOK_MILLISECONDS = 10_000;
/** A request that came before the intake closed may start something until its function's time is up. */
const IDLE_MILLISECONDS = 30_000;

const wordsOf = (running: ReadonlyMap<string, number>): string =>
  [...running].map(([machine, count]) => `${machine}: ${count}`).join(', ');

/**
 * Makes a change while nothing runs: closes the intake, waits for the executions of all state machines to end, and opens the
 * intake again, however the change ended.
 * @throws {Error} if another command has closed the intake, or something still runs after `minutesMax`: nothing was changed
 */
export async function whileDrained<T>(
  ports: DrainPorts,
  minutesMax: number,
  change: () => Promise<T>,
): Promise<T> {
  const { claims, holder, print } = ports;
  if (!(await claims.take(INTAKE_CLAIM, CLOSED_SECONDS, holder))) {
    throw new Error(
      'Another command has closed the intake, and deploys. Wait for it; if it was stopped, the intake opens within five minutes.',
    );
  }
  const renewal = setInterval(() => {
    // A renewal that fails is repeated: the claim holds for several of them.
    claims.take(INTAKE_CLAIM, CLOSED_SECONDS, holder).catch(() => undefined);
  }, 60_000);
  try {
    print(`Nothing new starts now. Waiting for what runs, for at most ${minutesMax} minutes.`);
    await waitForEnd(ports, minutesMax);
    print('Nothing runs.');
    return await change();
  } finally {
    clearInterval(renewal);
    await claims.release(INTAKE_CLAIM, holder);
    print('New work starts again.');
  }
}

async function waitForEnd({ running, now, sleep, print }: DrainPorts, minutesMax: number): Promise<void> {
  const deadline = now() + minutesMax * 60_000;
  let idleSince: number | null = null;
  let told = '';
  for (;;) {
    const found = await running();
    if (found.size === 0) {
      idleSince ??= now();
      if (now() - idleSince >= IDLE_MILLISECONDS) return;
    } else {
      idleSince = null;
      if (now() >= deadline) {
        throw new Error(
          `After ${minutesMax} minutes this still runs: ${wordsOf(found)}. Nothing was changed. ` +
            'Wait longer (--drain=MINUTES), cancel it (npm run admin -- run list), or deploy over it without --drain.',
        );
      }
      const words = wordsOf(found);
      if (words !== told) print(`Running: ${words}`);
      told = words;
    }
    await sleep(LOOK_MILLISECONDS);
  }
}
