/** The metadata at the end of a Parquet file. */
export interface ParquetMetadata {
  /** Names of the columns, as in the file. */
  readonly columns: readonly string[];
  readonly rowCount: number;
  readonly longDecimals: readonly LongDecimal[];
}

/** Decimal numbers with more digits than DuckDB's have: it reads them as doubles, and wrongly. */
export interface LongDecimal {
  /** The place of the column that holds them. */
  readonly column: number;
  /** Digits behind the point. */
  readonly scale: number;
  /** Whether they stand in lists, structures or maps. */
  readonly isNested: boolean;
}

/** The pages of a column in a row group. */
export interface ColumnChunk {
  /** Where its first page begins, from the beginning of the file. */
  readonly at: number;
  /** Values that its pages hold at least, where they hold what the footer says. */
  readonly values: number;
}

/** What the header of a page says of it. */
export interface PageHeader {
  /** Bytes of the header itself. */
  readonly length: number;
  readonly compressedBytes: number;
  readonly bytes: number;
  /** Values of rows; 0 of a dictionary. */
  readonly values: number;
}

/** Invalid Parquet metadata; the message says what is wrong. */
export class MetadataError extends Error {}

/** Deeper than any real schema. */
const DEPTH_MAX = 64;
/** More than the columns of any real file. */
const ELEMENTS_MAX = 100_000;
/** Digits of the longest decimal numbers that DuckDB has. */
export const DECIMAL_DIGITS_MAX = 38;
/** Digits of the longest that are read at all: more than any writer has. */
const LONG_DECIMAL_DIGITS_MAX = 1000;
/** The kind of repetition of a list. */
const REPEATED = 2;
/** Kinds of pages with values of rows. */
const DATA_PAGE = 0;
const NEWER_DATA_PAGE = 3;
const DICTIONARY_PAGE = 2;
/** Bytes of the longest 64-bit number. */
const VARINT_BYTES_MAX = 10;

/** Types of Thrift's compact protocol. */
const STOP = 0;
const TRUE = 1;
const FALSE = 2;
const BYTE = 3;
const DOUBLE = 7;
const BINARY = 8;
const LIST = 9;
const SET = 10;
const MAP = 11;
const STRUCT = 12;
/** Types 4, 5 and 6 are whole numbers of 16, 32 and 64 bits. Of pages and their places they are told apart, as readers do: each skips a field of another type. */
const I16 = 4;
const I32 = 5;
const I64 = 6;
const isWholeNumber = (type: number): boolean => type >= I16 && type <= I64;
/**
 * The largest encoded number by its type. What is larger, readers cut to the width of the type, and read as another number; of the
 * longest, those beyond 2^53 are no count and no place of a real file.
 */
const ENCODED_MAX: Readonly<Record<number, number>> = {
  [I16]: 2 ** 16 - 1,
  [I32]: 2 ** 32 - 1,
  [I64]: Number.MAX_SAFE_INTEGER,
};
/** The largest number of a field. */
const FIELD_MAX = 2 ** 15 - 1;

/**
 * Reads the columns and the number of rows from Parquet metadata. It reads each byte once: a number has at most ten
 * bytes, and a list no more elements than the remaining bytes.
 * @throws {MetadataError}
 */
export function readParquetMetadata(bytes: Buffer): ParquetMetadata {
  return new MetadataReader(bytes).read();
}

/**
 * Names the chunks of all columns in all row groups, as often as the metadata does.
 * @throws {MetadataError}
 */
export function eachColumnChunk(metadata: Buffer, take: (chunk: ColumnChunk) => void): void {
  new MetadataReader(metadata, take).read();
}

/**
 * Reads the header of the page that begins with these bytes.
 * @throws {MetadataError}
 */
export function readPageHeader(bytes: Buffer): PageHeader {
  return new MetadataReader(bytes).pageHeader();
}

interface SchemaElement {
  name: string;
  childCount: number;
  isRepeated: boolean;
  scale: number;
  /** Digits of a decimal number; 0 of another type. */
  precision: number;
}

class MetadataReader {
  readonly #bytes: Buffer;
  readonly #takeChunk: ((chunk: ColumnChunk) => void) | undefined;
  #at = 0;

  constructor(bytes: Buffer, takeChunk?: (chunk: ColumnChunk) => void) {
    this.#bytes = bytes;
    this.#takeChunk = takeChunk;
  }

  read(): ParquetMetadata {
    const schema: SchemaElement[] = [];
    let stated = 0;
    let ofGroups = 0;
    this.#struct(1, (field, type) => {
      if (field === 2 && type === LIST) {
        this.#list((element) => {
          if (schema.length === ELEMENTS_MAX)
            throw new MetadataError(`its schema has more than ${ELEMENTS_MAX} elements`);
          schema.push(this.#schemaElement(element));
        });
      } else if (field === 3 && isWholeNumber(type)) stated = this.#zigzag(type);
      else if (field === 4 && type === LIST) {
        this.#list((element) => {
          ofGroups += this.#groupRows(element);
        });
      } else this.#skip(type, 1);
    });
    // Some writers omit the sum.
    return { ...columnsOf(schema), rowCount: stated > 0 ? stated : ofGroups };
  }

  #schemaElement(type: number): SchemaElement {
    const element: SchemaElement = { name: '', childCount: 0, isRepeated: false, scale: 0, precision: 0 };
    this.#requireStruct(type);
    this.#struct(2, (field, fieldType) => {
      const isWhole = isWholeNumber(fieldType);
      if (field === 4 && fieldType === BINARY) element.name = this.#binary().toString('utf8');
      else if (field === 3 && isWhole) element.isRepeated = this.#zigzag(fieldType) === REPEATED;
      else if (field === 5 && isWhole) element.childCount = this.#zigzag(fieldType);
      else if (field === 7 && isWhole) element.scale = this.#zigzag(fieldType);
      else if (field === 8 && isWhole) element.precision = this.#zigzag(fieldType);
      else if (field === 10 && fieldType === STRUCT) this.#logicalType(element);
      else this.#skip(fieldType, 2);
    });
    return element;
  }

  /** Of the newer names of types, that of decimal numbers: a writer may leave the older one out. */
  #logicalType(element: SchemaElement): void {
    this.#struct(3, (kind, kindType) => {
      if (kind !== 5 || kindType !== STRUCT) {
        this.#skip(kindType, 3);
        return;
      }
      this.#struct(4, (field, fieldType) => {
        if (field === 1 && isWholeNumber(fieldType)) element.scale = this.#zigzag(fieldType);
        else if (field === 2 && isWholeNumber(fieldType)) element.precision = this.#zigzag(fieldType);
        else this.#skip(fieldType, 4);
      });
    });
  }

  #groupRows(type: number): number {
    let rows = 0;
    const chunks: ColumnChunk[] = [];
    this.#requireStruct(type);
    this.#struct(2, (field, fieldType) => {
      if (field === 3 && fieldType === I64) rows = this.#count(I64);
      else if (field === 1 && fieldType === LIST && this.#takeChunk !== undefined) {
        this.#list((element) => {
          chunks.push(this.#columnChunk(element));
        });
      } else this.#skip(fieldType, 2);
    });
    for (const { at, values } of chunks) this.#takeChunk?.({ at, values: Math.max(values, rows) });
    return rows;
  }

  #columnChunk(type: number): ColumnChunk {
    let [values, data, dictionary] = [0, 0, 0];
    this.#requireStruct(type);
    this.#struct(3, (field, fieldType) => {
      if (field !== 3 || fieldType !== STRUCT) {
        this.#skip(fieldType, 3);
        return;
      }
      this.#struct(4, (inner, innerType) => {
        if (inner === 5 && innerType === I64) values = this.#count(I64);
        else if (inner === 9 && innerType === I64) data = this.#count(I64);
        else if (inner === 11 && innerType === I64) dictionary = this.#count(I64);
        else this.#skip(innerType, 4);
      });
    });
    // Readers begin at a dictionary, and expect the other pages behind it; an offset within the magic number is none.
    return { at: dictionary >= 4 ? dictionary : data, values };
  }

  pageHeader(): PageHeader {
    let [kind, bytes, compressedBytes, dataValues, newerValues] = [0, 0, 0, 0, 0];
    this.#struct(1, (field, type) => {
      if (field === 1 && type === I32) kind = this.#count(I32);
      else if (field === 2 && type === I32) bytes = this.#count(I32);
      else if (field === 3 && type === I32) compressedBytes = this.#count(I32);
      else if (field === 5 && type === STRUCT) dataValues = this.#pageValues();
      else if (field === 8 && type === STRUCT) newerValues = this.#pageValues();
      else this.#skip(type, 1);
    });
    // Behind the header of a page of another kind some readers go on with what it says is the page, some with what stands behind the page.
    if (![DATA_PAGE, DICTIONARY_PAGE, NEWER_DATA_PAGE].includes(kind)) {
      throw new MetadataError('one of its pages is of an unknown kind');
    }
    const values = kind === DATA_PAGE ? dataValues : kind === NEWER_DATA_PAGE ? newerValues : 0;
    return { length: this.#at, bytes, compressedBytes, values };
  }

  #pageValues(): number {
    let values = 0;
    this.#struct(2, (field, type) => {
      if (field === 1 && type === I32) values = this.#count(I32);
      else this.#skip(type, 2);
    });
    return values;
  }

  #requireStruct(type: number): void {
    if (type !== STRUCT) throw new MetadataError('its footer is damaged');
  }

  #struct(depth: number, take: (field: number, type: number) => void): void {
    if (depth > DEPTH_MAX) throw new MetadataError(`its footer is nested more than ${DEPTH_MAX} deep`);
    let field = 0;
    for (;;) {
      const byte = this.#byte();
      const type = byte & 0x0f;
      if (type === STOP) return;
      const step = byte >> 4;
      field = step === 0 ? this.#zigzag(I16) : field + step;
      if (field > FIELD_MAX) throw new MetadataError('its footer is damaged');
      take(field, type);
    }
  }

  #list(take: (type: number) => void): void {
    const { length, type } = this.#listHead();
    for (let n = 0; n < length; n += 1) take(type);
  }

  #listHead(): { length: number; type: number } {
    const byte = this.#byte();
    const length = byte >> 4 === 15 ? this.#varint() : byte >> 4;
    this.#requireBytes(length);
    return { length, type: byte & 0x0f };
  }

  #skip(type: number, depth: number, isElement = false): void {
    // As a field, a boolean is encoded in its type; in a list it has a byte.
    if (type === BYTE || (isElement && (type === TRUE || type === FALSE))) this.#at += 1;
    else if (type === DOUBLE) this.#at += 8;
    else if (type === BINARY) this.#binary();
    else if (isWholeNumber(type)) this.#varint();
    else if (type === STRUCT) this.#struct(depth + 1, (_, inner) => this.#skip(inner, depth + 1));
    else if (type === LIST || type === SET) {
      const { length, type: inner } = this.#listHead();
      if (depth > DEPTH_MAX) throw new MetadataError(`its footer is nested more than ${DEPTH_MAX} deep`);
      for (let n = 0; n < length; n += 1) this.#skip(inner, depth + 1, true);
    } else if (type === MAP) this.#skipMap(depth);
    else if (type !== TRUE && type !== FALSE) throw new MetadataError('its footer is damaged');
  }

  #skipMap(depth: number): void {
    const length = this.#varint();
    this.#requireBytes(length);
    if (length === 0) return;
    if (depth > DEPTH_MAX) throw new MetadataError(`its footer is nested more than ${DEPTH_MAX} deep`);
    const types = this.#byte();
    for (let n = 0; n < length; n += 1) {
      this.#skip(types >> 4, depth + 1, true);
      this.#skip(types & 0x0f, depth + 1, true);
    }
  }

  #binary(): Buffer {
    const length = this.#varint();
    this.#requireBytes(length);
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new MetadataError('its footer ends within a value');
    this.#at += 1;
    return byte;
  }

  #requireBytes(length: number): void {
    if (length > this.#bytes.length - this.#at) throw new MetadataError('its footer ends within a value');
  }

  /** Exact up to 2^53. */
  #varint(): number {
    let value = 0;
    for (let n = 0; n < VARINT_BYTES_MAX; n += 1) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** (7 * n);
      if (byte < 0x80) return value;
    }
    throw new MetadataError('its footer is damaged');
  }

  /** A number that is never negative: readers take those that are for very large ones. */
  #count(type: number): number {
    const value = this.#zigzag(type);
    if (value < 0) throw new MetadataError('its footer is damaged');
    return value;
  }

  #zigzag(type: number): number {
    const value = this.#varint();
    if (value > (ENCODED_MAX[type] ?? 0)) throw new MetadataError('its footer is damaged');
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}

/** The root's children: the schema is a tree in depth-first order, each element before its children. */
function columnsOf(schema: readonly SchemaElement[]): Pick<ParquetMetadata, 'columns' | 'longDecimals'> {
  const [root, ...elements] = schema;
  if (root === undefined) throw new MetadataError('its footer names no columns');
  const columns: string[] = [];
  const longDecimals: LongDecimal[] = [];
  /** Remaining elements of the previous column. */
  let inside = 0;
  for (const { name, childCount, isRepeated, scale, precision } of elements) {
    const isNested = inside > 0 || isRepeated;
    if (inside === 0) columns.push(name);
    else inside -= 1;
    if (precision > LONG_DECIMAL_DIGITS_MAX || scale < 0 || scale > Math.max(precision, DECIMAL_DIGITS_MAX)) {
      throw new MetadataError('its footer has decimal numbers of an impossible length');
    }
    if (precision > DECIMAL_DIGITS_MAX) longDecimals.push({ column: columns.length - 1, scale, isNested });
    if (childCount < 0) throw new MetadataError('its footer is damaged');
    inside += childCount;
  }
  if (inside !== 0 || columns.length !== root.childCount) {
    throw new MetadataError('the schema in its footer is not whole');
  }
  return { columns, longDecimals };
}
