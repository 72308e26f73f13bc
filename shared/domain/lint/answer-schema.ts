import * as z from 'zod';
import { invalidField } from '../../errors/from-zod.ts';
import { codeBlocks } from './code.ts';

/** Keywords whose values are schemas by name, and those whose values are none. */
const NAMED = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);
const LITERAL = new Set(['const', 'enum', 'default', 'examples', 'required']);
/** Regular expressions of callers could keep a worker busy for hours. */
const REFUSED = new Set(['pattern', 'patternProperties']);

/** What is wrong with a completion, or null. */
export type CheckAnswer = (completion: string) => string | null;

/**
 * Reads a JSON Schema that completions have to satisfy.
 * @throws {ServiceError} `invalid_request` for a schema that cannot be read, or has regular expressions
 */
export function createAnswerCheck(schema: Record<string, unknown>, path: string): CheckAnswer {
  const refused = findRefused(schema);
  if (refused !== null) throw invalidField(path, `uses ${refused}, which is not taken here; leave it out`);
  const type = readSchema(schema, path);
  return (completion) => {
    const [block] = codeBlocks(completion);
    const text = block !== undefined && ['json', ''].includes(block.language) ? block.code : completion;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return 'is not JSON';
    }
    const [issue] = type.safeParse(value).error?.issues ?? [];
    if (issue === undefined) return null;
    return `does not satisfy answer_schema at ${['$', ...issue.path.map(String)].join('.')}: ${issue.code.replaceAll('_', ' ')}`;
  };
}

function readSchema(schema: Record<string, unknown>, path: string): z.ZodType {
  try {
    return z.fromJSONSchema(schema as z.core.JSONSchema.BaseSchema);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : 'it is damaged';
    throw invalidField(path, `is no JSON Schema that can be read: ${problem}`);
  }
}

function findRefused(schema: unknown): string | null {
  if (Array.isArray(schema)) return first(schema);
  if (typeof schema !== 'object' || schema === null) return null;
  for (const [key, value] of Object.entries(schema)) {
    if (REFUSED.has(key)) return key;
    const found = LITERAL.has(key)
      ? null
      : NAMED.has(key) && typeof value === 'object' && value !== null
        ? first(Object.values(value))
        : findRefused(value);
    if (found !== null) return found;
  }
  return null;
}

function first(schemas: readonly unknown[]): string | null {
  for (const schema of schemas) {
    const found = findRefused(schema);
    if (found !== null) return found;
  }
  return null;
}
