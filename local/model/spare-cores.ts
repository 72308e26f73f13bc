import { availableParallelism, cpus } from 'node:os';

/** Seconds of processor time since a fixed moment: of the whole machine, and of this process. */
export interface CpuTimes {
  readonly machineBusy: number;
  readonly own: number;
  readonly wall: number;
}

/** The current times of this machine. */
export function readCpuTimes(): CpuTimes {
  const machineBusy = cpus().reduce(
    (sum, { times }) => sum + times.user + times.nice + times.sys + times.irq,
    0,
  );
  const { user, system } = process.cpuUsage();
  return { machineBusy: machineBusy / 1e3, own: (user + system) / 1e6, wall: performance.now() / 1e3 };
}

/**
 * Number of cores that were not used by other programs between two readings, at least one. llama.cpp's threads
 * busy-wait for each other: a preempted thread delays all of them. On two cores with one busy, one thread generates 1.4
 * times as fast as two; with none busy, two are 1.8 times as fast.
 */
export function spareCores(before: CpuTimes, after: CpuTimes, machineCores: number): number {
  const wall = after.wall - before.wall;
  if (wall <= 0) return 1;
  const others = Math.max(after.machineBusy - before.machineBusy - (after.own - before.own), 0) / wall;
  return Math.max(Math.round(machineCores - others), 1);
}

const sampleMs = 1_000;

/** Reports every second how many threads may run, up to `threadsMax`. */
export function watchSpareCores(threadsMax: number, onThreads: (threads: number) => void): void {
  let before = readCpuTimes();
  const machineCores = Math.max(cpus().length, availableParallelism());
  setInterval(() => {
    const after = readCpuTimes();
    onThreads(Math.min(spareCores(before, after, machineCores), threadsMax));
    before = after;
  }, sampleMs).unref();
}
