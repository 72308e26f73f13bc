import { priceRows } from '#shared/access/decide/prices.ts';
import { resolveExpansion } from '#shared/adaptation/decide/expansion.ts';
import { madeDataset } from '#shared/datasets/decide/made-dataset.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import type { FreeUseLimiter } from '#shared/platform/access/repository.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { budgetOf } from '#shared/runs/decide/budget.ts';
import type { Ledger } from '#shared/runs/decide/ledger/repository.ts';
import type { LaunchRun } from '#shared/runs/launch-run.ts';
import type { Inference } from '#shared/runs/schema/invention.ts';
import { rowsInLanguages } from './decide/expand-request.ts';
import {
  candidatesMaxOf,
  type InventRunRequest,
  promptOf,
  readTopics,
  subdomainsToCover,
  type Topics,
  writtenPrompt,
} from './decide/invent/invent-request.ts';
import { requireJudge } from './decide/invent/require-judge.ts';
import { findDomain } from './decide/invent/taxonomy.ts';
import { currentStatus, requireRowsOfPlan } from './growth-source.ts';
import type { InventedDataset, InventRequest } from './schema/invent.ts';

export interface LaunchInventionPorts {
  readonly datasets: Pick<DatasetRepository, 'find'>;
  readonly ledger: Pick<Ledger, 'findBalance'>;
  readonly launchRun: LaunchRun;
  readonly newId: () => string;
  readonly freeUses: FreeUseLimiter;
  /** Null without a judge. */
  readonly judgeModelId: string | null;
  /** Infers topics from a description. A rejection counts as no result. */
  readonly infer: (prompt: string) => Promise<Inference>;
}

export interface LaunchInventionInput {
  readonly caller: Caller;
  readonly request: InventRequest;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Starts to generate a dataset on topics of the catalog (spec §4.15), or returns the price. Missing topics are inferred
 * from the prompt; if that fails the request fails: topics are never widened. A repeated key returns the first dataset
 * in its current state.
 * @throws {ServiceError} every code of the contract
 */
export async function launchInvention(
  ports: LaunchInventionPorts,
  input: LaunchInventionInput,
): Promise<InventedDataset> {
  const { caller, request, now } = input;
  const prompt = promptOf(request);
  const expansion = request.language_expansion ? resolveExpansion(request.language_expansion) : null;
  const rows = request.rows + rowsInLanguages(request.rows, expansion);
  const credits = priceRows(rows, 'invented');
  const trainingType = request.training_type ?? 'instruction_dataset';
  const requireWritable = (): void => {
    if (expansion !== null) requireRowsInLanguages(rows - request.rows, request);
    if (trainingType === 'preference_pairs') requireJudge(ports.judgeModelId);
    requireRowsOfPlan(caller, rows, 'rows', 'Lower rows or name fewer languages');
  };
  const topics = readTopics(request, prompt) ?? (await infer(ports, input, prompt ?? ''));
  if (request.estimate === true) {
    const known = requireTopics(topics);
    requireWritable();
    return {
      ...answer(request, prompt, trainingType, known, credits),
      available_credits: await available(ports, caller),
    };
  }

  const known = topics instanceof ServiceError ? { domains: [], subdomains: [] } : topics;
  const id = ports.newId();
  const dataset = madeDataset(
    caller,
    {
      kind: 'invented',
      sourceDatasetId: null,
      sources: [],
      name: nameOf(request, known),
      description: descriptionOf(prompt, known),
      format: 'jsonl',
    },
    id,
    now,
  );
  const runRequest: InventRunRequest = {
    rows: request.rows,
    training_type: trainingType,
    subdomains: subdomainsToCover(known),
    dataset_prompt: prompt ?? writtenPrompt(known),
    expansion,
    candidates_max: candidatesMaxOf(request.rows),
    budget: budgetOf(caller.plan),
  };
  const key = request.idempotency_key;
  const first = await ports.launchRun<Omit<InventedDataset, 'available_credits'>>({
    caller,
    dataset,
    isNew: true,
    pipeline: 'invent',
    request: runRequest,
    ...(key === undefined
      ? {}
      : { idempotency: { operation: 'invent' as const, key, request, path: 'idempotency_key' } }),
    decide: () => {
      requireTopics(topics);
      requireWritable();
      return {
        credits,
        rows: request.rows,
        response: () => ({
          ...answer(request, prompt, trainingType, known, credits),
          estimate: false,
          id,
          status: 'running' as const,
          created_at: dataset.created_at,
        }),
      };
    },
    now,
  });
  const status = first.id === id ? first.status : await currentStatus(ports.datasets, first.id ?? '');
  return { ...first, status, available_credits: await available(ports, caller) };
}

/** @throws {ServiceError} `invalid_request` if an expansion was asked for that adds no row */
function requireRowsInLanguages(added: number, { rows }: InventRequest): void {
  if (added > 0) return;
  throw invalidField(
    'language_expansion.sample_rate',
    `selects none of the ${rows} rows for another language; raise it, or omit language_expansion`,
  );
}

async function available(
  { ledger }: Pick<LaunchInventionPorts, 'ledger'>,
  { team_id: teamId }: Caller,
): Promise<number> {
  return (await ledger.findBalance(teamId))?.available ?? 0;
}

/** @throws {ServiceError} the error, if there is one */
function requireTopics(topics: Topics | ServiceError): Topics {
  if (topics instanceof ServiceError) throw topics;
  return topics;
}

const PROBLEMS = {
  none_fits: 'The dataset_prompt fits none of the domains of the catalog',
  unavailable: 'Domains cannot be inferred from the dataset_prompt now',
} as const;

/** The model call precedes the payment, so the plan limits its frequency. */
async function infer(
  ports: LaunchInventionPorts,
  { caller, now }: LaunchInventionInput,
  prompt: string,
): Promise<Topics | ServiceError> {
  try {
    await ports.freeUses.admit(caller, 'topic_inferences_per_hour', now);
  } catch (error) {
    // A replay succeeds anyway.
    if (error instanceof ServiceError) return error;
    throw error;
  }
  const inference = await ports
    .infer(prompt)
    .catch((cause: unknown) => ({ problem: 'unavailable' as const, cause }));
  if ('topics' in inference) return inference.topics;
  return new ServiceError(
    'domain_not_inferred',
    `${PROBLEMS[inference.problem]}. Name domains or subdomains: GET /api/v1/datasets/invent/domains lists their codes.`,
    {
      ...('cause' in inference ? { cause: inference.cause } : {}),
      details: [{ path: 'domains', message: `is needed: ${PROBLEMS[inference.problem].toLowerCase()}` }],
    },
  );
}

function answer(
  request: InventRequest,
  prompt: string | null,
  trainingType: InventedDataset['training_type'],
  topics: Topics,
  credits: number,
): Omit<InventedDataset, 'available_credits'> {
  return {
    estimate: true,
    id: null,
    name: nameOf(request, topics),
    training_type: trainingType,
    domains: [...topics.domains],
    subdomains: [...topics.subdomains],
    dataset_prompt: prompt ?? writtenPrompt(topics),
    rows: request.rows,
    status: null,
    created_at: null,
    estimated_credits: credits,
  };
}

const TITLES_SHOWN = 3;

function titlesOf({ domains }: Topics): string {
  const titles = domains.map((code) => findDomain(code)?.title ?? code);
  return `${titles.slice(0, TITLES_SHOWN).join(', ')}${titles.length > TITLES_SHOWN ? ', …' : ''}`;
}

const nameOf = ({ name }: InventRequest, topics: Topics): string => name ?? `Invented: ${titlesOf(topics)}`;

function descriptionOf(prompt: string | null, topics: Topics): string {
  return `Invented of ${titlesOf(topics)}.${prompt === null ? '' : ` ${prompt}`}`;
}
