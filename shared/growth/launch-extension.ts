import { priceRows } from '#shared/access/decide/prices.ts';
import { assumeTime, notesOnRows } from '#shared/adaptation/decide/quote.ts';
import { requireColumns } from '#shared/answers/decide/row-mapping.ts';
import { madeDataset } from '#shared/datasets/decide/made-dataset.ts';
import { adaptedRunId } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { TabularFormat } from '#shared/platform/schema/file-format.ts';
import { budgetOf } from '#shared/runs/decide/budget.ts';
import { storedBeside } from './decide/combine/source.ts';
import type { Conversation, ExpandRunRequest } from './decide/expand-request.ts';
import { columnsOfConversation } from './decide/extend-conversation.ts';
import { findGrowthSource, type GrowthSource, requireRowsOfPlan, requireSource } from './growth-source.ts';
import type { LaunchExpansionPorts } from './launch-expansion.ts';
import type { ExtendTrajectoriesRequest, ExtensionQuote } from './schema/grow.ts';

export interface LaunchExtensionPorts extends LaunchExpansionPorts {
  readonly modelConcurrency: number;
}

export interface LaunchExtensionInput {
  readonly caller: Caller;
  readonly datasetId: string;
  readonly request: ExtendTrajectoriesRequest;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The user's next message takes one call; a retry after an unusable answer is not counted. */
const CALLS_PER_ROW = 1;

/**
 * Creates a dataset in which every conversation of the source gets its user's next message, or prices that. A
 * repeated key returns the first dataset and run, and zero prices.
 * @throws {ServiceError} every code of the contract
 */
export async function launchExtension(
  ports: LaunchExtensionPorts,
  { caller, datasetId, request, now }: LaunchExtensionInput,
): Promise<ExtensionQuote> {
  const conversation = conversationOf(request.column_mapping);
  const found = await findGrowthSource(ports, caller, datasetId);
  const maxRows = request.job_specification?.max_rows;

  const quote = (runId: string | null, newId: string | null): ExtensionQuote => {
    const source = requireSource(found);
    if (conversation !== null) requireConversation(conversation, source);
    const rows = rowsOf(source, maxRows);
    requireRowsOfPlan(caller, rows, 'job_specification.max_rows', 'Lower job_specification.max_rows');
    const notes = notesOnRows(maxRows, source.rowCount);
    const time = assumeTime(rows, CALLS_PER_ROW, ports.modelConcurrency);
    return {
      run_id: runId,
      dataset_id: newId,
      estimatedMinutes: time.minutes,
      estimateBasis: time.basis,
      estimatedCreditsConsumed: priceRows(rows, 'text'),
      ...(notes.length === 0 ? {} : { notes }),
      estimate: runId === null,
      multimodalPricingApplied: false,
    };
  };
  if (request.estimate === true) return quote(null, null);
  if (conversation === null) {
    throw new ServiceError(
      'column_mapping_required',
      'column_mapping: is required to start a run: name the column of turns as chat, or prompt and completion.',
      { details: [{ path: 'column_mapping', message: 'is required to start a run' }] },
    );
  }

  const newDatasetId = ports.newId();
  const source = 'refusal' in found ? null : found;
  const key = request.job_specification?.idempotency_key;
  const format = TabularFormat.safeParse(source?.dataset.file_format);
  const first = await ports.launchRun<ExtensionQuote>({
    caller,
    dataset: madeDataset(
      caller,
      {
        kind: 'extended',
        sourceDatasetId: source?.dataset.dataset_id ?? null,
        sources: source == null ? [] : [source.dataset],
        name: `${source?.dataset.name ?? ''} (extended)`,
        description: `The conversations of ${source?.dataset.name}, each with what its user says next.`,
        format: format.success ? format.data : 'jsonl',
      },
      newDatasetId,
      now,
    ),
    isNew: true,
    pipeline: 'expand',
    request: source === null ? null : requestOf(source, conversation, maxRows, caller),
    ...(key === undefined
      ? {}
      : {
          idempotency: { operation: 'extend' as const, key, request: { dataset_id: datasetId, ...request } },
        }),
    decide: () => {
      const { estimatedCreditsConsumed: credits } = quote('', newDatasetId);
      const rows = rowsOf(requireSource(found), maxRows);
      return { credits, rows, response: (runId) => quote(runId, newDatasetId) };
    },
    now,
  });
  return first.dataset_id === newDatasetId
    ? first
    : { ...first, estimatedMinutes: 0, estimatedCreditsConsumed: 0 };
}

const rowsOf = ({ rowCount }: GrowthSource, maxRows: number | undefined): number =>
  Math.min(rowCount, maxRows ?? rowCount);

/** @throws {ServiceError} `invalid_request` if fields are incompatible */
function conversationOf(mapping: ExtendTrajectoriesRequest['column_mapping']): Conversation | null {
  if (mapping === undefined) return null;
  const { chat, prompt, completion } = mapping;
  if (chat !== undefined) {
    const other = prompt !== undefined ? 'prompt' : completion !== undefined ? 'completion' : null;
    if (other !== null) {
      throw invalidField(`column_mapping.${other}`, 'cannot be combined with chat; omit one of the two');
    }
    return { chat };
  }
  if (prompt === undefined || completion === undefined) {
    const missing = prompt === undefined ? 'prompt' : 'completion';
    throw invalidField(
      `column_mapping.${missing}`,
      'is needed: map prompt and completion, or a column of turns as chat',
    );
  }
  if (prompt === completion) {
    throw invalidField('column_mapping.completion', 'is the prompt column; map another column');
  }
  return { prompt, completion };
}

/** @throws {ServiceError} `column_unknown`; `invalid_request` for chat on an adapted dataset */
function requireConversation(conversation: Conversation, { dataset, shape }: GrowthSource): void {
  if ('chat' in conversation && adaptedRunId(dataset) !== null) {
    throw invalidField(
      'column_mapping.chat',
      'is not supported for an adapted dataset; map prompt and completion of its download, such as enhanced_prompt and enhanced_completion',
    );
  }
  requireColumns(
    conversation,
    shape.columns.map(({ name }) => name),
  );
}

function requestOf(
  { dataset, shape, runId, rowCount }: GrowthSource,
  conversation: Conversation,
  maxRows: number | undefined,
  { plan }: Caller,
): ExpandRunRequest {
  const names = new Set(shape.columns.map(({ name }) => name));
  const conversations = columnsOfConversation(conversation).filter((name) =>
    shape.conversations.includes(name),
  );
  const { history, system } = shape.before ?? {};
  const isFree = (name: string | undefined) =>
    name !== undefined && !columnsOfConversation(conversation).includes(name);
  const isOfTurns = 'chat' in conversation || conversations.includes(conversation.prompt);
  const before = {
    ...(isFree(history) && !isOfTurns ? { history } : {}),
    ...(isFree(system) ? { system } : {}),
  };
  return {
    kind: 'conversations',
    source: { dataset_id: dataset.dataset_id, run_id: runId },
    mapping: {
      ...conversation,
      context: shape.context.filter((name) => names.has(name)),
      ...storedBeside(shape.columns, shape),
    },
    budget: budgetOf(plan),
    conversation: {
      ...('chat' in conversation ? conversation : { ...conversation, conversations }),
      ...(Object.keys(before).length === 0 ? {} : { before }),
    },
    rows: Math.min(rowCount, maxRows ?? rowCount),
  };
}
