import type * as z from 'zod';
import { nearestTo } from './nearest.ts';

/** Names that other services have for fields of this one. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  messages: ['input'],
  message: ['input'],
  max_tokens: ['max_output_tokens'],
  max_completion_tokens: ['max_output_tokens'],
  max_new_tokens: ['max_output_tokens'],
  system: ['instructions'],
  system_prompt: ['instructions', 'blueprint'],
  response_format: ['text', 'text.format'],
  functions: ['tools'],
  function_call: ['tool_choice'],
  reasoning_effort: ['reasoning.effort'],
  training_file: ['dataset_id'],
  n_rows: ['rows'],
  num_rows: ['rows'],
  limit: ['max_rows', 'rows'],
  epochs: ['n_epochs', 'hyperparams.n_epochs'],
  num_train_epochs: ['n_epochs', 'hyperparams.n_epochs'],
  dry_run: ['estimate'],
  target_languages: ['languages'],
  response: ['completion'],
  answer: ['completion'],
  output: ['completion'],
  question: ['prompt'],
  instruction: ['prompt', 'universal_prompt'],
  page: ['cursor', 'after', 'before', 'offset'],
  offset: ['cursor', 'after', 'before'],
  page_token: ['cursor', 'after', 'before'],
  per_page: ['limit'],
  perPage: ['limit'],
  page_size: ['limit'],
  search: ['q'],
  order: ['sort_direction'],
  order_by: ['sort'],
};

/** How deep a field that is sent in the wrong place is looked for. */
const DEPTH_MAX = 3;

/** Lists the paths of the fields of an object schema, those of nested objects included. */
export function fieldPaths(schema: z.core.$ZodType, depth = DEPTH_MAX): string[] {
  const shape = shapeOf(schema);
  if (shape === null || depth === 0) return [];
  return Object.entries(shape).flatMap(([name, field]) => [
    name,
    ...fieldPaths(field, depth - 1).map((path) => `${name}.${path}`),
  ]);
}

/** Reads the fields of an object schema, through the wrappers that leave its fields as they are; null for others. */
function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> | null {
  const { def } = schema._zod as unknown as {
    readonly def: {
      readonly type: string;
      readonly shape?: Record<string, z.core.$ZodType>;
      readonly innerType?: z.core.$ZodType;
      readonly in?: z.core.$ZodType;
      readonly options?: readonly z.core.$ZodType[];
    };
  };
  if (def.type === 'object') return def.shape ?? null;
  if (def.type === 'union') {
    const shapes = (def.options ?? []).map(shapeOf).filter((shape) => shape !== null);
    return shapes.length === 0 ? null : Object.assign({}, ...shapes);
  }
  const inner = def.innerType ?? def.in;
  return inner === undefined ? null : shapeOf(inner);
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** Names the fields that an unknown one may have been meant to be: by another service's name, place or spelling. */
export function nearestFields(unknown: string, schema: z.core.$ZodType): string[] {
  const paths = fieldPaths(schema);
  const meant = Object.hasOwn(ALIASES, unknown) ? (ALIASES[unknown] ?? []) : [];
  const aliases = meant.filter((name) => paths.includes(name));
  const elsewhere = paths.filter((path) => path !== unknown && lastOf(path) === unknown);
  const beside = paths.filter((path) => !path.includes('.'));
  const found = [...new Set([...aliases, ...elsewhere])];
  return found.length > 0 ? found.slice(0, 3) : nearestTo(unknown, beside);
}
