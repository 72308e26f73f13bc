import { addedBy } from '#shared/adaptation/decide/added-columns.ts';
import type { AdaptationSpecification } from '#shared/adaptation/decide/specification.ts';
import { columnsBesidePrompts } from '#shared/answers/decide/row-mapping.ts';
import { isAsItCame, turnsInDownload } from '#shared/answers/decide/turns-of-run.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { canonicalJson, sha256Hex } from '#shared/platform/canonical-json.ts';
import { adaptedColumns, carriedColumns, TRACES } from '#shared/tabular/decide/export-columns.ts';
import { findForm, isConversation } from '#shared/tabular/decide/forms/known-form.ts';
import type { FormColumns } from '#shared/tabular/decide/forms/training-row.ts';
import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import type { RowsColumn } from '#shared/tabular/schema/rows-manifest.ts';
import { hasCompletions } from './row-texts.ts';

/** What the columns of the uploaded rows hold: the mapping of the dataset, or the one of the form that the file has. */
export function sourceMapping(
  { configured_column_mapping: configured, raw_column_mapping: raw }: DatasetRecord,
  columns: readonly RowsColumn[],
): ConfiguredColumnMapping | null {
  if (configured !== null) return configured;
  return raw === null ? (findForm(columns)?.column_mapping ?? null) : { ...raw, context: raw.context ?? [] };
}

/** Names a mapping in the keys of objects whose content follows from it: that of a dataset changes with its next adaptation. */
export const keyOfMapping = (mapping: ConfiguredColumnMapping | null): string =>
  sha256Hex(canonicalJson(mapping)).slice(0, 16);

/**
 * The mapping by which rows that no run has adapted are looked at; null where it is not known, or where they have pairs, which stand
 * in columns of their own where no mended text can go.
 */
export function lookMapping(dataset: DatasetRecord): ConfiguredColumnMapping | null {
  const mapping = sourceMapping(dataset, dataset.columns ?? []);
  const isLookedAt = mapping !== null && hasCompletions(mapping) && (mapping.chosen ?? null) === null;
  return isLookedAt ? mapping : null;
}

/**
 * The columns of rows that are written in a form for trainers.
 * @param specification that of the run whose rows they are; null for uploaded rows
 */
export function formColumns(
  dataset: DatasetRecord,
  columns: readonly RowsColumn[],
  specification: AdaptationSpecification | null,
): FormColumns {
  const mapping = specification?.mapping ?? sourceMapping(dataset, columns) ?? { context: [] };
  const read = columnsBesidePrompts(mapping, columns);
  const beside = {
    context: mapping.context.filter((name) => name !== mapping.image),
    system: read.system ?? null,
    tools: read.tools ?? null,
    history: mapping.chat === undefined ? (read.history ?? null) : null,
  };
  if (specification === null) {
    const { chat = null, prompt = null, completion = null, chosen = null, rejected = null } = mapping;
    const conversations = columns.filter(isConversation).map(({ name }) => name);
    const reasoning = carriedColumns(mapping, columns).find((name) => name === TRACES) ?? null;
    return { ...beside, chat, prompt, completion, chosen, rejected, reasoning, conversations };
  }
  const isPairs = specification.training_type === 'preference_pairs';
  const isOfTurns = (name: string | undefined): boolean =>
    name !== undefined && specification.conversations?.includes(name) === true;
  return {
    ...beside,
    // The prompts of an instruction for all rows contain their context.
    context: specification.mode === 'universal_prompt' ? [] : beside.context,
    chat: null,
    prompt: 'enhanced_prompt',
    completion: 'enhanced_completion',
    chosen: isPairs ? 'chosen' : null,
    rejected: isPairs ? 'rejected' : null,
    reasoning: specification.reasoning_traces ? TRACES : null,
    turns: turnsInDownload(specification, adaptedColumns(mapping, columns, addedBy(specification))),
    conversations: [
      ...(mapping.chat !== undefined || isOfTurns(mapping.prompt) ? ['enhanced_prompt'] : []),
      ...(isOfTurns(mapping.completion) ? ['enhanced_completion'] : []),
    ],
  };
}

/** The columns by which a row is read: one that a run has left as it came in the turns that it came with, as trainings read it. */
export function columnsOfRow(columns: FormColumns, cells: ReadonlyMap<string, string | null>): FormColumns {
  const { turns, prompt, completion, chosen, reasoning } = columns;
  const hasPair = chosen !== null && (cells.get(chosen) ?? '').trim() !== '';
  if (turns === undefined || prompt === null || completion === null || hasPair) return columns;
  if (!isAsItCame(turns, { prompt, completion, reasoning }, cells)) return columns;
  const { turns: _, ...read } = columns;
  if (!turns.isWhole) return read;
  const { name } = turns;
  return { ...read, prompt: name, completion: null, chosen: null, rejected: null, conversations: [name] };
}
