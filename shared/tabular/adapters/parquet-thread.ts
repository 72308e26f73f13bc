import { closeSync, openSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { type Compressors, parquetMetadataAsync, parquetRead } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { DECIMAL_DIGITS_MAX } from '../decide/parquet-metadata.ts';
import { Expansion } from '../decide/size-ratio.ts';

/** How a column's values are converted to JSON. */
export type CellKind =
  | { readonly kind: 'value' | 'single' | 'double' | 'zoned' }
  | { readonly kind: 'decimal' | 'long decimal'; readonly scale: number };

/** Input of the thread that reads files that DuckDB does not support. */
export interface ParquetJob {
  readonly path: string;
  /** Output file for the rows, one JSON line each. */
  readonly output: string;
  readonly columns: readonly { readonly name: string; readonly cell: CellKind }[];
}

/** Maximum row group, which is in memory with its pages. */
const GROUP_BYTES_MAX = 256 * 1024 * 1024;
const PAGE_BYTES_MAX = 64 * 1024 * 1024;
/** More than a thousand digits take: converting a number takes the square of its length. */
const LONG_DECIMAL_BYTES_MAX = 512;

/** Decompressors that reject a declared size above that of a page. */
const bounded = Object.fromEntries(
  Object.entries(compressors).map(([codec, decompress]) => [
    codec,
    (input: Uint8Array, bytes: number): Uint8Array => {
      if (bytes < 0 || bytes > PAGE_BYTES_MAX) throw new Error('A page is too large.');
      return decompress(input, bytes);
    },
  ]),
) as Compressors;

/** Times in DuckDB's format. */
const parsers = {
  timestampFromMilliseconds: (units: bigint) => timeText(units, 1_000n),
  timestampFromMicroseconds: (units: bigint) => timeText(units, 1_000_000n),
  timestampFromNanoseconds: (units: bigint) => timeText(units, 1_000_000_000n),
  dateFromDays: (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10),
};

function timeText(units: bigint, perSecond: bigint): string {
  const rest = ((units % perSecond) + perSecond) % perSecond;
  const seconds = new Date(Number((units - rest) / perSecond) * 1000).toISOString().slice(0, 19);
  const digits = String(rest).padStart(String(perSecond).length - 1, '0');
  const fraction = digits.replace(/(?<!0)0+$/, '');
  return `${seconds.replace('T', ' ')}${/[1-9]/.test(fraction) ? `.${fraction}` : ''}`;
}

function cellJson(value: unknown, cell: CellKind): string {
  if (value === null || value === undefined) return 'null';
  if (cell.kind === 'zoned') return JSON.stringify(`${String(value)}+00`);
  if (cell.kind === 'decimal') return (value as number).toFixed(cell.scale);
  if (cell.kind === 'long decimal') return `"${longDecimalText(value as Uint8Array, cell.scale)}"`;
  if (cell.kind === 'single') return realText(shortest(value as number));
  return cell.kind === 'double' ? realText(value as number) : jsonText(value);
}

/** A number of any length in two's complement, the highest byte first, with so many digits behind its point. */
function longDecimalText(bytes: Uint8Array, scale: number): string {
  if (bytes.length > LONG_DECIMAL_BYTES_MAX) throw new Error('A number is too long.');
  const bits = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`);
  const units = BigInt.asIntN(bytes.length * 8, bits);
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return `${units < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${digits.slice(-scale)}`}`;
}

function jsonText(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (value instanceof Uint8Array) return JSON.stringify(Buffer.from(value).toString('base64'));
  // A list; JSON supports all of its values except BigInt.
  if (Array.isArray(value))
    return `[${value.map((each) => (each === null ? 'null' : jsonText(each))).join(',')}]`;
  return JSON.stringify(value);
}

/** A floating-point number with a decimal point, as DuckDB formats it. */
function realText(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  if (Math.abs(value) >= 1e16 && Number.isFinite(value)) return value.toExponential();
  return Number.isInteger(value) ? `${value}.0` : jsonText(value);
}

/** The shortest number with the same single-precision value. */
function shortest(value: number): number {
  if (!Number.isFinite(value) || value === 0) return value;
  const digits = [6, 7, 8].find((count) => Math.fround(Number(value.toPrecision(count))) === value);
  return digits === undefined ? value : Number(value.toPrecision(digits));
}

async function run({ path, output, columns }: ParquetJob): Promise<void> {
  const source = await open(path);
  const target = openSync(output, 'w');
  try {
    const { size } = await source.stat();
    const file = {
      byteLength: size,
      slice: async (start: number, end = size): Promise<ArrayBuffer> => {
        const bytes = new Uint8Array(Math.max(0, end - start));
        await source.read(bytes, 0, bytes.length, start);
        return bytes.buffer;
      },
    };
    const metadata = await parquetMetadataAsync(file, { parsers, geoparquet: false });
    // The library makes doubles of decimal numbers: of those with more digits it gives the bytes, if their type is not told.
    for (const element of metadata.schema) {
      if ((element.precision ?? 0) <= DECIMAL_DIGITS_MAX) continue;
      delete element.converted_type;
      delete element.logical_type;
    }
    const expansion = new Expansion();
    expansion.read(size);
    let rowStart = 0;
    for (const group of metadata.row_groups) {
      const rowEnd = rowStart + Number(group.num_rows);
      if (Number(group.total_byte_size) > GROUP_BYTES_MAX) throw new Error('A row group is too large.');
      await parquetRead({
        file,
        metadata,
        rowStart,
        rowEnd,
        parsers,
        utf8: false,
        geoparquet: false,
        compressors: bounded,
        onComplete: (rows) => {
          for (const row of rows) {
            const cells = columns.map(
              ({ name, cell }, n) => `${JSON.stringify(name)}:${cellJson(row[n], cell)}`,
            );
            const line = `{${cells.join(',')}}\n`;
            expansion.write(line.length, 1);
            writeSync(target, line);
          }
        },
      });
      rowStart = rowEnd;
    }
  } finally {
    closeSync(target);
    await source.close();
  }
}

if (parentPort !== null) {
  await run(workerData as ParquetJob);
  parentPort.postMessage('read');
}
