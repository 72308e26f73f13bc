import { join, relative } from 'node:path';
import { runCommand } from '#local/child.ts';
import { readLocalEnvironment } from '#local/env-file.ts';
import { adaptersDirectory, localDirectory, repositoryRoot } from '#local/paths.ts';
import { createProgress } from '#local/progress.ts';
import { ensurePython } from '#local/python.ts';
import { serveTraining } from '#local/serve-training.ts';
import { startLocalCloud } from '#local/up.ts';
import { loadSamples } from './load-samples.ts';

// The warning about an older Node than the deployed one is not useful at every start.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** From then on another signal is one by the user, who does not want to wait. */
const SECOND_SIGNAL_MILLISECONDS = 1_000;

/**
 * `npm run local`: starts the local cloud and runs it until Ctrl-C. `-- --fresh` deletes the state of earlier starts;
 * `-- logs [TEXT]` prints the function logs of the running one; `-- serve EXPERIMENT_ID` serves the model of a
 * training.
 */
async function main(args: readonly string[]): Promise<void> {
  if (args[0] === 'logs') return printLogs(args.slice(1));
  if (args[0] === 'serve') return serve(args.slice(1));
  const unknown = args.find((argument) => argument !== '--fresh');
  if (unknown !== undefined) {
    throw new Error(`"${unknown}" is not known here. There are: --fresh, logs [TEXT], serve EXPERIMENT_ID.`);
  }

  // During the start, ending this process ends everything that it has started.
  const leave = () => process.exit(130);
  for (const signal of SIGNALS) process.once(signal, leave);
  const cloud = await startLocalCloud({ model: 'real', fresh: args.includes('--fresh') });
  for (const signal of SIGNALS) process.off(signal, leave);
  let stoppedAt: number | undefined;
  const stopped = new Promise<undefined>((resolve) => {
    for (const signal of SIGNALS)
      process.on(signal, () => {
        // Ctrl-C comes twice: the terminal sends it, and so does the process that loads TypeScript. A later one ends the
        // process before the emulator has saved its state.
        stoppedAt ??= performance.now();
        if (performance.now() - stoppedAt > SECOND_SIGNAL_MILLISECONDS) process.exit(130);
        resolve(undefined);
      });
  });

  const envFile = relative(process.cwd(), cloud.envFile);
  console.log(`
Tunesmith runs on this machine.

  Console ${cloud.apiUrl}/console#key=${cloud.apiKey}
  API     ${cloud.apiUrl}
  Docs    ${cloud.apiUrl}/docs
  Model   ${cloud.models}
  Logs    ${relative(process.cwd(), join(localDirectory, 'logs'))}, npm run local -- logs

Try next, in another terminal:

  open the console by its link                       shows rows, grades, trainings and credits
  source ${envFile}                                  tells every client where the service is
  npx tunesmith adapt examples/data/careless-answers.csv --prompt question --completion answer
  python examples/01-adapt-a-csv.py                  does the same in Python (pip install adaption==0.16.0)
  curl -H "Authorization: Bearer $ADAPTION_API_KEY" "$ADAPTION_BASE_URL/api/v1/datasets"

Ctrl-C stops it. What it holds is there again at the next start.`);

  // Steps without dependencies start at once.
  let isStopping = false;
  loadSamples(cloud).then(
    (loaded) => console.log(loaded.join('\n')),
    (error) => {
      if (isStopping) return;
      console.log(`The samples could not be loaded: ${error instanceof Error ? error.message : error}`);
    },
  );
  const failure = await Promise.race([stopped, cloud.failed]);
  isStopping = true;
  console.log(failure ?? '\nStopping … (another Ctrl-C does not wait, and loses the last changes)');
  await cloud.stop();
  process.exitCode = failure === undefined ? 0 : 1;
}

async function printLogs(args: readonly string[]): Promise<void> {
  const environment = readLocalEnvironment();
  const python = await ensurePython(['emulator']);
  const text = await runCommand(python, [join(repositoryRoot, 'local', 'function_logs.py'), ...args], {
    what: 'Reading the logs',
    environment: { ...process.env, ...environment },
    hint: 'The local cloud has to run: npm run local',
  });
  process.stdout.write(text);
}

async function serve(args: readonly string[]): Promise<void> {
  const [experimentId, ...rest] = args;
  if (experimentId === undefined || rest.length > 0) {
    throw new Error('Name one training: npm run local -- serve EXPERIMENT_ID');
  }
  const { modelId, baseId, baseUrl } = await serveTraining(experimentId, readLocalEnvironment(), {
    adaptersDirectory: adaptersDirectory(),
    progress: createProgress(),
  });
  const body = { model: modelId, temperature: 0, messages: [{ role: 'user', content: 'Who are you?' }] };
  console.log(`
  Model   ${modelId}
  Base    ${baseId}
  Server  ${baseUrl}

curl ${baseUrl}/chat/completions -H 'content-type: application/json' -d '${JSON.stringify(body)}'`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
