import { createRowExpander } from '#shared/adaptation/decide/expand-rows.ts';
import type { ProducedCells } from '#shared/adaptation/decide/row-program.ts';
import { readLabels } from '#shared/adaptation/read-labels.ts';
import { readCells, readTexts } from '#shared/answers/decide/read-cells.ts';
import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import type { Asking, CallMeter } from '#shared/models/decide/ask-model.ts';
import type { ModelClient } from '#shared/models/decide/port.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { readJson, readLines } from '#shared/platform/storage/json-objects.ts';
import { rowsToMake } from '#shared/runs/rows-to-make.ts';
import {
  type Invocation,
  type RunRows,
  runWorker,
  type WorkerPorts,
  type WorkStatus,
} from '#shared/runs/run-worker.ts';
import { ExpansionSelection } from '#shared/runs/schema/expansion.ts';
import type { GrowPlan } from '#shared/runs/schema/run-context.ts';
import { GrowResult } from '#shared/runs/schema/run-result.ts';
import { historyTurns } from '#shared/tabular/decide/forms/history.ts';
import { EXTENDED_PROMPT, ExpandRunRequest } from './decide/expand-request.ts';
import { columnsOfConversation, extendRow, readConversation } from './decide/extend-conversation.ts';
import { Fingerprints, REPEATED } from './decide/fingerprints.ts';
import { madeIdentity } from './decide/row-identity.ts';

export interface MakeRowsPorts extends WorkerPorts {
  /** `translate` is null if the installation uses the rewriting model for translations. */
  readonly models: { readonly rewrite: ModelClient | null; readonly translate: ModelClient | null };
  readonly contextTokensMax: number;
}

/** Generates rows from those of one chunk of a source: one result a row, for any outcome. Holds that chunk. */
export const makeRows = (
  ports: MakeRowsPorts,
  plan: GrowPlan,
  invocation: Invocation,
): Promise<{ status: WorkStatus }> => runWorker(ports, plan, invocation, (own) => openRows(ports, own));

async function openRows(ports: MakeRowsPorts, plan: GrowPlan): Promise<RunRows<GrowResult>> {
  const { objects } = ports;
  const request = await readJson(objects, plan.request_key, ExpandRunRequest);
  const lines = await readLines(objects, plan.selection_key);
  const source = await readLines(objects, plan.chunk_key);
  const labels = await readLabels(objects, plan);
  const maker = await makerOf(ports, request, labels);
  // The assembly compares the rows of all plans, but only a worker can tell in time that its rows are all the same.
  const known = new Fingerprints();
  return rowsToMake({
    lines,
    budget: request.budget,
    known: () => ({}),
    async make(line, _row, asking, meter) {
      const { row, target } = ExpansionSelection.parse(JSON.parse(line));
      const text = source[row - plan.chunk_first_row];
      if (text === undefined) throw new Error(`Row ${row} is not in the chunk that it was selected from.`);
      const made = await maker(text, target, asking, meter);
      const isRepeated =
        request.kind === 'languages' &&
        !known.add(madeIdentity(text, made.cells ?? {}, request.expansion.targets[target] ?? null, request));
      return isRepeated ? { outcome: 'repeated', reason: REPEATED } : made;
    },
    parse: (value) => GrowResult.parse(value),
  });
}

type GenerateCells = (
  line: string,
  target: number,
  asking: Asking,
  meter: CallMeter,
) => Promise<Pick<GrowResult, 'outcome' | 'reason' | 'notes' | 'cells'>>;

/** @throws {ServiceError} `model_unavailable` if the installation lacks the model */
async function makerOf(
  { models, contextTokensMax }: MakeRowsPorts,
  request: ExpandRunRequest,
  labels: readonly string[],
): Promise<GenerateCells> {
  const model = request.kind === 'languages' ? (models.translate ?? models.rewrite) : models.rewrite;
  if (model === null) {
    throw new ServiceError('model_unavailable', 'The installation has no model for this: configure one.');
  }
  const detectLanguage = await loadLanguageDetector();
  if (request.kind === 'conversations') {
    const { conversation } = request;
    const columns = columnsOfConversation(conversation);
    return async (line, _target, asking, meter) => {
      const turns = readConversation(conversation, readCells(line, columns));
      if ('code' in turns) return { outcome: 'failed', reason: turns };
      const options = { model, detectLanguage, contextTokensMax };
      const message = await extendRow(options, turns, asking, meter);
      return { outcome: 'made', cells: { [EXTENDED_PROMPT.name]: message } };
    };
  }
  const { texts, expansion, history } = request;
  const expander = createRowExpander({
    columns: texts,
    history,
    // The block that an adaptation has put before a prompt.
    hasMetadata: true,
    type: expansion.type,
    labels,
    model,
    detectLanguage,
    contextTokensMax,
  });
  return async (line, index, asking, meter) => {
    const target = expansion.targets[index];
    if (target === undefined) throw new Error(`The run has no target ${index}.`);
    const isTranslated = ([name, text]: readonly [string, string | null]): boolean =>
      name !== history || historyTurns(text ?? undefined).length > 0;
    const cells: ProducedCells = Object.fromEntries([...readTexts(line, texts)].filter(isTranslated));
    const expanded = await expander.expand(cells, target, asking, meter);
    return { outcome: 'made', cells: expanded.cells, notes: [...expanded.notes] };
  };
}
