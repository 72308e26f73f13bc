import { codeBlocks } from '#shared/answers/decide/lint/code-blocks.ts';
import type { WitnessedRow } from '../witness.ts';
import { bracketEnd } from './literals.ts';
import type { SqlJob } from './sandbox.ts';

const CHARACTERS_MAX = 50_000;

/** The query of a row and the schema that it brings; null if it has not both. */
export function readSql({ prompt, completion, context }: WitnessedRow): SqlJob | null {
  if (prompt.length + completion.length + context.length > CHARACTERS_MAX) return null;
  const query = queryOf(completion);
  if (query === null) return null;
  const schema = [context, prompt].flatMap(schemaOf);
  return schema.some((statement) => /^create\b/i.test(statement)) ? { language: 'sql', schema, query } : null;
}

function queryOf(completion: string): string | null {
  const blocks = codeBlocks(completion);
  const [block] = blocks;
  const isSql =
    block !== undefined &&
    blocks.length === 1 &&
    block.isClosed &&
    ['sql', 'sqlite', 'mysql', 'postgresql', ''].includes(block.language);
  if (blocks.length > 0 && !isSql) return null;
  const text = (block?.code ?? completion).trim().replace(/;\s*$/, '');
  return /^(?:select|with)\b/i.test(text) && splitStatements(text).length === 1 ? text : null;
}

/** The statements of a text that create tables or fill them. */
function schemaOf(text: string): string[] {
  const at = text.search(/\bcreate\s+(?:temp(?:orary)?\s+)?table\b/i);
  if (at === -1) return [];
  return splitStatements(text.slice(at))
    .map(
      (statement) =>
        /\b(?:create\s+(?:temp(?:orary)?\s+)?table|insert\s+into)\b[\s\S]*/i.exec(statement)?.[0].trim() ??
        '',
    )
    .map(withoutTail)
    .filter((statement) => statement !== '');
}

/** A statement up to the bracket that closes it: prose may follow that has no semicolon. */
function withoutTail(statement: string): string {
  if (!/^create/i.test(statement)) return statement;
  let depth = 0;
  for (let n = 0; n < statement.length; n += 1) {
    if (statement[n] === '(') depth += 1;
    else if (statement[n] === ')') {
      depth -= 1;
      if (depth === 0) return statement.slice(0, n + 1);
    }
  }
  return statement;
}

/** The statements of a script. Semicolons in strings and comments separate nothing. */
function splitStatements(text: string): string[] {
  const statements: string[] = [];
  let held = '';
  for (const [part] of text.matchAll(
    /'(?:[^']|'')*(?:'|$)|"[^"]*(?:"|$)|`[^`]*(?:`|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|;|[^;'"`/-]+|[\s\S]/g,
  )) {
    if (part === ';') {
      statements.push(held);
      held = '';
    } else held += part.startsWith('--') || part.startsWith('/*') ? ' ' : part;
  }
  return [...statements, held].map((statement) => statement.trim()).filter((statement) => statement !== '');
}

/** Names that some dialect knows without a table: parts of dates, pseudo columns. */
const DIALECT_NAMES = new Set(
  'year quarter month week day dow doy hour minute second microsecond millisecond epoch date time timestamp interval years months days hours minutes seconds rownum rowid level user now today default dual excluded ctid xmin xmax cmin cmax tableoid oid uid nextval currval dbtimezone ora_rowscn column_value object_id object_value unknown'.split(
    ' ',
  ),
);
const DIALECT_NAME =
  /^(?:[_$@]|(?:sys|current_|session|local|utc_|connect_by_|versions_|metadata\$|input__file|block__))/;
const DIALECT_TABLES = /^(?:dual|information_schema\b|pg_|sys\b|mysql\b|sqlite_|generate_series|unnest)/i;
/** Functions of which some argument is a word of the language: a part of a date, or a type. */
const WORD_FUNCTION =
  /\b(?:(?:date|time|datetime|timestamp)\w*|extract|last_day|next_day|trunc|round|(?:try_)?convert)\s*(?=\()/gi;

/**
 * What is wrong with a query by the message of SQLite; null if another dialect may take it, or if its row tells of what the
 * schema lacks.
 * @param around the text around the query, which may name tables that it does not define
 */
export function sqlFault(message: string, { query, schema }: SqlJob, around: string): string | null {
  const [, kind = '', name = ''] = /^no such (column|table): (.+)$/.exec(message) ?? [];
  if (message === 'incomplete input') return 'it is not complete';
  const parts = name.split('.');
  const last = parts.at(-1)?.toLowerCase() ?? '';
  if (kind === '' || last === '' || parts.length > 2) return null;
  const word = `\\b${escapePattern(last)}\\b`;
  if (kind === 'table') {
    // A function of another dialect that yields a table.
    const isFunction = new RegExp(`\\b${escapePattern(name)}\\s*\\(`, 'i').test(query);
    const isKnown = isFunction || DIALECT_TABLES.test(name) || new RegExp(word, 'i').test(around);
    return isKnown ? null : `the schema has no table ${name.slice(0, 100)}`;
  }
  // Some dialects let an alias of the selection be used in it, and some take words for parts of dates.
  const isAlias = new RegExp(`\\bas\\s+["'\`[]?${escapePattern(last)}\\b`, 'i').test(query);
  if (isAlias || DIALECT_NAMES.has(last) || DIALECT_NAME.test(last) || isWord(query, last)) return null;
  if (new RegExp(`\\bcolumns?\\b[^.\\n]{0,100}${word}`, 'i').test(around)) return null;
  const inSchema = (each: string): boolean =>
    schema.some((statement) => new RegExp(`\\b${escapePattern(each)}\\b`, 'i').test(statement));
  // A field of a column that holds an object: `payload.email`.
  const [first = ''] = parts;
  const isTable = new RegExp(
    `[\\w"'\`\\]),]\\s*["'\`[]?\\b${escapePattern(first)}\\b(?!["'\`\\]]?\\s*\\.)`,
    'i',
  ).test(query);
  if (parts.length === 2 && !isTable && inSchema(first)) return null;
  return `${inSchema(last) ? 'the tables it reads have' : 'the schema has'} no column ${name.slice(0, 100)}`;
}

/** Whether a name is by itself an argument of a function that takes words of the language. */
function isWord(query: string, name: string): boolean {
  for (const { index, 0: head } of query.matchAll(WORD_FUNCTION)) {
    const open = index + head.length;
    const end = bracketEnd(query, open);
    const args = end === null ? [] : query.slice(open + 1, end - 1).split(',');
    if (args.some((each) => each.trim().toLowerCase() === name)) return true;
  }
  return false;
}

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
