import { realpath, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { formatOf } from '../upload.ts';
import type { TableFile } from './checker.ts';
import { CommandFailed, EXIT } from './io.ts';

/**
 * The files that `check` is to read. Files of the same name in two folders have their paths as names.
 * @throws {CommandFailed} if one is not there, is named twice, or is nothing that the command reads
 */
export async function tablesOf(paths: readonly string[]): Promise<TableFile[]> {
  const tables: TableFile[] = [];
  const known = new Set<string>();
  for (const path of paths) {
    tables.push(await tableOf(path));
    const real = await realpath(path);
    if (known.has(real)) throw wrongUsage(`${path} is named twice: name each file once.`);
    known.add(real);
  }
  const isShared = (name: string): boolean => tables.filter((table) => table.name === name).length > 1;
  return tables.map((table) => (isShared(table.name) ? { ...table, name: table.path } : table));
}

async function tableOf(path: string): Promise<TableFile> {
  if (path === '-') throw wrongUsage('Standard input is not read: name a file.');
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(path))
    throw wrongUsage(`${path} is an address. Download it first: check reads files.`);
  const name = basename(path);
  const format = formatOf(name);
  const kind = await kindOf(path);
  if (kind === 'folder') throw failed('file_unreadable', `${path} is a folder: name a file.`);
  if (kind === 'nothing')
    throw failed(
      'file_not_found',
      format === null || extname(name) === ''
        ? `There is no file \`${path}\`; quote column names that have spaces.`
        : `There is no file ${path}.`,
    );
  if (format === 'csv' || format === 'json' || format === 'jsonl') return { path, name, format };
  throw failed(
    'file_format_unsupported',
    `${path}: check reads .csv, .tsv, .json and .jsonl, also compressed as .gz: convert it, or use \`npx tunesmith adapt\`, which reads Parquet.`,
  );
}

async function kindOf(path: string): Promise<'file' | 'folder' | 'nothing'> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'nothing';
    throw error;
  }
}

const failed = (code: string, message: string) => new CommandFailed(EXIT.failed, code, message);
const wrongUsage = (message: string) => new CommandFailed(EXIT.usage, 'usage', message);
