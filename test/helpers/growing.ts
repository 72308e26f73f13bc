import { type MakeRowsPorts, makeRows } from '#shared/growth/make-rows.ts';
import { type ModelClient, ModelError } from '#shared/models/decide/port.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { GrowPlan, type RunContext } from '#shared/runs/schema/run-context.ts';
import { assembleGrowth, endGrowth, takeSource } from '#test/helpers/operations.ts';
import { linesOf } from './active-run.ts';
import { createFastClock } from './fast-clock.ts';
import { NOW } from './records.ts';
import type { World } from './world.ts';

const SENTENCES: Readonly<Record<string, string>> = {
  Spanish: 'Este es el texto completo en español, escrito con mucho cuidado para los lectores',
  German: 'Das ist der vollständige Text auf Deutsch, mit viel Sorgfalt für die Leser geschrieben',
  French: 'Voici le texte complet en français, écrit avec beaucoup de soin pour les lecteurs',
};
const ENGLISH = 'This is still written in English, as it was before';

export interface Translator extends ModelClient {
  /** `<text> <language>` of each request. */
  readonly asked: string[];
}

/**
 * Translates into the languages above, and says what a user could say next; a text with `spoiled` in it comes back in
 * English, and one with `silent` ends the model's service.
 */
export function translator({
  say = (text: string, language: string) =>
    `${SENTENCES[language] ?? ENGLISH} ${/(?:question|answer)[^.]*$/.exec(text)?.[0] ?? text}.`,
}: {
  say?: (text: string, language: string) => string;
} = {}): Translator {
  const asked: string[] = [];
  return {
    modelId: 'a-translator',
    asked,
    generate: async ({ messages }) => {
      const shown = messages.at(-1)?.content ?? '';
      const text = / text>\n([\s\S]*?)\n<\//.exec(shown)?.[1] ?? '';
      const language = / (?:into|in) (\w+)\.$/.exec(shown)?.[1] ?? '';
      asked.push(`${text} ${language}`.trim());
      if (shown.includes('silent')) throw new ModelError('misconfigured', 'The model is gone');
      const answer =
        language === ''
          ? `And what did you say about that before, of which I asked you in the beginning (${asked.length})?`
          : text.includes('spoiled')
            ? ENGLISH
            : say(text, language);
      return { text: answer, finishReason: 'stop', usage: { input_tokens: 7, output_tokens: 3 } };
    },
  };
}

export const contextOf = (world: World, datasetId: string): RunContext => {
  const input = [...world.executions.started.values()].find(({ dataset_id: id }) => id === datasetId);
  if (input === undefined || !('team_id' in input)) throw new Error(`Nothing was started on ${datasetId}.`);
  return input as RunContext;
};

/** Chunks of rows to be made: as many as the model's concurrency makes of them. */
export const takeRowsOf = (world: World, context: RunContext, modelConcurrency = 4) =>
  world.installed({ MODEL_CONCURRENCY: `${modelConcurrency}`, MODEL_ID_REWRITE: 'a-translator' })(takeSource)(
    context,
  );

export const planOf = (world: World, { run_id: runId }: RunContext): GrowPlan[] =>
  linesOf(world.objects.text(objectKeys.plan(runId))).map((line) => GrowPlan.parse(JSON.parse(line)));

export function work(
  world: World,
  chunk: GrowPlan,
  model: ModelClient,
  overrides: Partial<MakeRowsPorts> = {},
  seconds = 900,
) {
  const clock = createFastClock(10);
  const ports: MakeRowsPorts = {
    objects: world.objects,
    runs: world.store.runs,
    unbilled: world.store.unbilled,
    models: { rewrite: model, translate: null },
    callsPerWorker: 4,
    contextTokensMax: 4096,
    outageSecondsMax: 60,
    clock,
    random: () => 0.5,
    ...overrides,
  };
  return makeRows(ports, chunk, { deadlineMs: clock.now() + seconds * 1000, attempt: crypto.randomUUID() });
}

/** What the machine does after the workers: rows become the dataset's, then the run is settled, also when that failed. */
export async function endGrowthNow(
  { use }: World,
  context: RunContext,
  assemble: () => Promise<unknown>,
): Promise<void> {
  const settle = use(endGrowth);
  try {
    await assemble();
    await settle(context, null, NOW);
  } catch (error) {
    const { code, message } = error as ServiceError;
    if (!(error instanceof ServiceError)) throw error;
    await settle(context, { code, message, level: 'error' }, NOW);
  }
}

export const endExpansion = (world: World, context: RunContext, now = NOW): Promise<void> =>
  endGrowthNow(world, context, () => world.use(assembleGrowth)(context, now));

/** The whole run of a dataset that is made of another. */
export async function executeExpansion(world: World, datasetId: string, model: ModelClient): Promise<void> {
  const context = contextOf(world, datasetId);
  await takeRowsOf(world, context);
  for (const chunk of planOf(world, context)) await work(world, chunk, model);
  await endExpansion(world, context);
}
