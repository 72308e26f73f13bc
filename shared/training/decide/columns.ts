import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { listedColumns, mappingHints, suggestionOf } from '#shared/datasets/decide/unknown-columns.ts';
import { type CombineSource, hasTraces } from '#shared/growth/decide/combine/source.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { TRACES } from '#shared/tabular/decide/export-columns.ts';
import { columnsBeside } from '#shared/tabular/decide/forms/history.ts';
import { proposeMapping, proposePairs } from '#shared/tabular/decide/forms/known-form.ts';
import type { TurnsColumn } from '#shared/tabular/decide/forms/turns-column.ts';
import type { RawColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import type { TrainingColumnMapping, TrainingMethod } from '../schema/training.ts';
import { conversationsByRole } from './example.ts';
import type { ExampleColumns } from './record.ts';

/** A dataset as input of a training: the columns of its download with their roles. */
export interface TrainingColumns {
  readonly dataset: Pick<
    DatasetRecord,
    'kind' | 'columns' | 'configured_column_mapping' | 'image_column_formats'
  >;
  readonly shape: Pick<CombineSource, 'columns' | 'roles' | 'context' | 'beside'> &
    Partial<Pick<CombineSource, 'conversations' | 'turns'>>;
}

const NONE: ExampleColumns = {
  prompt: '',
  completion: null,
  reasoning_trace: null,
  chosen: null,
  rejected: null,
  context: [],
};

/** Whether examples of these columns are pairs of a better and a worse answer. */
export const isPair = ({ chosen, rejected }: Pick<ExampleColumns, 'chosen' | 'rejected'>): boolean =>
  chosen !== null && rejected !== null;

/** Columns of a file in the form of OpenAI's preference fine-tuning. */
const PREFERENCES = {
  prompt: 'input',
  chosen: 'preferred_output',
  rejected: 'non_preferred_output',
} as const;
/** The columns of pairs that are found without a mapping, in the words of an error. */
export const PREFERENCE_COLUMNS = `${PREFERENCES.prompt}, ${PREFERENCES.chosen} and ${PREFERENCES.rejected}, or prompt, chosen and rejected`;

const namesOf = ({ shape }: TrainingColumns): Set<string> => new Set(shape.columns.map(({ name }) => name));

/**
 * The example columns of the dataset: those that its run produced, else those of its upload's mapping, else columns
 * with common names. A conversation that includes its last reply is a prompt without a completion. A reasoning trace is
 * only used with the answers that it belongs to.
 * @param method the requested one: an alignment takes a pair that is called so, also beside a mapping
 * @returns null if there is neither a prompt with an answer nor a conversation
 */
export function findColumns(
  source: TrainingColumns,
  method: TrainingMethod = 'instruction',
): ExampleColumns | null {
  const found = findRoles(source, method);
  return found === null ? null : withContext(found, source);
}

/** Adds the context columns of the dataset, texts that the prompt does not contain, and what the columns hold. */
function withContext(found: ExampleColumns, source: TrainingColumns): ExampleColumns {
  const { dataset, shape } = source;
  const {
    context: _,
    conversations: __,
    tools: ___,
    replies: ____,
    history: _____,
    system: ______,
    whole: _______,
    asked: ________,
    ...roles
  } = found;
  const turns = turnsBeside(source, found);
  const taken = new Set<string | null>([...Object.values(roles), turns?.name ?? null]);
  const images = dataset.image_column_formats ?? {};
  const names = new Set(shape.columns.map(({ name }) => name));
  const isFree = (name: string): boolean =>
    names.has(name) && !taken.has(name) && !shape.context.includes(name);
  const context = shape.context.filter(
    (name) => names.has(name) && !taken.has(name) && !Object.hasOwn(images, name),
  );
  return {
    ...found,
    context,
    ...(turns === undefined ? {} : { [turns.isWhole ? 'whole' : 'asked']: turns.name }),
    ...columnsBeside(dataset.columns ?? [], isFree, shape.beside),
    conversations: conversationsOf(source, { ...found, context }),
  };
}

/** The column of the turns of which a run has made prompts; null if these are not the prompts that are trained on. */
function turnsBeside(
  { shape: { columns, turns } }: TrainingColumns,
  { prompt, completion, chosen }: ExampleColumns,
): TurnsColumn | undefined {
  const isWritten = (name: string | null, result: string): boolean =>
    columns.some((each) => each.name === name && each.result === result);
  const isAnswered = isWritten(completion, 'enhanced_completion') || isWritten(chosen, 'chosen');
  return isWritten(prompt, 'enhanced_prompt') && isAnswered ? turns : undefined;
}

/** Those of the columns whose cells are conversations: by the profile of the file, else by what they are for. */
export function conversationsOf(source: TrainingColumns, columns: ExampleColumns): string[] {
  const byRole = conversationsByRole(columns);
  const { prompt, completion, chosen, rejected } = columns;
  const names = [...new Set([prompt, completion, chosen, rejected])].filter((name) => name !== null);
  return names.filter((name) => isConversation(source, name) ?? byRole.includes(name));
}

function findRoles(source: TrainingColumns, method: TrainingMethod): ExampleColumns | null {
  const names = namesOf(source);
  const { prompt, completion, chosen, rejected } = source.shape.roles;
  const chat = source.dataset.configured_column_mapping?.chat;
  const present = (name: string | undefined): string | null =>
    name !== undefined && names.has(name) ? name : null;
  const pairOf = (better: string | undefined, worse: string | undefined) => {
    const found = { chosen: present(better), rejected: present(worse) };
    return isPair(found) ? found : { chosen: null, rejected: null };
  };
  const answer = present(completion);
  const asked = present(prompt);
  const talked = present(chat);
  const mapped = pairOf(chosen, rejected);
  const isAligned = method === 'alignment';
  const pair =
    isAligned && !isPair(mapped)
      ? { ...mapped, ...pairBeside(source, [asked, answer], [asked], NONE) }
      : mapped;
  if (asked !== null && (answer !== null || pair.chosen !== null)) {
    return {
      ...NONE,
      prompt: asked,
      completion: answer,
      reasoning_trace: hasTraces(answer, names, source.shape.context) ? TRACES : null,
      ...pair,
    };
  }
  // The columns of what a merge has made conversations of stay beside them.
  if (talked !== null) {
    if (!isAligned || !isPair(pair)) return { ...NONE, prompt: talked };
    return { ...NONE, prompt: names.has('prompt') ? 'prompt' : talked, ...pair };
  }
  const usual = { ...NONE, completion: present('completion'), ...pairOf('chosen', 'rejected') };
  if (names.has('prompt') && (usual.completion !== null || usual.chosen !== null)) {
    return { ...usual, prompt: 'prompt' };
  }
  const preferences = { ...NONE, ...pairOf(PREFERENCES.chosen, PREFERENCES.rejected) };
  if (names.has(PREFERENCES.prompt) && isPair(preferences)) {
    return { ...preferences, prompt: PREFERENCES.prompt };
  }
  // Files for OpenAI's API call their conversations `messages`; what a chat template has rendered is called `text`.
  const conversation =
    [asked, 'messages', 'chat', 'text'].find((name) => isConversation(source, name)) ?? present('chat');
  return conversation === null ? null : { ...NONE, prompt: conversation };
}

/**
 * The same, for a training that requires them.
 * @throws {ServiceError} `column_mapping_required`
 */
export function inferColumns(
  source: TrainingColumns,
  method: TrainingMethod = 'instruction',
): ExampleColumns {
  const found = findColumns(source, method);
  if (found !== null) return found;
  const { listed, hints } = mappingHints(source.shape.columns, (columns) =>
    trainedMapping(proposePairs(columns) ?? proposeMapping(columns)),
  );
  throw new ServiceError(
    'column_mapping_required',
    [
      'The dataset does not say which columns hold prompts and answers. Send a column_mapping with prompt and completion, or with prompt, chosen and rejected.',
      ...hints,
    ].join(' '),
    { details: [{ path: 'column_mapping', message: 'is required for this dataset', available: listed }] },
  );
}

/** The roles of a proposed mapping that a training takes: it reads context by the dataset's own mapping. */
function trainedMapping(
  proposed: Pick<RawColumnMapping, 'prompt' | 'completion' | 'chosen' | 'rejected'> | null,
): TrainingColumnMapping | null {
  const { prompt, completion, chosen, rejected } = proposed ?? {};
  if (prompt === undefined) return null;
  return completion === undefined ? { prompt, chosen, rejected } : { prompt, completion };
}

/**
 * The columns that the caller names, and those of the dataset for the roles that the mapping leaves open.
 * @param method the requested one: an alignment looks for a pair also beside a completion that the caller names
 * @throws {ServiceError} `column_unknown` naming each that the dataset lacks, `invalid_request` if one is missing
 */
export function readMapping(
  mapping: TrainingColumnMapping,
  source: TrainingColumns,
  method: TrainingMethod = 'instruction',
): ExampleColumns {
  requireKnown(mapping, source);
  const { prompt, completion, chosen, rejected, reasoning_trace } = completeMapping(mapping, source, method);
  if ((chosen === null) !== (rejected === null)) {
    const [lacking, given] = chosen === null ? ['chosen', 'rejected'] : ['rejected', 'chosen'];
    throw invalidField(
      `column_mapping.${lacking}`,
      `is required where ${given} is given, since the dataset does not say which column it is: the two go together`,
    );
  }
  if (prompt === null) {
    throw invalidField(
      'column_mapping.prompt',
      'is required: the dataset does not say which column holds the prompts',
    );
  }
  if (completion === null && chosen === null && isConversation(source, prompt) !== true) {
    throw invalidField(
      'column_mapping.completion',
      'is required, since the dataset does not say which column holds the answers, unless chosen and rejected are given or prompt holds whole conversations',
    );
  }
  return withContext({ prompt, completion, chosen, rejected, reasoning_trace, context: [] }, source);
}

/** @throws {ServiceError} `column_unknown` */
function requireKnown(mapping: TrainingColumnMapping, source: TrainingColumns): void {
  const names = namesOf(source);
  const missing = Object.entries(mapping).filter(([, name]) => name !== undefined && !names.has(name));
  if (missing.length === 0) return;
  const available = [...names];
  const { listed, text: columns } = listedColumns(available);
  const said = (text: string, name: string) => [text, ...suggestionOf(name, available)].join(' ');
  throw new ServiceError(
    'column_unknown',
    `${missing
      .map(([role, name = '']) => said(`Selected column '${name}' for ${role} is not in this dataset`, name))
      .join('; ')}. It has ${columns}.`,
    {
      details: missing.map(([role, name = ''], n) => ({
        path: `column_mapping.${role}`,
        message: said(`names the column ${JSON.stringify(name)}, which is not in this dataset`, name),
        ...(n === 0 ? { available: listed } : {}),
      })),
    },
  );
}

/** The columns of a mapping, completed from the dataset; null for a role that neither says. */
function completeMapping(
  mapping: TrainingColumnMapping,
  source: TrainingColumns,
  method: TrainingMethod,
): Record<keyof TrainingColumnMapping, string | null> {
  const names = namesOf(source);
  const found = findRoles(source, method) ?? NONE;
  const named = new Set(Object.values(mapping));
  const free = (name: string | null | undefined): string | null =>
    name != null && names.has(name) && !named.has(name) ? name : null;
  const { prompt, completion, chosen, rejected, reasoning_trace } = mapping;
  const asked = prompt ?? free(source.shape.roles.prompt) ?? free('prompt') ?? free(found.prompt);
  const isOfPair = chosen !== undefined || rejected !== undefined;
  // The answer that the caller names may be the better one of the pair.
  const pair =
    method === 'alignment' && !isOfPair
      ? pairBeside(source, [asked, completion], [asked, reasoning_trace], found)
      : {};
  if (completion === undefined && !isOfPair) {
    // A conversation that the caller names has its own answers.
    const answers = prompt !== undefined && isConversation(source, prompt) === true ? NONE : found;
    return {
      prompt: asked,
      completion: free(answers.completion),
      chosen: free(answers.chosen),
      rejected: free(answers.rejected),
      ...pair,
      reasoning_trace: reasoning_trace ?? free(answers.reasoning_trace),
    };
  }
  return {
    prompt: asked,
    completion: completion ?? null,
    chosen: chosen ?? (isOfPair ? free(found.chosen) : null),
    rejected: rejected ?? (isOfPair ? free(found.rejected) : null),
    ...pair,
    reasoning_trace: reasoning_trace ?? null,
  };
}

/**
 * The better and the worse answers of a dataset, or columns of an upload that are called so; nothing if one of them has another role.
 * Beside what a run has written, or in rows that one has made, such columns are those of other prompts.
 * @param beside the prompts and answers that they stand beside
 */
function pairBeside(
  source: TrainingColumns,
  beside: readonly (string | null | undefined)[],
  taken: readonly (string | null | undefined)[],
  found: ExampleColumns,
): Partial<Pick<ExampleColumns, 'chosen' | 'rejected'>> {
  const { dataset, shape } = source;
  const isWritten = shape.columns.some(({ name, result }) => result !== undefined && beside.includes(name));
  if (!isPair(found) && (dataset.kind !== 'uploaded' || isWritten)) return {};
  const names = namesOf(source);
  const { chosen, rejected } = isPair(found) ? found : { chosen: 'chosen', rejected: 'rejected' };
  const isFree = [chosen, rejected].every(
    (name) => name !== null && names.has(name) && !taken.includes(name),
  );
  return isFree ? { chosen, rejected } : {};
}

/** Whether the cells of a column are conversations; null for a column that was not looked at. */
function isConversation({ dataset, shape }: TrainingColumns, name: string | null): boolean | null {
  const chat = dataset.configured_column_mapping?.chat;
  const column = shape.columns.find((each) => each.name === name);
  if (name !== null && chat === name) return true;
  // The prompts of an adapted conversation are the turns before its last reply.
  if (chat !== undefined && column?.result === 'enhanced_prompt') return true;
  const profile = dataset.columns?.find((each) => each.name === column?.source)?.profile;
  if (profile !== undefined) return profile.not_chat === null && !profile.is_empty;
  return column?.result === undefined ? null : false;
}
