import { codeBlocks } from '#shared/answers/decide/lint/code-blocks.ts';
import type { WitnessedRow } from '../witness.ts';
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
  'year quarter month week day dow doy hour minute second microsecond millisecond epoch date time timestamp interval years months days hours minutes seconds rownum level sysdate user now current_user session_user today default dual excluded'.split(
    ' ',
  ),
);
const DIALECT_TABLES = /^(?:dual|information_schema\b|pg_|sys\b|mysql\b|sqlite_|generate_series|unnest)/i;

/** What is wrong with a query by the message of SQLite; null if another dialect may take it. */
export function sqlFault(message: string, { query, schema }: SqlJob): string | null {
  const [, kind = '', name = ''] = /^no such (column|table): (.+)$/.exec(message) ?? [];
  if (message === 'incomplete input') return 'it is not complete';
  const parts = name.split('.');
  const last = parts.at(-1)?.toLowerCase() ?? '';
  if (kind === '' || last === '' || parts.length > 2) return null;
  // A function of another dialect that yields a table.
  if (kind === 'table' && new RegExp(`\\b${escapePattern(name)}\\s*\\(`, 'i').test(query)) return null;
  if (kind === 'table')
    return DIALECT_TABLES.test(name) ? null : `the schema has no table ${name.slice(0, 100)}`;
  // Some dialects let an alias of the selection be used in it, and some take words for parts of dates.
  const isAlias = new RegExp(`\\bas\\s+["'\`[]?${escapePattern(last)}\\b`, 'i').test(query);
  if (isAlias || DIALECT_NAMES.has(last)) return null;
  const isInSchema = schema.some((statement) =>
    new RegExp(`\\b${escapePattern(last)}\\b`, 'i').test(statement),
  );
  return `${isInSchema ? 'the tables it reads have' : 'the schema has'} no column ${name.slice(0, 100)}`;
}

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
