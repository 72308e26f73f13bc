import * as z from 'zod';
import type { CreateDatasetRequest, CreateDatasetSource } from '#shared/datasets/schema/dataset.ts';
import { invalidField, parseInput } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { own } from '#shared/platform/own.ts';
import { FileFormat, TabularFormat } from '#shared/platform/schema/file-format.ts';
import { RawColumnMapping } from '#shared/tabular/schema/column-mapping.ts';

export interface FileSource {
  readonly name: string;
  readonly format: FileFormat;
  readonly mode: 'adapt' | 'raw';
  readonly mapping: RawColumnMapping | null;
  readonly deferred: boolean;
  /** Share of the rows that may be left out; absent where none may. */
  readonly unreadableShareMax?: number | undefined;
  /** Whether personal data in texts becomes placeholders. */
  readonly redactsPersonalData?: boolean | undefined;
}

/** Extensions of files that are of a format with another one. */
const ALIASES: Readonly<Record<string, FileFormat>> = { htm: 'html', ndjson: 'jsonl', tsv: 'csv' };

/** Whether a file of the format may be compressed with gzip: a table as text. */
const mayBeCompressed = (format: FileFormat): boolean => ['csv', 'json', 'jsonl'].includes(format);

/** The format that the extension of a name says; of a compressed table, the one before `.gz`. */
function formatOfName(name: string): FileFormat | undefined {
  const [, ...extensions] = name.toLowerCase().split('.');
  const [last = '', before = ''] = extensions.reverse();
  const isCompressed = last === 'gz';
  const extension = isCompressed ? before : last;
  const format = own(ALIASES, extension) ?? FileFormat.safeParse(extension).data;
  return isCompressed && format !== undefined && !mayBeCompressed(format) ? undefined : format;
}

/**
 * The format of a file: the explicit one, else that of its extension (spec §4.1).
 * @throws {ServiceError} `invalid_request` without either
 */
export function fileFormat(path: string, explicit: FileFormat | undefined, name: string): FileFormat {
  const format = explicit ?? formatOfName(name);
  if (format === undefined) {
    throw invalidField(
      path,
      `is required when name does not end in a supported extension; one of ${FileFormat.options.join(', ')}`,
    );
  }
  return format;
}

/**
 * The format of a file to import.
 * @throws {ServiceError} `invalid_request` if it is unknown, `not_available_yet` for documents
 */
export function tabularFormat(path: string, explicit: FileFormat | undefined, name: string): TabularFormat {
  const format = fileFormat(path, explicit, name);
  const tabular = TabularFormat.safeParse(format);
  if (!tabular.success) {
    throw new ServiceError(
      'not_available_yet',
      `${path}: ${format} files are not imported; upload them, or import ${TabularFormat.options.join(', ')}.`,
      { details: [{ path, message: `${format} files are not imported; upload them` }] },
    );
  }
  return tabular.data;
}

/** Reads `defer_adaption` from both of its places; contradictory values are an error. */
export function deferredOf(request: CreateDatasetRequest): boolean {
  const { defer_adaption: outer } = request;
  const { defer_adaption: inner } = request.source;
  if (outer !== undefined && inner !== undefined && outer !== inner) {
    throw invalidField('defer_adaption', 'contradicts source.defer_adaption; send it once');
  }
  return outer ?? inner ?? false;
}

/**
 * The mapping of a source in raw mode, which requires one; null in any other mode, which ignores it (spec §4.1).
 * @throws {ServiceError} `invalid_request`
 */
export function rawMappingOf(source: CreateDatasetSource): RawColumnMapping | null {
  if (source.processing_mode !== 'raw') return null;
  if (source.column_mapping == null) {
    throw invalidField('source.column_mapping', 'is required when processing_mode is raw');
  }
  return parseInput('', RAW_SOURCE, { source }).source.column_mapping;
}

const RAW_SOURCE = z.object({ source: z.object({ column_mapping: RawColumnMapping }) });

/** Whether a field of spreadsheets says more than its default, which a client may send with any source. */
export const saysMore = (value: string | readonly string[] | undefined): boolean =>
  value !== undefined && value.length > 0 && value !== 'oauth';

/**
 * Parses a file source (spec §4.1), including the older shape.
 * @throws {ServiceError} `invalid_request`
 */
export function readFileSource(request: CreateDatasetRequest): FileSource {
  const { source } = request;
  if (source.name === undefined) throw invalidField('source.name', 'is required for a file upload');
  for (const field of ['files', 'sheet_names', 'sheet_name', 'access'] as const) {
    if (saysMore(source[field]))
      throw invalidField(`source.${field}`, 'is only for imports; omit it for a file upload');
  }
  const format = fileFormat('source.file_format', source.file_format, source.name);
  const mode = source.processing_mode ?? 'adapt';
  if (mode === 'raw' && format !== 'xlsx' && !TabularFormat.safeParse(format).success) {
    throw invalidField(
      'source.processing_mode',
      `must be adapt for ${format} files: raw takes the columns of a table (${TabularFormat.options.join(', ')}, xlsx) as they are`,
    );
  }
  return {
    name: source.name,
    format,
    mode,
    mapping: rawMappingOf(source),
    deferred: deferredOf(request),
    unreadableShareMax: source.max_unreadable_share,
    redactsPersonalData: source.redact_personal_data,
  };
}

/** The columns of a raw mapping, each with its path. */
export function rawMappingColumns(mapping: RawColumnMapping): [string, string][] {
  return [
    ...(['prompt', 'completion', 'chat', 'chosen', 'rejected'] as const).flatMap(
      (name): [string, string][] => {
        const column = mapping[name];
        return column === undefined ? [] : [[`column_mapping.${name}`, column]];
      },
    ),
    ...(mapping.context ?? []).map((column, index): [string, string] => [
      `column_mapping.context[${index}]`,
      column,
    ]),
  ];
}

/** The name of the stored file: the caller's name with the format's extension. */
export function fileNameOf(name: string, format: string): string {
  const given = name.toLowerCase();
  return given.endsWith(`.${format}`) || given.endsWith(`.${format}.gz`) ? name : `${name}.${format}`;
}
