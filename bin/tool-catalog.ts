import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { ToolCatalog } from '#shared/schema/tool.ts';

/**
 * The tool servers that a deployment offers: the JSON file that `TOOL_CATALOG` names, none where it names none.
 * @throws Error that says what to mend in the file
 */
export async function loadToolCatalog(path: string | undefined): Promise<ToolCatalog> {
  if (path === undefined || path === '') return [];
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`TOOL_CATALOG names ${path}, which cannot be read.`);
  });
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    throw new Error(`TOOL_CATALOG names ${path}, which is not JSON.`);
  }
  const catalog = ToolCatalog.safeParse(file);
  if (catalog.success) return catalog.data;
  throw new Error(`TOOL_CATALOG names ${path}, which is no catalog:\n${z.prettifyError(catalog.error)}`);
}
