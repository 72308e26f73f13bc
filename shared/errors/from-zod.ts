import type * as z from 'zod';
import { type ErrorDetail, ServiceError } from './service-error.ts';

function pathOf(prefix: string, path: readonly PropertyKey[]): string {
  let text = prefix;
  for (const part of path) {
    text += typeof part === 'number' ? `[${part}]` : text === '' ? String(part) : `.${String(part)}`;
  }
  return text === '' ? 'body' : text;
}

/** Whether a branch is for values of another kind: the value itself is not of its type, or says another `type`. */
function isOfOtherKind(issues: readonly z.core.$ZodIssue[]): boolean {
  return issues.some(
    ({ code, path }) => (path.length === 0 && code === 'invalid_type') || path[0] === 'type',
  );
}

/** The issues of a union's branch that came closest: of those for the value's kind, the one with the fewest. */
function closestBranch(branches: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] {
  const ofKind = branches.filter((branch) => !isOfOtherKind(branch));
  return (ofKind.length === 0 ? branches : ofKind).reduce((best, branch) =>
    branch.length < best.length ? branch : best,
  );
}

/** Whether a schema says nothing of its own about what is wrong. */
const isDefault = (message: string): boolean => /^Invalid (input|option)/.test(message);

function flatten(prefix: string, issues: readonly z.core.$ZodIssue[]): ErrorDetail[] {
  return issues.flatMap((issue): ErrorDetail[] => {
    const path = pathOf(prefix, issue.path);
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        path: pathOf(path === 'body' ? '' : path, [key]),
        message: 'is not a known field here; remove it or check its spelling and place',
      }));
    }
    const own = isDefault(issue.message) ? null : issue.message;
    if (issue.code === 'invalid_union' && issue.errors.length > 0 && own === null) {
      return flatten(path === 'body' ? '' : path, closestBranch(issue.errors));
    }
    if (issue.code === 'invalid_value') {
      return [
        {
          path,
          message: own ?? `must be one of ${issue.values.map((v) => JSON.stringify(v)).join(', ')}`,
          allowed: issue.values,
        },
      ];
    }
    return [{ path, message: issue.message }];
  });
}

/**
 * All issues of a failed parse as one 400 that names each field, its path and what is allowed.
 * `where` is `query`, `path` or `header` for what does not come from the body, else empty.
 */
export function invalidRequest(where: '' | 'query' | 'path' | 'header', error: z.ZodError): ServiceError {
  const details = flatten(where, error.issues);
  const message = details.map((detail) => `${detail.path}: ${detail.message}`).join('; ');
  return new ServiceError('invalid_request', message, { details });
}

/** One bad field, found by a rule that a schema cannot say. */
export function invalidField(
  path: string,
  message: string,
  extra: Record<string, unknown> = {},
): ServiceError {
  return new ServiceError('invalid_request', `${path}: ${message}`, {
    details: [{ path, message, ...extra }],
  });
}
