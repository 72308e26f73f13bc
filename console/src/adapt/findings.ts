import type { Schemas } from 'tunesmith';

export type LintReport = Schemas['LintReport'];
export type Finding = LintReport['findings'][number];
type Check = Finding['check'];
export type Severity = 'error' | 'warning' | 'note';

export interface CheckAbout {
  readonly check: Check;
  readonly severity: Severity;
  readonly label: string;
  /** What it finds, as a sentence. */
  readonly finds: string;
}

/** The checks of rows, the worst first. */
export const CHECKS: readonly CheckAbout[] = [
  {
    check: 'arithmetic_wrong',
    severity: 'error',
    label: 'Wrong arithmetic',
    finds: 'An equation or a result in the answer does not hold.',
  },
  {
    check: 'answer_invalid',
    severity: 'error',
    label: 'Answer breaks the schema',
    finds: 'The answer does not satisfy the JSON Schema below.',
  },
  {
    check: 'code_unparsable',
    severity: 'error',
    label: 'Code that does not parse',
    finds: 'A block of Python, JavaScript, TypeScript or JSON has a syntax error.',
  },
  {
    check: 'completion_empty',
    severity: 'error',
    label: 'Empty answer',
    finds: 'The answer has no text. An adaptation writes one, unless the row is left out.',
  },
  {
    check: 'completion_degenerate',
    severity: 'error',
    label: 'Degenerate answer',
    finds: 'The answer has no words, repeats its prompt, or goes round in circles.',
  },
  {
    check: 'call_invalid',
    severity: 'error',
    label: 'Invalid call',
    finds:
      'A call of a tool has arguments that are no JSON object, or that the tool of the row does not take.',
  },
  {
    check: 'contaminated',
    severity: 'warning',
    label: 'Taken from a benchmark',
    finds: 'The row shares 13 words in a row with one of the benchmarks below.',
  },
  {
    check: 'personal_data',
    severity: 'warning',
    label: 'Personal data',
    finds: 'The row has an email address, a phone number, or the number of a card, an account or a person.',
  },
  {
    check: 'near_duplicate',
    severity: 'note',
    label: 'Repeats another row',
    finds: 'Prompt and context are those of an earlier row, or nearly so.',
  },
];

export const SEVERITY_WORDS: Readonly<Record<Severity, string>> = {
  error: 'wrong',
  warning: 'risk',
  note: 'repeats',
};

export interface FoundBy extends CheckAbout {
  /** Rows with a finding; null if the check was not made. */
  readonly count: number | null;
  readonly findings: readonly Finding[];
  /** Findings that are counted and not listed. */
  readonly omitted: number;
}

/** What each check has found, the worst first, over the answers of one examination. */
export function findingsByCheck(reports: readonly LintReport[]): FoundBy[] {
  return CHECKS.map((about) => {
    const counts = reports.flatMap(({ counts }) => counts[about.check] ?? []);
    const findings = reports.flatMap((report) =>
      report.findings.filter(({ check }) => check === about.check),
    );
    const count = counts.length === 0 ? null : counts.reduce((sum, each) => sum + each, 0);
    return { ...about, count, findings, omitted: Math.max(0, (count ?? 0) - findings.length) };
  });
}
