import type { ImportOrigin } from '../../schema/import.ts';

/** The addresses of the providers, and additional targets that an operator allows for imports. */
export interface ImportSettings {
  readonly huggingFaceUrl: string;
  readonly kaggleUrl: string;
  readonly googleSheetsUrl: string;
  /** `host:port` of targets that are allowed at any address, and over HTTP too. */
  readonly allowed: readonly string[];
}

/** Display names of the providers. */
export const providerNames = {
  huggingface: 'Hugging Face',
  kaggle: 'Kaggle',
  google_sheets: 'Google Sheets',
  object: 'The object store',
} as const satisfies Record<ImportOrigin['provider'], string>;

const segments = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** `example.com:443` */
export function targetOf(url: URL): string {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return `${url.hostname.replace(/^\[|\]$/g, '')}:${port}`;
}

/** URL of a file of a dataset on Hugging Face; the response is mostly a redirect to its storage. */
export function huggingFaceFileUrl(
  { huggingFaceUrl }: Pick<ImportSettings, 'huggingFaceUrl'>,
  { repository, revision }: Extract<ImportOrigin, { provider: 'huggingface' }>,
  file: string,
): string {
  return `${huggingFaceUrl}/datasets/${segments(repository)}/resolve/${encodeURIComponent(revision)}/${segments(file)}`;
}

/** URL of a file of a dataset on Kaggle; the response is a zip if Kaggle stores the file compressed. */
export function kaggleFileUrl(
  { kaggleUrl }: Pick<ImportSettings, 'kaggleUrl'>,
  { owner, slug, version }: Extract<ImportOrigin, { provider: 'kaggle' }>,
  file: string,
): string {
  const query = new URLSearchParams({ file_name: file });
  if (version !== null) query.set('dataset_version_number', String(version));
  return `${kaggleUrl}/api/v1/datasets/download/${segments(`${owner}/${slug}`)}?${query}`;
}

/** URL of the page of a spreadsheet that lists its tabs. */
export function tabsPageUrl(
  { googleSheetsUrl }: Pick<ImportSettings, 'googleSheetsUrl'>,
  spreadsheetId: string,
): string {
  const page = spreadsheetId.startsWith('e/') ? 'pubhtml' : 'htmlview';
  return `${googleSheetsUrl}/spreadsheets/d/${spreadsheetId}/${page}`;
}

/** URL of a tab as CSV; the spreadsheet's only one if `gid` is null. */
export function tabCsvUrl(
  { googleSheetsUrl }: Pick<ImportSettings, 'googleSheetsUrl'>,
  spreadsheetId: string,
  gid: string | null,
): string {
  const isPublished = spreadsheetId.startsWith('e/');
  const query = new URLSearchParams(isPublished ? { output: 'csv', single: 'true' } : { format: 'csv' });
  if (gid !== null) query.set('gid', gid);
  return `${googleSheetsUrl}/spreadsheets/d/${spreadsheetId}/${isPublished ? 'pub' : 'export'}?${query}`;
}
