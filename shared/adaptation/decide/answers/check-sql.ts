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
 * Why a query cannot run as SQL defines it, in words that continue "The answer …": brackets or marks that are not closed,
 * clauses in the wrong order, a column in HAVING that is neither grouped nor aggregated, an aggregate in WHERE, a column
 * that its table does not have. Null if none is certain. The query is not run.
 */
export function sqlFault(sql: string, asked = ''): string | null {
  if (sql.length > SQL_MAX) return null;
  const plain = sql.replaceAll(/'[^']*'/g, "''").replaceAll(/--[^\n]*/g, ' ');
  const notation = notationFault(plain);
  if (notation !== null) return notation;
  // Statements inside others have clauses of their own.
  if ((plain.match(/\bselect\b/gi)?.length ?? 0) !== 1) return null;
  const order = orderFault(plain);
  if (order !== null) return order;
  const where = clauseOf(plain, 'where');
  if (/\b(?:count|sum|avg|min|max)\s{0,4}\(/i.test(where))
    return 'uses an aggregate in WHERE, where HAVING is needed';
  return unknownColumn(plain, asked) ?? havingFault(plain);
}

function notationFault(plain: string): string | null {
  if (plain.replaceAll("''", '').includes("'")) return 'has a text in quotation marks that is not closed';
  let depth = 0;
  for (const mark of plain.match(/[()]/g) ?? []) {
    depth += mark === '(' ? 1 : -1;
    if (depth < 0) return 'closes a bracket that is not open';
  }
  return depth === 0 ? null : 'has a bracket that is not closed';
}

/** The order of the clauses of a statement without others inside. */
const CLAUSE_ORDER = ['select', 'from', 'where', 'group by', 'having', 'order by', 'limit'];

function orderFault(plain: string): string | null {
  // Functions, windows and filters have clauses inside brackets.
  const outer = withoutBrackets(plain).replaceAll(/\s+/g, ' ').toLowerCase();
  const places = CLAUSE_ORDER.map((clause) => [clause, ` ${outer} `.indexOf(` ${clause} `)] as const).filter(
    ([, at]) => at !== -1,
  );
  for (const [n, [clause, at]] of places.entries()) {
    const next = places[n + 1];
    if (next !== undefined && next[1] < at)
      return `has ${next[0].toUpperCase()} before ${clause.toUpperCase()}`;
  }
  return null;
}

function withoutBrackets(text: string): string {
  let rest = text;
  for (let depth = 0; depth < 4; depth += 1) rest = rest.replaceAll(/\([^()]{0,1000}\)/g, ' ');
  return rest;
}

/** The columns of the tables that a request defines, in lower case, by table; empty if it defines none. */
function tablesIn(asked: string): ReadonlyMap<string, ReadonlySet<string>> {
  const tables = new Map<string, ReadonlySet<string>>();
  for (const [, name = '', body = ''] of asked.matchAll(
    // At most 4,000 characters.
    /\bcreate table (?:if not exists )?"?(\w{1,60})"?\s{0,4}\(([^;]{1,2000}?)\)\s{0,4}(?:;|$)/gim,
  )) {
    const columns = withoutBrackets(body)
      .split(',')
      .map((column) => (/^\s*"?(\w+)"?\s+\w/.exec(column)?.[1] ?? '').toLowerCase())
      .filter(
        (column) => column !== '' && !/^(?:primary|foreign|unique|constraint|check|key|index)$/.test(column),
      );
    tables.set(name.toLowerCase(), new Set(columns));
  }
  return tables;
}

/** A compared column of a query on one table that the table does not have. */
function unknownColumn(plain: string, asked: string): string | null {
  const [, name = '', alias = ''] = /\bfrom\s+"?(\w+)"?(?:\s+(?:as\s+)?(\w+))?/i.exec(plain) ?? [];
  if (/\bjoin\b|\bfrom\s+[^;]{0,200},\s*\w+\s+(?:where|on)\b|\bwith\b/i.test(plain)) return null;
  const columns = tablesIn(asked).get(name.toLowerCase());
  if (columns === undefined || columns.size === 0) return null;
  const known = new Set([...columns, ...aliasesIn(plain), name.toLowerCase(), alias.toLowerCase()]);
  const compared = [
    ...plain.matchAll(
      /(?<![\w."'])(?:\w+\.)?([a-z_]\w*)\s{0,4}(?:=|<|>|!=|\blike\b|\bin\b|\bis\b|\bbetween\b)/gi,
    ),
  ]
    .map(([, column = '']) => column.toLowerCase())
    .filter((column) => !KEYWORDS.has(column));
  const unknown = compared.find((column) => !known.has(column));
  return unknown === undefined ? null : `uses ${unknown}, which is no column of ${name}`;
}

function havingFault(plain: string): string | null {
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
