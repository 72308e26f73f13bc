import { TOOLS, toolsCellOf } from '#shared/tabular/decide/forms/tool-calls.ts';
import { personalDataIn } from '#shared/tabular/decide/personal-data.ts';
import type { RowCheck } from '../../schema/lint.ts';
import { equationFault } from '../equations.ts';
import type { SourceCells } from '../read-cells.ts';
import type { RowMapping } from '../row-mapping.ts';
import { materialReader, type RowMaterial } from '../row-material.ts';
import { createAnswerCheck } from './answer-schema.ts';
import { createCallCheck } from './call-fault.ts';
import { createContaminationFinder } from './contamination.ts';
import { degeneracyOf } from './degenerate.ts';
import { type LintOptions, type LintPaths, requireChecks } from './options.ts';

export interface RowFinding {
  readonly check: RowCheck;
  /** The problem, without the row's text if that may be private. */
  readonly message: string;
}

export interface RowLinter {
  /** The enabled checks. */
  readonly checks: readonly RowCheck[];
  /** Columns that they read beside those of the mapping. */
  readonly columns: readonly string[];
  row(cells: SourceCells): RowFinding[];
}

type Text = Pick<RowMaterial, 'prompt' | 'completion' | 'context' | 'history'>;

/** What is wrong with the blocks of code in a completion; null if nothing is. */
export type CodeCheck = (completion: string) => string | null;

/**
 * Checks rows one by one, by a mapping.
 * @throws {ServiceError} `invalid_request` if an option is missing, unused or invalid
 */
export function createRowLinter(
  specification: RowMapping,
  options: LintOptions,
  paths: LintPaths,
  codeFault: CodeCheck,
): RowLinter {
  const checks = requireChecks(specification, options, paths);
  const { benchmarks = [], answer_schema: schema } = options;
  const findContamination = createContaminationFinder(benchmarks);
  const checkAnswer = schema === undefined ? () => null : createAnswerCheck(schema, paths.answer_schema);
  const reader = materialReader(specification);
  const said = (problem: string | null): string | null =>
    problem === null ? null : `The completion ${problem}`;

  const { chat } = specification.mapping;
  const checkCalls = checks.includes('call_invalid') ? createCallCheck() : null;
  const findCalls = (cells: SourceCells): RowFinding[] => {
    const cell = chat === undefined ? '' : (cells.get(chat) ?? '');
    const message = orUnreadable(() => checkCalls?.(cell, toolsCellOf(cells)) ?? null);
    return message === null ? [] : [{ check: 'call_invalid', message }];
  };
  type TextCheck = Exclude<RowCheck, 'call_invalid'>;
  const ofTexts = checks.filter((check): check is TextCheck => check !== 'call_invalid');
  const messages: Readonly<Record<TextCheck, (text: Text) => string | null>> = {
    completion_empty: ({ completion }) => (completion.trim() === '' ? COMPLETION_EMPTY : null),
    completion_degenerate: ({ completion, prompt }) =>
      completion.trim() === '' ? null : said(degeneracyOf(completion, prompt)),
    contaminated: (text) => {
      const index = findContamination(allOf(text));
      return index === null
        ? null
        : `The row shares words with benchmark ${index}: 13 in a row, or all of a short one`;
    },
    arithmetic_wrong: ({ prompt, completion }) => said(equationFault(prompt, completion)),
    code_unparsable: ({ completion }) => said(codeFault(completion)),
    answer_invalid: ({ completion }) => said(checkAnswer(completion)),
    personal_data: (text) => {
      const kinds = [...new Set(allOf(text).flatMap(personalDataIn))];
      return kinds.length === 0 ? null : `The row holds what looks like ${kinds.join(', ')}`;
    },
  };
  return {
    checks,
    columns: checkCalls === null ? [] : TOOLS,
    row(cells) {
      const calls = findCalls(cells);
      const material = reader.read(cells);
      if ('skip' in material) {
        const isEmpty = material.skip.code === 'completion_empty' && checks.includes('completion_empty');
        return isEmpty ? [{ check: 'completion_empty', message: COMPLETION_EMPTY }] : calls;
      }
      const found = ofTexts.flatMap((check): RowFinding[] => {
        const message = orUnreadable(() => messages[check](material));
        return message === null ? [] : [{ check, message }];
      });
      return [...found, ...calls];
    },
  };
}

/** A text that exhausts the stack passes no check, and ends none of the checks beside it. */
function orUnreadable(find: () => string | null): string | null {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return 'The row could not be checked: a text of it is too long, or repeats itself or nests too much';
  }
}

const COMPLETION_EMPTY = 'The completion is empty';

const allOf = ({ prompt, completion, context, history }: Text): string[] => [
  prompt,
  completion,
  ...[...context, ...history].map(({ text }) => text),
];
