import type { Claims } from './storage/claims.ts';

export interface HoldLeasePorts {
  readonly claims: Pick<Claims, 'take' | 'release'>;
  readonly newId: () => string;
  readonly clock: {
    readonly now: () => number;
    readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  };
  /** A lease that could not be renewed. */
  readonly onFailure: (error: unknown) => void;
}

/** Seconds for which a worker has its work to itself from its last sign of life, and between two signs. */
const LEASE_SECONDS = 90;
const SIGN_SECONDS = 20;

/**
 * Does work that one worker does at a time: Lambda may deliver an event twice. It repeats the event of a killed worker, too,
 * so whoever finds the work taken waits until the lease of a dead one has ended.
 * @param work is told whether the lease is still its own: a worker that stood still for longer has a successor
 * @returns null if another worker is at it
 */
export async function holdLease<Done>(
  { claims, newId, clock, onFailure }: HoldLeasePorts,
  lease: string,
  work: (isMine: () => boolean) => Promise<Done>,
): Promise<Done | null> {
  const holder = newId();
  let isMine = false;
  const take = async (): Promise<boolean> => {
    isMine = await claims.take(lease, LEASE_SECONDS, holder);
    return isMine;
  };
  const until = clock.now() + (LEASE_SECONDS + SIGN_SECONDS) * 1000;
  while (!(await take())) {
    if (clock.now() > until) return null;
    await clock.sleep(SIGN_SECONDS * 1000);
  }
  const over = new AbortController();
  const giveSigns = async (): Promise<void> => {
    while (!over.signal.aborted) {
      // The sleep ends early when the work is over.
      await clock.sleep(SIGN_SECONDS * 1000, over.signal).catch(() => undefined);
      if (!over.signal.aborted) await take().catch(onFailure);
    }
  };
  const signs = giveSigns();
  try {
    return await work(() => isMine);
  } finally {
    await claims.release(lease, holder);
    over.abort();
    await signs;
  }
}
