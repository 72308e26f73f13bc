import type { CreateDatasetRequest, CreateDatasetSource } from '#shared/datasets/schema/dataset.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { own } from '#shared/platform/own.ts';
import { TabularFormat } from '#shared/platform/schema/file-format.ts';
import type { RawColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import type { ImportOrigin, ImportSource } from '../../schema/import.ts';
import { deferredOf, rawMappingOf, saysMore, tabularFormat } from '../source.ts';
import { type ImportSettings, providerNames, targetOf } from './providers.ts';

/** The parsed source of an import. */
export interface ImportRequest {
  readonly name: string;
  readonly mode: 'adapt' | 'raw';
  readonly mapping: RawColumnMapping | null;
  readonly deferred: boolean;
  readonly unreadableShareMax?: number | undefined;
  /** Whether personal data in texts becomes placeholders. */
  readonly redactsPersonalData?: boolean | undefined;
  readonly source: ImportSource;
}

/** A file's path is an S3 key and part of URLs. */
const PATH_CHARACTERS_MAX = 1024;
/** Tab names are part of a state machine's payload. */
const SHEET_NAMES_BYTES_MAX = 12_288;

const WHAT_TO_SEND =
  'a dataset on Hugging Face or Kaggle, a Google Sheets spreadsheet, or one public S3 or Cloud Storage object ' +
  `whose https address ends in ${TabularFormat.options.map((format) => `.${format}`).join(', ')}`;

const GOOGLE_STORE = /^([a-z0-9][a-z0-9._-]*\.)?storage\.googleapis\.com$/;
const AMAZON_HOST = /^([a-z0-9][a-z0-9.-]*)\.amazonaws\.com(\.cn)?$/;

/** Whether a host belongs to an object store: path-style or virtual-hosted, with or without a region. */
function isObjectStore(host: string): boolean {
  const labels = AMAZON_HOST.exec(host)?.[1]?.split('.') ?? [];
  return labels.some((label) => label === 's3' || label.startsWith('s3-')) || GOOGLE_STORE.test(host);
}

const ALIASES: Readonly<Record<string, string>> = {
  'https://hf.co': 'https://huggingface.co',
  'https://www.huggingface.co': 'https://huggingface.co',
  'https://kaggle.com': 'https://www.kaggle.com',
};

function addressOf(source: CreateDatasetSource): URL {
  if (source.url === undefined) throw invalidField('source.url', `is required: ${WHAT_TO_SEND}`);
  if (!URL.canParse(source.url))
    throw invalidField('source.url', 'is not a URL; send it whole, with https://');
  const url = new URL(source.url);
  if (url.username !== '' || url.password !== '') {
    throw invalidField('source.url', 'must not carry a user name or password');
  }
  return url;
}

function pathOf(url: URL): string[] {
  try {
    return url.pathname.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    throw invalidField('source.url', 'has an invalid percent escape');
  }
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** `/datasets/owner/name`, optionally with `/tree/REVISION`, `/blob/REVISION/…` or `/resolve/REVISION/…`. */
function huggingFaceOrigin(url: URL): { origin: ImportOrigin; name: string } {
  const [root, ...rest] = pathOf(url);
  const verb = rest.findIndex((part, at) => at > 0 && ['tree', 'blob', 'resolve', 'viewer'].includes(part));
  const repository = verb === -1 ? rest : rest.slice(0, verb);
  if (
    root !== 'datasets' ||
    repository.length === 0 ||
    repository.length > 2 ||
    !repository.every((part) => NAME.test(part))
  ) {
    throw invalidField('source.url', 'is not the URL of a dataset on Hugging Face (…/datasets/OWNER/NAME)');
  }
  const said = verb === -1 || rest[verb] === 'viewer' ? undefined : rest[verb + 1];
  // A revision may contain slashes; those of the hub's own refs are then not escaped.
  const revision = said === 'refs' ? rest.slice(verb + 1, verb + 4).join('/') : (said ?? 'main');
  return {
    origin: { provider: 'huggingface', repository: repository.join('/'), revision },
    name: repository.at(-1) ?? '',
  };
}

/** `/datasets/owner/slug`, optionally with `/versions/N` or `?datasetVersionNumber=N`. */
function kaggleOrigin(url: URL): { origin: ImportOrigin; name: string } {
  const [root, owner = '', slug = '', verb, version] = pathOf(url);
  const said = verb === 'versions' ? version : url.searchParams.get('datasetVersionNumber');
  if (root !== 'datasets' || !NAME.test(owner) || !NAME.test(slug) || !/^[1-9]\d{0,8}$/.test(said ?? '1')) {
    throw invalidField('source.url', 'is not the URL of a dataset on Kaggle (…/datasets/OWNER/NAME)');
  }
  return {
    origin: { provider: 'kaggle', owner, slug, version: said ? Number(said) : null },
    name: slug,
  };
}

function sheetsOrigin(url: URL, source: CreateDatasetSource): { origin: ImportOrigin; name: string } {
  const [, id] =
    /^\/(?:a\/[^/]+\/)?spreadsheets\/(?:u\/\d+\/)?d\/((?:e\/)?[A-Za-z0-9_-]+)/.exec(url.pathname) ?? [];
  if (id === undefined) {
    throw invalidField('source.url', 'is not the URL of a Google Sheets spreadsheet (…/spreadsheets/d/ID)');
  }
  if ((source.access ?? 'oauth') === 'oauth') {
    throw new ServiceError(
      'connection_missing',
      'source.access: no Google account is connected to your team. Share the spreadsheet by link and send access "public".',
      { details: [{ path: 'source.access', message: 'no Google account is connected; send "public"' }] },
    );
  }
  const legacy = source.sheet_name === undefined ? [] : [source.sheet_name];
  const names = source.sheet_names ?? legacy;
  names.forEach((name, index) => {
    if (name === '') throw invalidField(`source.sheet_names[${index}]`, 'is empty; send a tab’s title');
    if (names.indexOf(name) !== index)
      throw invalidField(`source.sheet_names[${index}]`, 'stands there twice');
  });
  if (Buffer.byteLength(JSON.stringify(names)) > SHEET_NAMES_BYTES_MAX) {
    throw invalidField(
      'source.sheet_names',
      `hold more than ${SHEET_NAMES_BYTES_MAX} bytes; omit them for every tab`,
    );
  }
  return {
    origin: { provider: 'google_sheets', spreadsheet_id: id, sheet_names: names },
    name: `spreadsheet ${id.replace(/^e\//, '').slice(0, 16)}`,
  };
}

function originOf(
  source: CreateDatasetSource,
  settings: ImportSettings,
): { origin: ImportOrigin; name: string } {
  const url = addressOf(source);
  const isAllowed = settings.allowed.includes(targetOf(url));
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isAllowed)) {
    throw invalidField('source.url', 'must begin with https://');
  }
  const from = own(ALIASES, url.origin) ?? url.origin;
  if (from === settings.huggingFaceUrl) return huggingFaceOrigin(url);
  if (from === settings.kaggleUrl) return kaggleOrigin(url);
  if (from === settings.googleSheetsUrl) return sheetsOrigin(url, source);
  const isStore = isObjectStore(url.hostname) && targetOf(url).endsWith(':443');
  if (!isStore && !isAllowed) throw invalidField('source.url', `cannot be imported: ${WHAT_TO_SEND}`);
  const file = pathOf(url).at(-1) ?? '';
  url.hash = '';
  return { origin: { provider: 'object', url: url.href }, name: file };
}

function requireFiles(source: CreateDatasetSource, provider: 'huggingface' | 'kaggle'): string[] {
  const { files = [] } = source;
  if (files.length === 0) {
    throw invalidField(
      'source.files',
      `is required: the paths of the files to import from ${providerNames[provider]}`,
    );
  }
  files.forEach((file, index) => {
    const path = `source.files[${index}]`;
    if (files.indexOf(file) !== index) throw invalidField(path, 'stands there twice');
    if (file.length > PATH_CHARACTERS_MAX)
      throw invalidField(path, `is longer than ${PATH_CHARACTERS_MAX} characters`);
    const parts = file.split('/');
    if (parts.some((part) => part === '' || part === '.' || part === '..') || /[\\\p{Cc}]/u.test(file)) {
      throw invalidField(
        path,
        'is not a path below the dataset; send it as the provider shows it, without / at its start',
      );
    }
  });
  return [...files];
}

/** The common format of all files: `file_format`, or else the extension of every name. */
function formatOf(
  source: CreateDatasetSource,
  origin: ImportOrigin,
  files: readonly string[],
  name: string,
): TabularFormat {
  if (origin.provider === 'google_sheets') {
    if (source.file_format !== undefined && source.file_format !== 'csv') {
      throw invalidField('source.file_format', 'must be csv or be omitted: tabs are imported as CSV');
    }
    return 'csv';
  }
  if (origin.provider === 'object') return tabularFormat('source.url', source.file_format, name);
  const formats = files.map((file, index) =>
    tabularFormat(`source.files[${index}]`, source.file_format, file),
  );
  const [first = 'csv'] = formats;
  const other = formats.findIndex((format) => format !== first);
  if (other !== -1) {
    throw invalidField(
      `source.files[${other}]`,
      `is ${formats[other]}, while ${files[0]} is ${first}: all files of an import must have one format`,
    );
  }
  return first;
}

/** Whether a request has an import source, in the newer or the older shape (spec §4.1). */
export function asksForImport({ source }: CreateDatasetRequest): boolean {
  return source.url !== undefined || source.type === 'huggingface' || source.type === 'kaggle';
}

/**
 * Parses the source of an import (spec §4.1), including the older shape. `files` are used for hubs only, as the spec
 * requires.
 * @throws {ServiceError} `invalid_request`, `connection_missing`, or `not_available_yet` for documents
 */
export function readImportRequest(request: CreateDatasetRequest, settings: ImportSettings): ImportRequest {
  const { source } = request;
  if (source.type === 'file') {
    throw invalidField('source.url', 'contradicts source.type "file"; omit one of the two');
  }
  const { origin, name } = originOf(source, settings);
  if (source.type !== undefined && source.type !== origin.provider) {
    throw invalidField(
      'source.url',
      `is not one of ${providerNames[source.type]}, which source.type says it is`,
    );
  }
  if (source.file_size_bytes !== undefined) {
    throw invalidField('source.file_size_bytes', 'is only for uploads; omit it here');
  }
  if (source.files !== undefined && origin.provider === 'object') {
    throw invalidField('source.files', 'is only for Hugging Face and Kaggle; omit it here');
  }
  if (origin.provider !== 'google_sheets') {
    for (const field of ['sheet_names', 'sheet_name', 'access'] as const) {
      if (saysMore(source[field])) {
        throw invalidField(`source.${field}`, 'is only for Google Sheets; omit it here');
      }
    }
  }
  const files =
    origin.provider === 'huggingface' || origin.provider === 'kaggle'
      ? requireFiles(source, origin.provider)
      : [];
  return {
    name: source.name ?? name,
    mode: source.processing_mode ?? 'adapt',
    mapping: rawMappingOf(source),
    deferred: deferredOf(request),
    unreadableShareMax: source.max_unreadable_share,
    redactsPersonalData: source.redact_personal_data,
    source: { origin, files, format: formatOf(source, origin, files, name) },
  };
}
