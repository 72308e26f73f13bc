import { ServiceError } from '#shared/platform/errors/service-error.ts';

/** @throws {ServiceError} `column_unknown` for each of `named` ([path, column]) that is not available */
export function throwUnknownColumns(
  named: readonly (readonly [string, string])[],
  available: readonly string[],
): void {
  const unknown = named.filter(([, column]) => !available.includes(column));
  if (unknown.length === 0) return;
  const list = available.map((column) => JSON.stringify(column)).join(', ');
  throw new ServiceError(
    'column_unknown',
    `${unknown.map(([path, column]) => `${path}: there is no column ${JSON.stringify(column)}`).join('; ')}. ` +
      `The dataset's columns are ${list}.`,
    {
      details: unknown.map(([path, column]) => ({
        path,
        message: `there is no column ${JSON.stringify(column)}`,
        available,
      })),
    },
  );
}
