/**
 * Runs an eval of another tool: `npm run import-eval -- FILE [--data FILE] [--run FILE] [--model ID] [--judge ID]`. FILE is an
 * eval as OpenAI's API answers it, or a configuration of Promptfoo. The service is where ADAPTION_BASE_URL says.
 */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import type { Eval, EvalRun } from '#shared/evals/schema/eval.ts';
import {
  type Fields,
  fieldsOf,
  type ImportedEval,
  type NamedModels,
  NotImported,
} from './import-eval/imported.ts';
import { importOpenAi } from './import-eval/openai-export.ts';
import { importPromptfoo } from './import-eval/promptfoo.ts';
import { createServiceClient, type ServiceClient } from './service-client.ts';

const USAGE = `Usage: npm run import-eval -- FILE [--data FILE.jsonl] [--run FILE.json] [--model ID] [--judge ID]

FILE    an eval as OpenAI's API answers it (JSON), or a configuration of Promptfoo (YAML or JSON)
--data  rows of an eval of OpenAI: lines {"item": …}, or output items of a run
--run   a run as OpenAI's API answers it: what its model is asked
--model model of this service that answers
--judge model of this service that grades`;

/** A path as it was typed: `npm run` starts the command at the root of the package. */
const typed = (path: string): string => resolve(process.env.INIT_CWD ?? '.', path);

/** What a file holds, read as JSON or YAML. */
async function readFields(path: string): Promise<Fields> {
  const fields = fieldsOf(parse(await readFile(typed(path), 'utf8')));
  if (fields === null) throw new NotImported(`${path} holds no object.`);
  return fields;
}

async function importFile(
  path: string,
  {
    data,
    run,
    ...models
  }: NamedModels & { readonly data?: string | undefined; readonly run?: string | undefined },
): Promise<ImportedEval> {
  const fields = await readFields(path);
  if (fields.prompts !== undefined) return importPromptfoo(fields, models);
  if (fields.testing_criteria === undefined) {
    throw new NotImported(
      `${path} is neither an eval of OpenAI (testing_criteria) nor of Promptfoo (prompts).`,
    );
  }
  if (data === undefined) throw new NotImported('Give the rows of the eval with --data FILE.jsonl.');
  const lines = (await readFile(typed(data), 'utf8')).split('\n').filter((line) => line.trim() !== '');
  const rows = lines.map((line) => fieldsOf(JSON.parse(line)) ?? {});
  return importOpenAi(fields, rows, run === undefined ? null : await readFields(run), models);
}

/** Creates the eval, runs it and prints what came of it. */
async function runImported(client: ServiceClient, { request, runs }: ImportedEval): Promise<void> {
  const { id } = await client.json<Eval>('POST', '/evals', request);
  console.log(`${id} ${request.name}`);
  for (const run of runs) {
    let state = await client.json<EvalRun>('POST', `/evals/${id}/runs`, run);
    while (state.status === 'queued' || state.status === 'in_progress') {
      await sleep(1000);
      state = await client.json<EvalRun>('GET', `/evals/${id}/runs/${state.id}`);
    }
    console.log(`${state.id} ${state.name}: ${state.status} ${state.error.message}`.trimEnd());
    for (const result of [state, ...state.per_testing_criteria_results]) {
      const { pass_rate: rate, interval } = result;
      const name = 'testing_criteria' in result ? result.testing_criteria : 'all graders';
      const said =
        rate === null || interval === null
          ? 'nothing graded'
          : `${percent(rate)} (95 %: ${interval.map(percent).join(' to ')})`;
      console.log(`  ${name}: ${said}`);
    }
    if (state.status !== 'completed') process.exitCode = 1;
  }
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string' },
    run: { type: 'string' },
    model: { type: 'string' },
    judge: { type: 'string' },
  },
});
const { ADAPTION_BASE_URL: apiUrl, ADAPTION_API_KEY: apiKey } = process.env;
const [file] = positionals;
if (file === undefined || apiUrl === undefined || apiKey === undefined) {
  console.error(
    `${USAGE}\n\nADAPTION_BASE_URL and ADAPTION_API_KEY say where the service is, and who calls.`,
  );
  process.exitCode = 2;
} else {
  try {
    await runImported(createServiceClient({ apiUrl, apiKey }), await importFile(file, values));
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
