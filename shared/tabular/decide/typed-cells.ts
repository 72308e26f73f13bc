import { own } from '#shared/platform/own.ts';

/** A DuckDB type, as far as the JSON form of its values depends on it. */
type CellType =
  | { readonly kind: 'scalar'; readonly name: string }
  | { readonly kind: 'list'; readonly item: CellType; readonly length: number | null }
  | { readonly kind: 'struct'; readonly fields: ReadonlyMap<string, CellType> }
  | { readonly kind: 'map'; readonly key: CellType; readonly value: CellType };

/**
 * Whether a value is the JSON form in which cells of a Parquet type are shown: dates and times as DuckDB writes them
 * ("2026-01-31 08:00:00"), lists as lists, structs as objects with all their fields. Null if the type is none that only
 * Parquet has, such as numbers, or is not known.
 */
export function isCellOf(value: unknown, type: string): boolean | null {
  // A type is read as often as it has levels: nested without end, it would take seconds, and the stack.
  if (type.length > TYPE_CHARACTERS_MAX) return null;
  const parsed = parseType(type);
  if (parsed === null || (parsed.kind === 'scalar' && own(TEXT_FORMS, parsed.name) === undefined))
    return null;
  return fits(value, parsed);
}

/** Longer types are not known. */
const TYPE_CHARACTERS_MAX = 2000;

const DATE = String.raw`(\d{4})-(\d\d)-(\d\d)`;
const TIME = String.raw`([01]\d|2[0-3]):[0-5]\d:[0-5]\d`;
const INTERVAL =
  /^(?=.)(-?\d+ years?)?( ?-?\d+ months?)?( ?-?\d+ days?)?( ?-?\d+:[0-5]\d:[0-5]\d(\.\d{1,6})?)?$/;

/** The texts of scalars that are strings in JSON. */
const TEXT_FORMS: Readonly<Record<string, RegExp>> = {
  DATE: new RegExp(`^${DATE}$`),
  TIME: new RegExp(`^${TIME}(\\.\\d{1,6})?$`),
  TIME_NS: new RegExp(`^${TIME}(\\.\\d{1,9})?$`),
  'TIME WITH TIME ZONE': new RegExp(`^${TIME}(\\.\\d{1,6})?[+-]\\d\\d(:\\d\\d){0,2}$`),
  TIMESTAMP: new RegExp(`^${DATE} ${TIME}(\\.\\d{1,6})?$`),
  TIMESTAMP_S: new RegExp(`^${DATE} ${TIME}$`),
  TIMESTAMP_MS: new RegExp(`^${DATE} ${TIME}(\\.\\d{1,3})?$`),
  TIMESTAMP_NS: new RegExp(`^${DATE} ${TIME}(\\.\\d{1,9})?$`),
  'TIMESTAMP WITH TIME ZONE': new RegExp(`^${DATE} ${TIME}(\\.\\d{1,6})?\\+00$`),
  INTERVAL,
  UUID: /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/,
  BIT: /^[01]+$/,
  BLOB: /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
};

/** The least and the most of each type of whole numbers. */
const INTEGERS: Readonly<Record<string, readonly [number, number]>> = {
  TINYINT: [-128, 127],
  UTINYINT: [0, 255],
  SMALLINT: [-32_768, 32_767],
  USMALLINT: [0, 65_535],
  INTEGER: [-2_147_483_648, 2_147_483_647],
  UINTEGER: [0, 4_294_967_295],
  BIGINT: [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  UBIGINT: [0, Number.MAX_SAFE_INTEGER],
  HUGEINT: [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  UHUGEINT: [0, Number.MAX_SAFE_INTEGER],
};

function fits(value: unknown, type: CellType): boolean {
  if (value === null) return true;
  switch (type.kind) {
    case 'list':
      return (
        Array.isArray(value) &&
        (type.length === null || value.length === type.length) &&
        value.every((item) => fits(item, type.item))
      );
    case 'struct': {
      if (!isObject(value) || Object.keys(value).length !== type.fields.size) return false;
      return [...type.fields].every(
        ([name, field]) => Object.hasOwn(value, name) && fits(value[name], field),
      );
    }
    case 'map':
      return (
        isObject(value) &&
        Object.entries(value).every(([key, item]) => isKeyOf(key, type.key) && fits(item, type.value))
      );
    default:
      return fitsScalar(value, type.name);
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keys of maps are texts in JSON. */
function isKeyOf(key: string, type: CellType): boolean {
  if (fits(key, type)) return true;
  if (type.kind !== 'scalar') return false;
  if (type.name === 'BOOLEAN') return key === 'true' || key === 'false';
  return key.trim() === key && key !== '' && fits(Number(key), type);
}

function fitsScalar(value: unknown, name: string): boolean {
  const form = own(TEXT_FORMS, name);
  if (form !== undefined) return typeof value === 'string' && form.test(value) && isOfCalendar(value, name);
  const integers = own(INTEGERS, name);
  if (integers !== undefined) {
    return Number.isSafeInteger(value) && Number(value) >= integers[0] && Number(value) <= integers[1];
  }
  if (name === 'FLOAT' || name === 'DOUBLE') {
    return typeof value === 'number' ? Number.isFinite(value) : ['nan', 'inf', '-inf'].includes(`${value}`);
  }
  if (name === 'BOOLEAN') return typeof value === 'boolean';
  if (name === 'VARCHAR') return typeof value === 'string';
  if (name === 'JSON') return true;
  const [, width, scale] = /^DECIMAL\((\d+),\s*(\d+)\)$/.exec(name) ?? [];
  return width !== undefined && isDecimal(value, Number(width), Number(scale));
}

/** Decimals with more than 15 digits are texts inside of other values. */
function isDecimal(value: unknown, width: number, scale: number): boolean {
  const text = width > 15 ? value : typeof value === 'number' ? String(value) : null;
  const [, whole, fraction = ''] = typeof text === 'string' ? (/^-?(\d+)(?:\.(\d+))?$/.exec(text) ?? []) : [];
  return whole !== undefined && whole.replace(/^0+/, '').length <= width - scale && fraction.length <= scale;
}

/** Whether the day of a date or a timestamp exists. */
function isOfCalendar(text: string, name: string): boolean {
  if (name !== 'DATE' && !name.startsWith('TIMESTAMP')) return true;
  const [year, month, day] = text.slice(0, 10).split('-').map(Number) as [number, number, number];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

const SCALARS: ReadonlySet<string> = new Set([
  ...Object.keys(TEXT_FORMS),
  ...Object.keys(INTEGERS),
  'FLOAT',
  'DOUBLE',
  'BOOLEAN',
  'VARCHAR',
  'JSON',
]);

/** Parses DuckDB's text of a type; null if it is not known. */
function parseType(text: string): CellType | null {
  const [, item, length] = /^(.*)\[(\d*)\]$/s.exec(text) ?? [];
  if (item !== undefined) {
    const parsed = parseType(item);
    return parsed && { kind: 'list', item: parsed, length: length === '' ? null : Number(length) };
  }
  const members = /^(STRUCT|MAP)\((.*)\)$/s.exec(text);
  if (members === null) {
    const isKnown = SCALARS.has(text) || text.startsWith('DECIMAL(');
    return isKnown ? { kind: 'scalar', name: text } : null;
  }
  const parts = splitMembers(members[2] as string);
  if (members[1] === 'MAP') {
    const [key, value] = parts.map(parseType);
    return parts.length === 2 && key && value ? { kind: 'map', key, value } : null;
  }
  const fields = new Map<string, CellType>();
  for (const part of parts) {
    const [, quoted, bare, type] = /^(?:"((?:[^"]|"")*)"|([^\s"]+))\s+(.*)$/s.exec(part) ?? [];
    const parsed = type === undefined ? null : parseType(type);
    if (parsed === null) return null;
    fields.set(quoted?.replaceAll('""', '"') ?? (bare as string), parsed);
  }
  return { kind: 'struct', fields };
}

/** The parts between commas that are in no brackets and no quotes. */
function splitMembers(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let isQuoted = false;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '(' || character === '[') depth += 1;
    else if (character === ')' || character === ']') depth -= 1;
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  parts.push(text.slice(from).trim());
  return parts;
}
