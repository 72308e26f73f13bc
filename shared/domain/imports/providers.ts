import type { ImportOrigin } from '../../schema/import.ts';

/** Where the providers are, and what else an operator lets imports reach. */
export interface ImportSettings {
  readonly huggingFaceUrl: string;
  readonly kaggleUrl: string;
  readonly googleSheetsUrl: string;
  /** `host:port` of targets that are reached wherever they are, over http too. */
  readonly allowed: readonly string[];
}

/** Names by which people know the providers. */
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

/** Where a file of a dataset on Hugging Face is answered, mostly by a redirect to its store. */
export function huggingFaceFileUrl(
  { huggingFaceUrl }: Pick<ImportSettings, 'huggingFaceUrl'>,
  { repository, revision }: Extract<ImportOrigin, { provider: 'huggingface' }>,
  file: string,
): string {
  return `${huggingFaceUrl}/datasets/${segments(repository)}/resolve/${encodeURIComponent(revision)}/${segments(file)}`;
}

/** Where Kaggle answers a file of a dataset, or a zip of it where it keeps the file compressed. */
export function kaggleFileUrl(
  { kaggleUrl }: Pick<ImportSettings, 'kaggleUrl'>,
  { owner, slug, version }: Extract<ImportOrigin, { provider: 'kaggle' }>,
  file: string,
): string {
  const query = new URLSearchParams({ file_name: file });
  if (version !== null) query.set('dataset_version_number', String(version));
  return `${kaggleUrl}/api/v1/datasets/download/${segments(`${owner}/${slug}`)}?${query}`;
}

/** The page of a spreadsheet that names its tabs. */
export function tabsPageUrl(
  { googleSheetsUrl }: Pick<ImportSettings, 'googleSheetsUrl'>,
  spreadsheetId: string,
): string {
  const page = spreadsheetId.startsWith('e/') ? 'pubhtml' : 'htmlview';
  return `${googleSheetsUrl}/spreadsheets/d/${spreadsheetId}/${page}`;
}

/** Where a tab is answered as CSV; the spreadsheet's only one where `gid` is null. */
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

/** A tab of a spreadsheet. Of the only one of a spreadsheet neither name nor `gid` is told. */
export interface SheetTab {
  readonly name: string;
  readonly gid: string | null;
}

const TAB = /items\.push\(\{name: "((?:[^"\\]|\\.)*)", pageUrl: "(?:[^"\\]|\\.)*", gid: "(\d+)"/g;
const ONLY_TAB = /id="sheets-viewport"/;

/** The text of a JavaScript string: JSON knows all of its escapes but these. */
function textOf(literal: string): string {
  const json = literal.replaceAll(/\\x([0-9a-f]{2})/gi, '\\u00$1').replaceAll("\\'", "'");
  try {
    return JSON.parse(`"${json}"`) as string;
  } catch {
    return literal;
  }
}

/**
 * The tabs of a spreadsheet in their order, from the page that shows it. The page of a spreadsheet with one tab has
 * no menu. Null where the page shows no spreadsheet.
 */
export function readTabs(page: string): SheetTab[] | null {
  const tabs = [...page.matchAll(TAB)].map(([, name = '', gid = '']) => ({ name: textOf(name), gid }));
  if (tabs.length > 0) return tabs;
  return ONLY_TAB.test(page) ? [{ name: 'the spreadsheet', gid: null }] : null;
}
