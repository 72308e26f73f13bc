import { parseBytes, type Readable } from './parse-bytes.ts';
import type { Answer } from './parser-process.ts';

/** Reads what its parent sends, and says how long that took and how much memory. */
process.on('message', async ({ kind, bytes }: { kind: Readable; bytes: Uint8Array }) => {
  const peakBefore = process.resourceUsage().maxRSS;
  const before = process.memoryUsage.rss();
  const start = performance.now();
  const cpuStart = process.cpuUsage();
  let outcome: string;
  try {
    outcome = await parseBytes(kind, Buffer.from(bytes));
  } catch (error) {
    outcome = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  const { user, system } = process.cpuUsage(cpuStart);
  const peak = process.resourceUsage().maxRSS;
  const answer: Answer = {
    outcome,
    // Of a machine that does other things, too, the time that was had; of several threads, the time that passed.
    milliseconds: Math.min(performance.now() - start, (user + system) / 1000),
    // A peak that was reached before says nothing.
    mebibytes: peak > peakBefore ? Math.max(0, peak / 1024 - before / 2 ** 20) : 0,
  };
  process.send?.(answer);
});
process.send?.('ready');
