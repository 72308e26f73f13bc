import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { grownInputs, seeds } from './grow-input.ts';
import type { Parsed } from './parse-bytes.ts';
import { type Answer, ParserProcess } from './parser-process.ts';

/** What any input of up to 1 MB may take. */
const MILLISECONDS_MAX = 2_000;
const MEBIBYTES_MAX = 512;
/** By then it hangs, however busy the machine is. */
const HANGS_MILLISECONDS = 30_000;

/** Reads every seed and so many inputs that grow from them. Fails on the first that is neither read nor refused in time. */
export async function holdParsers(options: {
  readonly runs: number;
  readonly seed?: number;
}): Promise<number> {
  const all = await seeds();
  const parser = new ParserProcess(HANGS_MILLISECONDS);
  let read = 0;
  const hold = async (kind: Parsed, bytes: Buffer): Promise<void> => {
    const answer = await parser.parse(kind, bytes);
    if (!isHeld(answer)) throw await complaint(kind, bytes, answer);
    if (answer.outcome === 'read') read += 1;
  };
  try {
    for (const [kind, files] of Object.entries(all)) {
      for (const { bytes, wrap } of files) await hold(kind as Parsed, wrap(bytes));
    }
    await fc.assert(
      fc.asyncProperty(grownInputs(all), ({ kind, bytes }) => hold(kind, bytes)),
      {
        numRuns: options.runs,
        endOnFailure: true,
        ...(options.seed === undefined ? {} : { seed: options.seed }),
      },
    );
  } finally {
    await parser.stop();
  }
  return read;
}

const isHeld = ({ outcome, milliseconds, mebibytes }: Answer): boolean =>
  (outcome === 'read' || outcome === 'refused') &&
  milliseconds <= MILLISECONDS_MAX &&
  mebibytes <= MEBIBYTES_MAX;

async function complaint(kind: Parsed, bytes: Buffer, answer: Answer): Promise<Error> {
  const path = join(tmpdir(), `input-${process.pid}.${kind}`);
  await writeFile(path, bytes);
  return new Error(
    `${path} (${bytes.length} bytes): ${answer.outcome}, ${Math.round(answer.milliseconds)} ms, ${Math.round(answer.mebibytes)} MiB`,
  );
}
