export interface Progress {
  /** Runs a step and prints one line when it ends, with the time it took. */
  step<T>(name: string, work: (detail: (text: string) => void) => Promise<T>): Promise<T>;
  /** Prints a line of its own. */
  note(text: string): void;
}

interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Where nothing can be overwritten, a step says how far it is at most this often. */
const logIntervalMilliseconds = 10_000;

/**
 * Progress on a terminal: a step's detail is shown while it runs (now and then,
 * on lines of their own, where the output is no terminal), and replaced by the step's name and duration in seconds.
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
      // A step that says nothing of itself for a while shows that it goes on.
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
