import { parquetMetadataAsync, parquetSchema } from 'hyparquet';
import { nameColumns } from '#shared/domain/tabular/csv-dialect.ts';
import { fileEmpty, fileUnreadable, formatBytes } from '#shared/domain/tabular/file-error.ts';
import { describeSignature } from '#shared/domain/tabular/file-signature.ts';
import { ServiceError } from '#shared/errors/service-error.ts';

/** The file's bytes `from` to `to`, both inclusive. */
export type ReadRange = (from: number, to: number) => Promise<Buffer>;

const TAIL_BYTES = 64 * 1024;
const FOOTER_BYTES_MAX = 32 * 1024 * 1024;

/**
 * The column names (told apart where the file repeats one) and the row count of a Parquet file of `size` bytes, from its last bytes.
 * Throws `file_unreadable` or `file_empty`.
 */
export async function readParquetFooter(
  size: number,
  readRange: ReadRange,
): Promise<{ columns: string[]; rowCount: number }> {
  if (size === 0) throw fileEmpty('The file is empty. Upload a Parquet file with at least one row.');
  let readFailure: { readonly error: unknown } | undefined;
  const read = async (start: number, end: number): Promise<Uint8Array> => {
    if (end - start > FOOTER_BYTES_MAX) {
      throw new Error(`its footer is larger than ${formatBytes(FOOTER_BYTES_MAX)}`);
    }
    try {
      return await readRange(start, end - 1);
    } catch (error) {
      readFailure = { error };
      throw error;
    }
  };

  try {
    const head = await read(0, Math.min(size, 512));
    if (Buffer.from(head.subarray(0, 4)).toString('latin1') !== 'PAR1') {
      const kind = describeSignature(head);
      throw fileUnreadable(
        `The file was announced as parquet, but its first bytes are ${kind === null ? 'not those of a Parquet file' : `those of ${kind}`}. Upload the Parquet file itself.`,
      );
    }
    const file = {
      byteLength: size,
      slice: async (start: number, end = size): Promise<ArrayBuffer> => {
        const bytes = await read(start, end);
        return new Uint8Array(bytes).buffer;
      },
    };
    const metadata = await parquetMetadataAsync(file, { initialFetchSize: TAIL_BYTES });
    const columns = nameColumns(parquetSchema(metadata).children.map(({ element }) => element.name)).names;
    return { columns, rowCount: Number(metadata.num_rows) };
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    if (readFailure !== undefined) throw readFailure.error;
    // hyparquet says what it misses in plain errors; a TypeError only shows that it stumbled over the bytes.
    const plain = error instanceof Error && !(error instanceof TypeError || error instanceof RangeError);
    const reason = plain ? error.message : 'its footer is damaged';
    throw fileUnreadable(
      `The file is not a readable Parquet file: ${reason}. It may have been cut off or damaged; upload it again.`,
      error,
    );
  }
}
