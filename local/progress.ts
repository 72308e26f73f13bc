export interface Progress {
  /** Runs a step and prints one line when it ends, with the time it took. */
  step<T>(name: string, work: (detail: (text: string) => void) => Promise<T>): Promise<T>;
  /** Prints a separate line. */
  note(text: string): void;
}

interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Without a terminal, the minimum interval between two progress lines of a step. */
const logIntervalMilliseconds = 10_000;

/**
 * Progress on a terminal: a step's detail is shown while it runs (or from time to time on separate lines, if the output
 * is not a terminal), and replaced by the step's name and duration in seconds.
 */
export function createProgress(
  output: Terminal = process.stderr,
  now: () => number = () => performance.now(),
): Progress {
  const clearLine = output.isTTY === true ? '\r\u001b[2K' : '';
  return {
    async step(name, work) {
      const startedAt = now();
      const seconds = () => ((now() - startedAt) / 1000).toFixed(1).padStart(6);
      let shownAt = now();
      let latest = '…';
      const show = () => {
        shownAt = now();
        output.write(`${clearLine}${seconds()} s  ${name}: ${latest}${output.isTTY === true ? '' : '\n'}`);
      };
      const detail = (text: string) => {
        latest = text;
        if (output.isTTY === true || now() - shownAt >= logIntervalMilliseconds) show();
      };
      if (output.isTTY === true) show();
      // A step without new details shows from time to time that it is still running.
      const alive = setInterval(() => {
        if (now() - shownAt >= logIntervalMilliseconds) show();
      }, 1_000).unref();
      try {
        const result = await work(detail);
        output.write(`${clearLine}${seconds()} s  ${name}\n`);
        return result;
      } catch (error) {
        output.write(`${clearLine}${seconds()} s  ${name}: failed\n`);
        throw error;
      } finally {
        clearInterval(alive);
      }
    },
    note: (text) => {
      output.write(`${clearLine}${text}\n`);
    },
  };
}

/** Progress that prints nothing, for tests. */
export const silentProgress: Progress = {
  step: (_name, work) => work(() => undefined),
  note: () => undefined,
};
