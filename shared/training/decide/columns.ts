import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { CombineSource } from '#shared/growth/decide/combine/source.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ColumnProfile } from '#shared/tabular/schema/rows-manifest.ts';
import type { TrainingColumnMapping } from '../schema/training.ts';
import type { ExampleColumns } from './record.ts';

/** A dataset as input of a training: the columns of its download with their roles. */
export interface TrainingColumns {
  readonly dataset: Pick<DatasetRecord, 'columns' | 'configured_column_mapping' | 'image_column_formats'>;
  readonly shape: Pick<CombineSource, 'columns' | 'roles' | 'context'>;
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

const namesOf = ({ shape }: TrainingColumns): Set<string> => new Set(shape.columns.map(({ name }) => name));

/**
 * The example columns of the dataset: those that its run produced, else those of its upload's mapping, else columns
 * with common names. A conversation that includes its last reply is a prompt without a completion. A reasoning trace is
 * only used with the answers that it belongs to.
 * @returns null if there is neither a prompt with an answer nor a conversation
 */
export function findColumns(source: TrainingColumns): ExampleColumns | null {
  const found = findRoles(source);
  return found === null ? null : withContext(found, source);
}

/** Adds the context columns of the dataset: texts that the prompt does not contain. */
function withContext(found: ExampleColumns, { dataset, shape }: TrainingColumns): ExampleColumns {
  const { context: _, ...roles } = found;
  const taken = new Set<string | null>(Object.values(roles));
  const images = dataset.image_column_formats ?? {};
  const names = new Set(shape.columns.map(({ name }) => name));
  const context = shape.context.filter(
    (name) => names.has(name) && !taken.has(name) && !Object.hasOwn(images, name),
  );
  return { ...found, context };
}

function findRoles(source: TrainingColumns): ExampleColumns | null {
  const names = namesOf(source);
  const { prompt, completion, chosen, rejected } = source.shape.roles;
  const chat = source.dataset.configured_column_mapping?.chat;
  const present = (name: string | undefined): string | null =>
    name !== undefined && names.has(name) ? name : null;
  const pairOf = (better: string | undefined, worse: string | undefined) => {
    const found = { chosen: present(better), rejected: present(worse) };
    return isPair(found) ? found : { chosen: null, rejected: null };
  };
  const pair = pairOf(chosen, rejected);
  const answer = present(completion);
  const asked = present(prompt);
  if (asked !== null && (answer !== null || pair.chosen !== null)) {
    const hasTraces = answer === 'enhanced_completion' && names.has('reasoning_trace');
    return {
      ...NONE,
      prompt: asked,
      completion: answer,
      reasoning_trace: hasTraces ? 'reasoning_trace' : null,
      ...pair,
    };
  }
  const usual = { ...NONE, completion: present('completion'), ...pairOf('chosen', 'rejected') };
  if (names.has('prompt') && (usual.completion !== null || usual.chosen !== null)) {
    return { ...usual, prompt: 'prompt' };
  }
  const conversation = present(chat) ?? present('chat') ?? (isConversation(source, asked) ? asked : null);
  return conversation === null ? null : { ...NONE, prompt: conversation };
}

/**
 * The same, for a training that requires them.
 * @throws {ServiceError} `column_mapping_required`
 */
export function inferColumns(source: TrainingColumns): ExampleColumns {
  const found = findColumns(source);
  if (found !== null) return found;
  const names = [...namesOf(source)];
  throw new ServiceError(
    'column_mapping_required',
    `The dataset does not say which columns hold prompts and answers; it has ${names.join(', ')}. Send a column_mapping with prompt and completion.`,
    { details: [{ path: 'column_mapping', message: 'is required for this dataset', available: names }] },
  );
}

/**
 * The columns that the caller names.
 * @throws {ServiceError} `column_unknown` naming each that the dataset lacks, `invalid_request` if one is missing
 */
export function readMapping(mapping: TrainingColumnMapping, source: TrainingColumns): ExampleColumns {
  const names = namesOf(source);
  const missing = Object.entries(mapping).filter(([, name]) => name !== undefined && !names.has(name));
  if (missing.length > 0) {
    const available = [...names];
    throw new ServiceError(
      'column_unknown',
      `${missing
        .map(([role, name]) => `Selected column '${name}' for ${role} is not in this dataset`)
        .join('; ')}. It has ${available.join(', ')}.`,
      {
        details: missing.map(([role, name]) => ({
          path: `column_mapping.${role}`,
          message: `names the column ${JSON.stringify(name)}, which is not in this dataset`,
          available,
        })),
      },
    );
  }
  const { prompt, completion, reasoning_trace, chosen, rejected } = mapping;
  if ((chosen === undefined) !== (rejected === undefined)) {
    const [lacking, given] = chosen === undefined ? ['chosen', 'rejected'] : ['rejected', 'chosen'];
    throw invalidField(
      `column_mapping.${lacking}`,
      `is required where ${given} is given: the two go together`,
    );
  }
  if (prompt === undefined) throw invalidField('column_mapping.prompt', 'is required in a column_mapping');
  if (completion === undefined && chosen === undefined && !isConversation(source, prompt)) {
    throw invalidField(
      'column_mapping.completion',
      'is required in a column_mapping, unless chosen and rejected are given or prompt holds whole conversations',
    );
  }
  const named = {
    prompt,
    completion: completion ?? null,
    reasoning_trace: reasoning_trace ?? null,
    chosen: chosen ?? null,
    rejected: rejected ?? null,
    context: [],
  };
  return withContext(named, source);
}

/** Whether every cell of a column is a conversation, by the file's profile. */
function isConversation({ dataset, shape }: TrainingColumns, name: string | null): boolean {
  if (name !== null && dataset.configured_column_mapping?.chat === name) return true;
  const source = shape.columns.find((column) => column.name === name)?.source;
  const profile: ColumnProfile | undefined = dataset.columns?.find((each) => each.name === source)?.profile;
  return profile !== undefined && profile.not_chat === null && !profile.is_empty;
}
