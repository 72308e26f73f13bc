import type {
  DuckDBArrayType,
  DuckDBDecimalType,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  DuckDBType,
} from '@duckdb/node-api';
import { quoteIdentifier, quoteText } from './duckdb.ts';

/**
 * How values of DuckDB types travel as JSON texts, and back, without loss: numbers as numbers (those that are not
 * finite as strings), DECIMALs beyond a double's 15 digits within other values as strings, BLOBs as base64 strings,
 * dates, times, intervals and UUIDs as DuckDB writes them (time zones in UTC), MAPs as objects.
 */

/** SQL for the JSON text (VARCHAR) of a column's value; NULL for NULL. */
export function cellTextSql(value: string, type: DuckDBType): string {
  const name = typeName(type);
  if (name === 'DECIMAL') return `CAST(${value} AS VARCHAR)`;
  return `CAST(${jsonSql(value, type, 1)} AS VARCHAR)`;
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
  return decodeBlobs(`CAST(${json} AS ${wireTypeText(type)})`, type, 1);
}

/** Whether a cell of this type is JSON of any kind, instead of a string or one scalar. */
export function isJsonCell(type: DuckDBType): boolean {
  return ['JSON', 'STRUCT', 'LIST', 'ARRAY', 'MAP'].includes(typeName(type));
}

/** Whether values of this type go to JSON and back unchanged; others are kept as their text. */
export function isSupported(type: DuckDBType): boolean {
  const name = typeName(type);
  switch (name) {
    case 'LIST':
      return isSupported((type as DuckDBListType).valueType);
    case 'ARRAY':
      return isSupported((type as DuckDBArrayType).valueType);
    case 'STRUCT':
      return (type as DuckDBStructType).entryTypes.every(isSupported);
    case 'MAP': {
      const { keyType, valueType } = type as DuckDBMapType;
      return (
        !isJsonCell(keyType) && typeName(keyType) !== 'BLOB' && isSupported(keyType) && isSupported(valueType)
      );
    }
    default:
      return scalarTypes.has(name);
  }
}

const plainTypes = [
  'BOOLEAN',
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
  'VARCHAR',
];

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

const plain = new Set(plainTypes);
const scalarTypes = new Set([...plainTypes, ...textTypes, 'FLOAT', 'DOUBLE', 'DECIMAL', 'BLOB', 'JSON']);

function typeName(type: DuckDBType): string {
  if (type.alias === 'JSON') return 'JSON';
  const text = type.toString();
  if ('entryTypes' in type && text.startsWith('STRUCT')) return 'STRUCT';
  if ('keyType' in type) return 'MAP';
  if ('valueType' in type) return 'length' in type ? 'ARRAY' : 'LIST';
  if (text.startsWith('DECIMAL(')) return 'DECIMAL';
  return text;
}

/** SQL for a value as JSON; NULL for NULL. `depth` keeps the names of nested lambdas' parameters apart. */
function jsonSql(value: string, type: DuckDBType, depth: number): string {
  const name = typeName(type);
  const item = `item${depth}`;
  if (plain.has(name)) return `to_json(${value})`;
  switch (name) {
    case 'FLOAT':
    case 'DOUBLE':
      return `CASE WHEN isfinite(${value}) THEN to_json(${value}) ELSE to_json(CAST(${value} AS VARCHAR)) END`;
    case 'DECIMAL':
      return (type as DuckDBDecimalType).width <= 15
        ? `to_json(${value})`
        : `to_json(CAST(${value} AS VARCHAR))`;
    case 'JSON':
      return `CASE WHEN json_valid(${value}) THEN ${value} ELSE to_json(CAST(${value} AS VARCHAR)) END`;
    case 'BLOB':
      return `to_json(to_base64(${value}))`;
    case 'LIST':
    case 'ARRAY': {
      const itemType = (type as DuckDBListType | DuckDBArrayType).valueType;
      const items = name === 'ARRAY' ? `CAST(${value} AS ${itemType}[])` : value;
      return `to_json(list_transform(${items}, lambda ${item}: ${jsonSql(item, itemType, depth + 1)}))`;
    }
    case 'STRUCT': {
      const { entryNames, entryTypes } = type as DuckDBStructType;
      const members = entryNames.map((entry, index) => {
        const member = `struct_extract(${value}, ${quoteText(entry)})`;
        return `${quoteText(entry)}, ${jsonSql(member, entryTypes[index] as DuckDBType, depth)}`;
      });
      return `CASE WHEN ${value} IS NULL THEN NULL ELSE json_object(${members.join(', ')}) END`;
    }
    case 'MAP': {
      const { valueType } = type as DuckDBMapType;
      const entry = `struct_pack(k := CAST(${item}.key AS VARCHAR), v := ${jsonSql(`${item}.value`, valueType, depth + 1)})`;
      return `CASE WHEN ${value} IS NULL THEN NULL ELSE to_json(map_from_entries(list_transform(map_entries(${value}), lambda ${item}: ${entry}))) END`;
    }
    default:
      return `to_json(CAST(${value} AS VARCHAR))`;
  }
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

/** A type's name with every BLOB in it as VARCHAR, which is what its JSON holds. */
function wireTypeText(type: DuckDBType): string {
  switch (typeName(type)) {
    case 'BLOB':
      return 'VARCHAR';
    case 'JSON':
      return 'JSON';
    case 'LIST':
    case 'ARRAY':
      return `${wireTypeText((type as DuckDBListType).valueType)}[]`;
    case 'STRUCT': {
      const { entryNames, entryTypes } = type as DuckDBStructType;
      const members = entryNames.map(
        (entry, index) => `${quoteIdentifier(entry)} ${wireTypeText(entryTypes[index] as DuckDBType)}`,
      );
      return `STRUCT(${members.join(', ')})`;
    }
    case 'MAP': {
      const { keyType, valueType } = type as DuckDBMapType;
      return `MAP(${wireTypeText(keyType)}, ${wireTypeText(valueType)})`;
    }
    default:
      return type.toString();
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
