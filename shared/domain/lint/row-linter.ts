import { invalidField } from '../../errors/from-zod.ts';
import { RowCheck } from '../../schema/lint.ts';
import { materialReader, type RowMaterial } from '../adaptation/row-material.ts';
import type { SourceCells } from '../adaptation/row-program.ts';
import type { AdaptationSpecification } from '../adaptation/specification.ts';
import { createAnswerCheck } from './answer-schema.ts';
import { arithmeticFault } from './arithmetic.ts';
import { codeFault } from './code.ts';
import { createContaminationFinder } from './contamination.ts';
import { degeneracyOf } from './degenerate.ts';
import { personalDataIn } from './personal-data.ts';

export interface RowFinding {
  readonly check: RowCheck;
  /** What is wrong, without the row's text where that may be private. */
  readonly message: string;
}

export interface LintOptions {
  /** Undefined makes all checks for which there is what they need. */
  readonly checks: readonly RowCheck[] | undefined;
  readonly benchmarks?: readonly string[] | undefined;
  readonly answer_schema?: Record<string, unknown> | undefined;
}

/** Where the options stand in a request, for refusals. */
export type LintPaths = Readonly<Record<keyof LintOptions, string>>;

export interface RowLinter {
  /** The checks that it makes. */
  readonly checks: readonly RowCheck[];
  row(cells: SourceCells): RowFinding[];
}

type Text = Pick<RowMaterial, 'prompt' | 'completion' | 'context' | 'history'>;

/** Checks that hold rows against something. */
const NEEDS = { contaminated: 'benchmarks', answer_invalid: 'answer_schema' } as const;
/** Checks that read no completion. */
const WITHOUT_COMPLETION: readonly RowCheck[] = ['contaminated', 'personal_data'];

/**
 * Checks rows one by one, as a mapping reads them.
 * @throws {ServiceError} `invalid_request` where an option is missing, unused, or cannot be read
 */
export function createRowLinter(
  specification: Pick<AdaptationSpecification, 'mode' | 'mapping'>,
  options: LintOptions,
  paths: LintPaths,
): RowLinter {
  const { mapping } = specification;
  const hasCompletion = mapping.completion !== undefined || mapping.chat !== undefined;
  const checks = requireChecks(options, hasCompletion, paths);
  const { benchmarks = [], answer_schema: schema } = options;
  const findContamination = createContaminationFinder(benchmarks);
  const checkAnswer = schema === undefined ? () => null : createAnswerCheck(schema, paths.answer_schema);
  const reader = materialReader(specification);
  const said = (problem: string | null): string | null =>
    problem === null ? null : `The completion ${problem}`;

  const messages: Readonly<Record<RowCheck, (text: Text) => string | null>> = {
    completion_empty: ({ completion }) => (completion.trim() === '' ? COMPLETION_EMPTY : null),
    completion_degenerate: ({ completion, prompt }) =>
      completion.trim() === '' ? null : said(degeneracyOf(completion, prompt)),
    contaminated: (text) => {
      const index = findContamination(allOf(text));
      return index === null
        ? null
        : `The row shares words with benchmark ${index}: 13 in a row, or all of a short one`;
    },
    arithmetic_wrong: ({ prompt, completion }) => said(arithmeticFault(prompt, completion)),
    code_unparsable: ({ completion }) => said(codeFault(completion)),
    answer_invalid: ({ completion }) => said(checkAnswer(completion)),
    personal_data: (text) => {
      const kinds = [...new Set(allOf(text).flatMap(personalDataIn))];
      return kinds.length === 0 ? null : `The row holds what looks like ${kinds.join(', ')}`;
    },
  };
  return {
    checks,
    row(cells) {
      const material = reader.read(cells);
      if ('skip' in material) {
        const isEmpty = material.skip.code === 'completion_empty' && checks.includes('completion_empty');
        return isEmpty ? [{ check: 'completion_empty', message: COMPLETION_EMPTY }] : [];
      }
      return checks.flatMap((check) => {
        const message = messages[check](material);
        return message === null ? [] : [{ check, message }];
      });
    },
  };
}

const COMPLETION_EMPTY = 'The completion is empty';

const allOf = ({ prompt, completion, context, history }: Text): string[] => [
  prompt,
  completion,
  ...[...context, ...history].map(({ text }) => text),
];

function requireChecks(options: LintOptions, hasCompletion: boolean, paths: LintPaths): RowCheck[] {
  const { checks: asked } = options;
  const hasNeeds = (check: RowCheck): boolean =>
    !(check in NEEDS) || options[NEEDS[check as keyof typeof NEEDS]] !== undefined;
  for (const [check, field] of Object.entries(NEEDS) as [RowCheck, 'benchmarks' | 'answer_schema'][]) {
    const isAsked = asked?.includes(check) ?? hasNeeds(check);
    if (isAsked && !hasNeeds(check)) throw invalidField(paths[field], `is required by the check ${check}`);
    if (!isAsked && hasNeeds(check)) {
      throw invalidField(paths[field], `is used by the check ${check} alone; ask for that, or omit this`);
    }
  }
  const canRead = (check: RowCheck): boolean => hasCompletion || WITHOUT_COMPLETION.includes(check);
  const blind = [
    ...(asked ?? []),
    ...(options.answer_schema === undefined ? [] : ['answer_invalid' as const]),
  ].find((check) => !canRead(check));
  if (blind !== undefined) {
    throw invalidField(
      paths.checks,
      `${blind} reads completions, of which none is mapped; map completion or chat, or leave the check out`,
    );
  }
  return RowCheck.options.filter((check) => asked?.includes(check) ?? (canRead(check) && hasNeeds(check)));
}
