import type {
  DuckDBArrayType,
  DuckDBBlobValue,
  DuckDBDecimalType,
  DuckDBListType,
  DuckDBListValue,
  DuckDBMapType,
  DuckDBMapValue,
  DuckDBStructType,
  DuckDBStructValue,
  DuckDBType,
  DuckDBValue,
} from '@duckdb/node-api';
import { own } from '#shared/platform/own.ts';
import { quoteIdentifier, quoteText } from './duckdb.ts';

/**
 * Converts values of DuckDB types to JSON texts and back without loss: numbers as numbers (non-finite ones as NaN and Infinity),
 * DECIMALs with more than 15 digits inside other values as strings, BLOBs as base64, dates, times, intervals and UUIDs
 * as DuckDB formats them (time zones in UTC), MAPs as objects.
 */

/**
 * SQL that selects a column's values for `cellJson`: every scalar except BLOBs as VARCHAR, nested types in their
 * structure, and types without a JSON form as their text. DuckDB's JSON functions are not used, because their working memory is many times a wide row group's.
 */
export function cellValuesSql(column: string, type: DuckDBType): string {
  if (isOpaque(type)) return `CAST(${column} AS VARCHAR)`;
  const target = castTypeText(type, (name) => (name === 'BLOB' ? name : 'VARCHAR'));
  return target === type.toString() && type.alias === undefined ? column : `CAST(${column} AS ${target})`;
}

/** The JSON text of a value from `cellValuesSql`; the text of a JSON column is unchanged. */
export function cellJson(value: DuckDBValue, type: DuckDBType): string {
  return isOpaque(type) && value !== null ? JSON.stringify(value) : jsonText(value, type, false);
}

function jsonText(value: DuckDBValue, type: DuckDBType, nested: boolean): string {
  if (value === null) return 'null';
  const name = typeName(type);
  if (numberTypes.has(name)) return numberText(value as string);
  switch (name) {
    case 'VARCHAR':
      return JSON.stringify(value);
    case 'BOOLEAN':
    case 'JSON':
      return value as string;
    case 'DECIMAL': {
      // DuckDB reads nested JSON numbers as doubles.
      const exact = !nested || (type as DuckDBDecimalType).width <= 15;
      return exact ? (value as string) : JSON.stringify(value);
    }
    case 'BLOB': {
      const { bytes } = value as DuckDBBlobValue;
      return `"${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}"`;
    }
    case 'LIST':
    case 'ARRAY': {
      const { valueType } = type as DuckDBListType | DuckDBArrayType;
      const items = (value as DuckDBListValue).items.map((item) => jsonText(item, valueType, true));
      return `[${items.join(',')}]`;
    }
    case 'STRUCT': {
      const { entryNames, entryTypes } = type as DuckDBStructType;
      const { entries } = value as DuckDBStructValue;
      const members = entryNames.map((entry, index) => {
        const member = jsonText(own(entries, entry) ?? null, entryTypes[index] as DuckDBType, true);
        return `${JSON.stringify(entry)}:${member}`;
      });
      return `{${members.join(',')}}`;
    }
    case 'MAP': {
      const { valueType } = type as DuckDBMapType;
      const members = (value as DuckDBMapValue).entries.map(
        (entry) => `${JSON.stringify(entry.key)}:${jsonText(entry.value, valueType, true)}`,
      );
      return `{${members.join(',')}}`;
    }
    default:
      return JSON.stringify(value);
  }
}

/** DuckDB's text of a number, and those that are not finite as Python's JSON has them. */
function numberText(text: string): string {
  return text.replace('nan', 'NaN').replace('inf', 'Infinity');
}

/** SQL for a column's value from its cell's text: a string's content, or any JSON text of a nested or JSON value. */
export function cellValueSql(text: string, type: DuckDBType, typeText: string): string {
  const name = typeName(type);
  if (name === 'VARCHAR') return text;
  if (name === 'BLOB') return `from_base64(${text})`;
  if (!isJsonCell(type)) return `CAST(${text} AS ${typeText})`;
  const json = `CAST(${text} AS JSON)`;
  if (name === 'JSON') return json;
  if (!hasBlob(type)) return `CAST(${json} AS ${typeText})`;
  // Their JSON contains BLOBs as base64 strings.
  const target = castTypeText(type, (scalar, { alias }) =>
    scalar === 'BLOB' ? 'VARCHAR' : (alias ?? scalar),
  );
  return decodeBlobs(`CAST(${json} AS ${target})`, type, 1);
}

/** Whether a cell of this type is arbitrary JSON, instead of a string or one scalar. */
export function isJsonCell(type: DuckDBType): boolean {
  return ['JSON', 'STRUCT', 'LIST', 'ARRAY', 'MAP'].includes(typeName(type));
}

/** Whether a type has no JSON form: maps with keys that are no scalars, and structs with an entry without a name. */
function isOpaque(type: DuckDBType): boolean {
  switch (typeName(type)) {
    case 'LIST':
    case 'ARRAY':
      return isOpaque((type as DuckDBListType).valueType);
    case 'STRUCT': {
      const { entryNames, entryTypes } = type as DuckDBStructType;
      return entryNames.includes('') || entryTypes.some(isOpaque);
    }
    case 'MAP': {
      const { keyType, valueType } = type as DuckDBMapType;
      return isJsonCell(keyType) || typeName(keyType) === 'BLOB' || isOpaque(valueType);
    }
    default:
      return false;
  }
}

/** Whether values of this type round-trip through JSON; others are kept as text. */
export function isSupported(type: DuckDBType): boolean {
  const name = typeName(type);
  switch (name) {
    case 'LIST':
      return isSupported((type as DuckDBListType).valueType);
    case 'ARRAY':
      return isSupported((type as DuckDBArrayType).valueType);
    case 'STRUCT':
      return (type as DuckDBStructType).entryTypes.every(isSupported) && !isOpaque(type);
    case 'MAP': {
      const { keyType, valueType } = type as DuckDBMapType;
      return !isOpaque(type) && isSupported(keyType) && isSupported(valueType);
    }
    default:
      return scalarTypes.has(name);
  }
}

const numberTypes = new Set([
  'TINYINT',
  'SMALLINT',
  'INTEGER',
  'BIGINT',
  'HUGEINT',
  'UTINYINT',
  'USMALLINT',
  'UINTEGER',
  'UBIGINT',
  'UHUGEINT',
  'FLOAT',
  'DOUBLE',
]);

const textTypes = [
  'DATE',
  'TIME',
  'TIME_NS',
  'TIME WITH TIME ZONE',
  'TIMESTAMP',
  'TIMESTAMP_S',
  'TIMESTAMP_MS',
  'TIMESTAMP_NS',
  'TIMESTAMP WITH TIME ZONE',
  'INTERVAL',
  'UUID',
  'BIT',
];

const scalarTypes = new Set([...numberTypes, ...textTypes, 'BOOLEAN', 'VARCHAR', 'DECIMAL', 'BLOB', 'JSON']);

function typeName(type: DuckDBType): string {
  if (type.alias === 'JSON') return 'JSON';
  const text = type.toString();
  if ('entryTypes' in type && text.startsWith('STRUCT')) return 'STRUCT';
  if ('keyType' in type) return 'MAP';
  if ('valueType' in type) return 'length' in type ? 'ARRAY' : 'LIST';
  if (text.startsWith('DECIMAL(')) return 'DECIMAL';
  return text;
}

function hasBlob(type: DuckDBType): boolean {
  switch (typeName(type)) {
    case 'BLOB':
      return true;
    case 'LIST':
    case 'ARRAY':
      return hasBlob((type as DuckDBListType).valueType);
    case 'STRUCT':
      return (type as DuckDBStructType).entryTypes.some(hasBlob);
    case 'MAP':
      return hasBlob((type as DuckDBMapType).valueType);
    default:
      return false;
  }
}

/** A type's name with its scalars replaced by `scalar`. */
function castTypeText(type: DuckDBType, scalar: (name: string, type: DuckDBType) => string): string {
  const name = typeName(type);
  switch (name) {
    case 'LIST':
    case 'ARRAY':
      return `${castTypeText((type as DuckDBListType).valueType, scalar)}[]`;
    case 'STRUCT': {
      const { entryNames, entryTypes } = type as DuckDBStructType;
      const members = entryNames.map(
        (entry, index) =>
          `${quoteIdentifier(entry)} ${castTypeText(entryTypes[index] as DuckDBType, scalar)}`,
      );
      return `STRUCT(${members.join(', ')})`;
    }
    case 'MAP': {
      const { keyType, valueType } = type as DuckDBMapType;
      return `MAP(${castTypeText(keyType, scalar)}, ${castTypeText(valueType, scalar)})`;
    }
    default:
      return scalar(name, type);
  }
}

function decodeBlobs(value: string, type: DuckDBType, depth: number): string {
  if (!hasBlob(type)) return value;
  const item = `item${depth}`;
  switch (typeName(type)) {
    case 'BLOB':
      return `from_base64(${value})`;
    case 'LIST':
    case 'ARRAY': {
      const decoded = decodeBlobs(item, (type as DuckDBListType).valueType, depth + 1);
      return `list_transform(${value}, lambda ${item}: ${decoded})`;
    }
    case 'STRUCT': {
      const { entryNames, entryTypes } = type as DuckDBStructType;
      const members = entryNames.map((entry, index) => {
        const member = `struct_extract(${value}, ${quoteText(entry)})`;
        return `${quoteIdentifier(entry)} := ${decodeBlobs(member, entryTypes[index] as DuckDBType, depth)}`;
      });
      return `CASE WHEN ${value} IS NULL THEN NULL ELSE struct_pack(${members.join(', ')}) END`;
    }
    default: {
      const decoded = decodeBlobs(`${item}.value`, (type as DuckDBMapType).valueType, depth + 1);
      const entry = `struct_pack(k := ${item}.key, v := ${decoded})`;
      return `CASE WHEN ${value} IS NULL THEN NULL ELSE map_from_entries(list_transform(map_entries(${value}), lambda ${item}: ${entry})) END`;
    }
  }
}
