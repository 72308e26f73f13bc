import type { CheckCount, CheckReport, RowPlace, TouchedRow } from '#clients/typescript/src/cli/checker.ts';
import type { DryRunResult } from '#shared/adaptation/decide/dry-run.ts';
import { checkNameOf } from '#shared/answers/decide/check-name.ts';

/** What a dry run says of a row that adapting would touch. */
type Finding = Extract<DryRunResult, { why: string }>;

/** Findings that quote a row differently each time may not fill the memory: the checks after so many are one a defect. */
const CHECKS_MAX = 200;
/** Empty rows that are listed, and as many skipped ones. */
const LISTED_MAX = 1_000;

interface Group {
  readonly check: string;
  readonly defect: Finding['defect'];
  readonly outcome: Finding['outcome'];
  count: number;
  /** The first rows, with their position among all touched rows. */
  readonly rows: { readonly position: number; readonly touched: TouchedRow }[];
}

/** Counts the results of rows, and keeps the first touched rows of each check. Its memory does not depend on the files. */
export class ReportBuilder {
  readonly #counts = { rows: 0, kept: 0, changed: 0, doubted: 0, empty: 0, skipped: 0 };
  readonly #emptyRows: RowPlace[] = [];
  readonly #skippedRows: RowPlace[] = [];
  readonly #groups = new Map<string, Group>();
  readonly #rowsMax: number;

  /** @param rowsMax the most touched rows of the report */
  constructor(rowsMax: number) {
    this.#rowsMax = rowsMax;
  }

  /** Rows so far that have an answer. */
  get answers(): number {
    const { rows, empty, skipped } = this.#counts;
    return rows - empty - skipped;
  }

  /** Counts the row at `place`. `touched` is called if the report may quote it. */
  add(result: DryRunResult, place: RowPlace, touched: () => TouchedRow): void {
    this.#counts.rows += 1;
    if (result.outcome === 'kept') {
      this.#counts.kept += 1;
    } else if (result.outcome === 'skipped') {
      this.#counts.skipped += 1;
      if (this.#skippedRows.length < LISTED_MAX) this.#skippedRows.push(place);
    } else if (result.outcome === 'doubted' && result.defect === 'empty') {
      this.#counts.empty += 1;
      if (this.#emptyRows.length < LISTED_MAX) this.#emptyRows.push(place);
    } else {
      this.#counts[result.outcome] += 1;
      const group = this.#groupOf(result);
      group.count += 1;
      const position = this.#counts.changed + this.#counts.doubted;
      if (group.rows.length < this.#rowsMax) group.rows.push({ position, touched: touched() });
    }
  }

  #groupOf(finding: Finding): Group {
    const { outcome, defect } = finding;
    const name = checkNameOf(finding);
    const keyOf = (check: string): string => `${outcome} ${defect} ${check}`;
    const isNamed = this.#groups.has(keyOf(name)) || this.#groups.size < CHECKS_MAX;
    const check = isNamed ? name : 'other findings';
    const group = this.#groups.get(keyOf(check)) ?? { check, defect, outcome, count: 0, rows: [] };
    this.#groups.set(keyOf(check), group);
    return group;
  }

  report(warnings: CheckReport['warnings']): CheckReport {
    return {
      ...this.#counts,
      empty_rows: this.#emptyRows,
      skipped_rows: this.#skippedRows,
      checks: this.#checks(),
      touched: this.#selected(),
      warnings,
    };
  }

  #checks(): CheckCount[] {
    const checks = new Map<string, CheckCount>();
    for (const { check, defect, outcome, count } of this.#groups.values()) {
      const key = `${defect} ${check}`;
      const known = checks.get(key) ?? { check, defect, changed: 0, doubted: 0 };
      checks.set(key, { ...known, [outcome]: count });
    }
    return [...checks.values()].sort((a, b) => b.changed + b.doubted - (a.changed + a.doubted));
  }

  /** The first row of every check, then the second, until there are enough. Rows that change come first. */
  #selected(): TouchedRow[] {
    const groups = [...this.#groups.values()].sort(
      (a, b) => Number(b.outcome === 'changed') - Number(a.outcome === 'changed') || b.count - a.count,
    );
    const selected: Group['rows'] = [];
    for (let n = 0; groups.some(({ rows }) => n < rows.length) && selected.length < this.#rowsMax; n += 1) {
      for (const { rows } of groups) {
        const row = rows[n];
        if (row !== undefined && selected.length < this.#rowsMax) selected.push(row);
      }
    }
    return selected.sort((a, b) => a.position - b.position).map(({ touched }) => touched);
  }
}
