import { runCli } from '../../clients/typescript/src/cli/run-cli.ts';
import { fakeService, type Routes } from './fake-service.ts';

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stop?: AbortController;
  readonly stdin?: string;
  /** Where unfinished uploads are remembered. */
  readonly stateFolder: string;
}

/** Runs the command line in this process, with a service that has these routes alone. */
export async function runTunesmith(
  argv: readonly string[],
  routes: Routes,
  { env = {}, stop = new AbortController(), stdin = '', stateFolder }: RunOptions,
) {
  const service = fakeService(routes);
  let out = '';
  let error = '';
  const code = await runCli(argv, {
    env,
    fetch: service.fetch,
    signal: stop.signal,
    stateFolder,
    terminal: null,
    writeOut: (text) => {
      out += text;
    },
    writeError: (text) => {
      error += text;
    },
    readInput: async () => stdin,
    loadChecker: () => import('#bin/check/check-files.ts'),
  });
  return { code, out, error, service };
}
