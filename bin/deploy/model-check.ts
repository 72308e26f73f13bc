import type { Config } from '#infra/config.ts';
import { type EmbeddingClient, type ModelClient, ModelError } from '#shared/models/decide/port.ts';
import { type AnsweringModel, PLAIN_TURN, type TurnRequest } from '#shared/models/decide/turn.ts';
import { MODEL_ROLES, type ModelRole, type RespondApi } from '#shared/platform/schema/model-role.ts';
import type { OptionalPart } from '#shared/platform/schema/optional-part.ts';
import type { Finding } from '../findings.mjs';
import { adviseOn } from './model-advice.ts';
import { MODEL_PROBES } from './model-probes.ts';

/** The endpoint of the models to check. */
export interface AskedEndpoint {
  model(modelId: string): ModelClient;
  embeddings(modelId: string): EmbeddingClient;
  answering(modelId: string, api: RespondApi): AnsweringModel;
}

export interface ModelCheckOptions {
  readonly region: string;
  /** Timeout of one request. */
  readonly timeoutSeconds: number;
  /** What requests to a model have left out so far, because it does not take it. */
  readonly leftOut: (modelId: string) => readonly OptionalPart[];
}

interface Asked {
  readonly role: ModelRole;
  readonly modelId: string;
  readonly setting: string;
}

/** A request of a role, with its name in findings. */
interface Probe {
  readonly name: string;
  ask(signal: AbortSignal): Promise<unknown>;
}

const QUESTION: TurnRequest = {
  ...PLAIN_TURN,
  items: [
    {
      type: 'message',
      role: 'user',
      content: [{ type: 'text', text: 'Answer with the word ready.' }],
    },
  ],
  maxOutputTokens: 16,
};

/**
 * Sends the model of each role every kind of request that the service sends: each prompt with its schema and
 * parameters, streamed responses, embeddings.
 * @returns a finding for each model of a role; if it rejects requests for several reasons, one for each
 */
export async function checkModels(
  { model: settings }: Pick<Config, 'model'>,
  endpoint: AskedEndpoint,
  options: ModelCheckOptions,
): Promise<Finding[]> {
  const [, ...furtherModels] = settings.hosted;
  const asked: Asked[] = [
    ...MODEL_ROLES.flatMap((role) => {
      const modelId = settings.ids[role];
      return modelId === undefined ? [] : [{ role, modelId, setting: `MODEL_ID_${role.toUpperCase()}` }];
    }),
    ...furtherModels.map(({ id }) => ({ role: 'respond' as const, modelId: id, setting: 'RESPOND_MODELS' })),
  ];
  const findings: Finding[] = MODEL_ROLES.filter((role) => settings.ids[role] === undefined).map((role) => ({
    state: 'note',
    name: `Model: ${role}`,
    found: 'none is named',
    advice: `What needs one is off; MODEL_ID_${role.toUpperCase()} names one.`,
  }));
  for (const each of asked) findings.push(...(await checkModel(each, endpoint, settings, options)));
  return findings;
}

async function checkModel(
  { role, modelId, setting }: Asked,
  endpoint: AskedEndpoint,
  { provider, respondApi }: Config['model'],
  { region, timeoutSeconds, leftOut }: ModelCheckOptions,
): Promise<Finding[]> {
  const name = `Model: ${role}`;
  const probes = probesOf(role, modelId, endpoint, respondApi);
  const refusals = new Map<string, { readonly probes: string[]; readonly advice: string }>();
  await Promise.all(
    probes.map(async (probe) => {
      const error = await refusalOf(probe, timeoutSeconds);
      if (error === null) return;
      const known = refusals.get(error.message);
      if (known === undefined) {
        const advice = adviseOn(error, { provider, region, setting });
        refusals.set(error.message, { probes: [probe.name], advice });
      } else {
        known.probes.push(probe.name);
      }
    }),
  );
  if (refusals.size === 0) {
    const names = probes.map((probe) => probe.name).join(', ');
    return [{ name, ...judgeLeftOut(`${modelId} answers: ${names}`, leftOut(modelId), setting) }];
  }
  return [...refusals].map(([message, refusal]) => ({
    state: 'missing',
    name,
    found: `${modelId} refuses ${refusal.probes.join(', ')}: ${message}`,
    advice: refusal.advice,
  }));
}

/** What each part is called, and what a role loses without it. */
const LOSSES: Readonly<Record<OptionalPart, readonly [name: string, loss: string | null]>> = {
  schema: [
    'JSON schema',
    'Without a schema JSON is asked for in words: more answers are asked for again, or fail.',
  ],
  temperature: ['temperature', 'Without a temperature answers vary from run to run.'],
  seed: ['seed', null],
  prompt_cache: ['prompt cache', null],
};

/** A model that answers, but not to everything that it is asked with. */
function judgeLeftOut(
  answers: string,
  parts: readonly OptionalPart[],
  setting: string,
): Omit<Finding, 'name'> {
  if (parts.length === 0) return { state: 'ok', found: answers };
  const found = `${answers}; it takes no ${parts.map((part) => LOSSES[part][0]).join(', no ')}`;
  const losses = parts.flatMap((part) => LOSSES[part][1] ?? []);
  return losses.length === 0
    ? { state: 'ok', found }
    : { state: 'note', found, advice: `${losses.join(' ')} Or set ${setting} to another model.` };
}

function probesOf(
  role: ModelRole,
  modelId: string,
  endpoint: AskedEndpoint,
  respondApi: RespondApi,
): readonly Probe[] {
  if (role === 'embed') {
    return [
      {
        name: 'embedding',
        ask: (signal) => endpoint.embeddings(modelId).embed(['A sentence.'], signal),
      },
    ];
  }
  if (role === 'respond') {
    return [{ name: 'stream', ask: (signal) => readAnswer(endpoint.answering(modelId, respondApi), signal) }];
  }
  const model = endpoint.model(modelId);
  return MODEL_PROBES.filter((probe) => probe.role === role).map(({ request }) => ({
    name: request.jsonSchema?.name ?? 'text',
    ask: (signal) => model.generate(request, signal),
  }));
}

async function readAnswer(model: AnsweringModel, signal: AbortSignal): Promise<void> {
  for await (const part of model.answer(QUESTION, signal)) {
    if (part.type === 'end') return;
  }
}

async function refusalOf(probe: Probe, timeoutSeconds: number): Promise<ModelError | null> {
  const signal = AbortSignal.timeout(timeoutSeconds * 1000);
  try {
    await probe.ask(signal);
    return null;
  } catch (error) {
    if (error instanceof ModelError) return error;
    if (signal.aborted)
      return new ModelError('timeout', `The model did not answer within ${timeoutSeconds} s`);
    throw error;
  }
}
