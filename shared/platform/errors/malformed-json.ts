import { findJsonFault } from './json-position.ts';
import { ServiceError } from './service-error.ts';

/** The error for a body that is not JSON. It says where it stops being JSON, and never what it holds there. */
export function malformedJson(text: string, cause: unknown): ServiceError {
  const fault = findJsonFault(text);
  const where = fault === null ? null : `line ${fault.line}, column ${fault.column}: ${fault.expected}`;
  return new ServiceError(
    'malformed_json',
    where === null ? 'The body is not valid JSON.' : `The body is not valid JSON at ${where}.`,
    {
      details: [
        {
          path: 'body',
          message: where === null ? 'is not valid JSON' : `is not valid JSON at ${where}`,
          ...(fault === null ? {} : { line: fault.line, column: fault.column }),
        },
      ],
      cause,
    },
  );
}
