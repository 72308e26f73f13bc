import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';

/** Processor time of one part of the work, per unit of work. */
export interface Part {
  readonly name: string;
  readonly microseconds: number;
}

/** The parts of a row's work by the files of their functions, innermost function first. Files without a part are skipped. */
const FILES: readonly (readonly [string, RegExp])[] = [
  ['detect', /\/shared\/languages\/|\/eld\//],
  ['prompt', /\/decide\/prompts\/|\/models\/decide\/fence\.ts$/],
  ['record', /\/(?:call-memo|reuse|record-calls)\.ts$/],
  ['call', /\/shared\/models\/|\/undici\/|^node:(?:net|internal\/stream_base_commons|internal\/streams\/)/],
  ['write', /\/shared\/runs\/run-rows\.ts$|^node:(?:fs|internal\/fs\/)/],
  ['diagnose', /\/shared\/(?:adaptation|answers|judging)\//],
];
const COLLECTION = 'collect garbage';
/** Promises, timers and the profiler on the main thread, and all other threads: files, compiler, garbage. */
const OTHER = 'other';
const NAMES = [...FILES.map(([name]) => name), COLLECTION, OTHER];

const SAMPLING_MICROSECONDS = 200;
/** V8's names of what is no work: waiting. */
const IDLE = '(idle)';

/** Runs work under the CPU profiler of this process and returns the processor time of its parts in microseconds. */
export async function profileParts(work: () => Promise<void>): Promise<Part[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: SAMPLING_MICROSECONDS });
    await session.post('Profiler.start');
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    const { profile } = await session.post('Profiler.stop');
    return attribute(profile, user + system);
  } finally {
    session.disconnect();
  }
}

/**
 * Attributes the samples of a profile to parts.
 * @param processorMicroseconds of all threads; the profile knows the main one
 */
export function attribute(
  { nodes, samples = [], timeDeltas = [] }: Profiler.Profile,
  processorMicroseconds: number,
): Part[] {
  const parts = new Map<number, string>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  // A parent comes before its children.
  parts.set(nodes[0]?.id ?? 0, OTHER);
  for (const { id, children = [] } of nodes) {
    for (const child of children) {
      const frame = byId.get(child)?.callFrame;
      parts.set(child, (frame && partOf(frame)) ?? parts.get(id) ?? OTHER);
    }
  }
  const microseconds = new Map<string, number>(NAMES.map((name) => [name, 0]));
  let known = 0;
  for (const [n, sample] of samples.entries()) {
    const part = parts.get(sample) ?? OTHER;
    if (part === IDLE) continue;
    const passed = timeDeltas[n] ?? 0;
    microseconds.set(part, (microseconds.get(part) ?? 0) + passed);
    known += passed;
  }
  const elsewhere = Math.max(0, processorMicroseconds - known);
  microseconds.set(OTHER, (microseconds.get(OTHER) ?? 0) + elsewhere);
  return [...microseconds].map(([name, spent]) => ({ name, microseconds: spent }));
}

function partOf({ functionName, url }: Profiler.ProfileNode['callFrame']): string | undefined {
  if (functionName === IDLE) return IDLE;
  if (functionName === '(garbage collector)') return COLLECTION;
  return FILES.find(([, files]) => files.test(url))?.[0];
}

/** Scales parts to a total, per unit of work: profiled work is slower than measured work. */
export function scaleParts(parts: readonly Part[], total: number): Part[] {
  const sum = parts.reduce((all, { microseconds }) => all + microseconds, 0);
  return parts.map(({ name, microseconds }) => ({
    name,
    microseconds: sum === 0 ? 0 : (microseconds / sum) * total,
  }));
}

export function describeParts(total: number, parts: readonly Part[]): string {
  const said = parts.map(({ name, microseconds }) => `${name} ${microseconds.toFixed(0)}`);
  return `${total.toFixed(0)} µs of processor time each: ${said.join(', ')}`;
}
