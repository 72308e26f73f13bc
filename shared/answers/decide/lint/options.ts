import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { RowCheck } from '../../schema/lint.ts';
import type { RowMapping } from '../row-mapping.ts';
import { createAnswerCheck } from './answer-schema.ts';

export interface LintOptions {
  /** Undefined runs all checks whose options are present. */
  readonly checks: readonly RowCheck[] | undefined;
  readonly benchmarks?: readonly string[] | undefined;
  readonly answer_schema?: Record<string, unknown> | undefined;
}

/** The path of each option in a request, for error messages. */
export type LintPaths = Readonly<Record<keyof LintOptions, string>>;

/** Checks that need reference data. */
const NEEDS = { contaminated: 'benchmarks', answer_invalid: 'answer_schema' } as const;
/** Checks that do not read the completion. */
const WITHOUT_COMPLETION: readonly RowCheck[] = ['contaminated', 'personal_data'];

/**
 * The checks of the given options.
 * @throws {ServiceError} `invalid_request` if an option is missing, unused or invalid
 */
export function requireChecks(
  { mapping }: Pick<RowMapping, 'mapping'>,
  options: LintOptions,
  paths: LintPaths,
): RowCheck[] {
  const hasCompletion = mapping.completion !== undefined || mapping.chat !== undefined;
  const { checks: asked } = options;
  const hasNeeds = (check: RowCheck): boolean =>
    !(check in NEEDS) || options[NEEDS[check as keyof typeof NEEDS]] !== undefined;
  for (const [check, field] of Object.entries(NEEDS) as [RowCheck, 'benchmarks' | 'answer_schema'][]) {
    const isAsked = asked?.includes(check) ?? hasNeeds(check);
    if (isAsked && !hasNeeds(check)) throw invalidField(paths[field], `is required by the check ${check}`);
    if (!isAsked && hasNeeds(check)) {
      throw invalidField(
        paths[field],
        `is used only by the check ${check}; request that check, or omit this`,
      );
    }
  }
  const canRead = (check: RowCheck): boolean =>
    check === 'call_invalid'
      ? mapping.chat !== undefined
      : hasCompletion || WITHOUT_COMPLETION.includes(check);
  const blind = [
    ...(asked ?? []),
    ...(options.answer_schema === undefined ? [] : ['answer_invalid' as const]),
  ].find((check) => !canRead(check));
  if (blind !== undefined) {
    throw invalidField(
      paths.checks,
      blind === 'call_invalid'
        ? `${blind} reads conversations, and none are mapped; map chat, or omit the check`
        : `${blind} reads completions, and none are mapped; map completion or chat, or omit the check`,
    );
  }
  if (options.answer_schema !== undefined) createAnswerCheck(options.answer_schema, paths.answer_schema);
  return RowCheck.options.filter((check) => asked?.includes(check) ?? (canRead(check) && hasNeeds(check)));
}
