/** Longest statement that is checked. */
const SQL_MAX = 5_000;

/** Words that are no columns. */
const KEYWORDS = new Set(
  (
    'and or not in is null like ilike between case when then else end exists all any distinct true false asc desc as ' +
    'interval date time timestamp year month day hour minute second over partition by order filter where rows range ' +
    'preceding following unbounded current row collate cast integer varchar numeric decimal double real text boolean ' +
    'similar to escape glob union intersect except limit offset having select from group'
  ).split(' '),
);

/**
 * Why a query cannot run as SQL defines it, in words that continue "The answer …": a column in HAVING that is neither
 * grouped nor aggregated, or an aggregate in WHERE. Null if neither is certain. The query is not run.
 */
export function sqlFault(sql: string): string | null {
  if (sql.length > SQL_MAX) return null;
  const plain = sql.replaceAll(/'[^'\n]*'/g, "''").replaceAll(/--[^\n]*/g, ' ');
  // Statements inside others have clauses of their own.
  if ((plain.match(/\bselect\b/gi)?.length ?? 0) !== 1) return null;
  const where = clauseOf(plain, 'where');
  if (/\b(?:count|sum|avg|min|max)\s{0,4}\(/i.test(where))
    return 'uses an aggregate in WHERE, where HAVING is needed';
  const grouped = clauseOf(plain, 'group by');
  // An ordinal or an expression groups by what the statement selects.
  if (!/^\s*["\w.]+(?:\s*,\s*["\w.]+){0,10}\s*$/.test(grouped) || /\d/.test(grouped)) return null;
  const named = new Set([...namesIn(grouped), ...aliasesIn(plain)]);
  const column = namesIn(withoutCalls(clauseOf(plain, 'having'))).find((name) => !named.has(name));
  return column === undefined ? null : `uses ${column} in HAVING, which is neither grouped nor aggregated`;
}

const CLAUSES = ['where', 'group by', 'having', 'order by', 'limit', 'window', 'qualify', 'union'];

/** The text of a clause up to the next one; empty if the statement has none. */
function clauseOf(sql: string, clause: string): string {
  const spaced = sql.replaceAll(/\s+/g, ' ');
  const lower = spaced.toLowerCase();
  const start = lower.indexOf(` ${clause} `);
  if (start === -1) return '';
  const from = start + clause.length + 2;
  const ends = CLAUSES.map((other) => lower.indexOf(` ${other} `, from)).filter((end) => end !== -1);
  return spaced.slice(from, Math.min(...ends, spaced.length)).replace(/;\s{0,4}$/, '');
}

/** Names of columns, in lower case and without their table. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/(?<![\w."])"?[a-z_]\w*"?(?:\."?\w+"?)?/gi)]
    .map(([name]) => name.toLowerCase().replaceAll('"', '').replace(/^.*\./, ''))
    .filter((name) => !KEYWORDS.has(name));
}

const aliasesIn = (sql: string): string[] =>
  [...sql.matchAll(/(?:\bas\s{1,4}|\)\s{1,4}(?!as\b))"?([a-z_]\w*)"?/gi)].map(([, name = '']) =>
    name.toLowerCase(),
  );

/** A condition without the calls of functions and what they are given. */
function withoutCalls(condition: string): string {
  let text = condition;
  for (let depth = 0; depth < 4; depth += 1) text = text.replaceAll(/\b\w+\s?\([^()]{0,500}\)/g, ' ');
  return text;
}
