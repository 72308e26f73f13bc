import { existsSync, readFileSync } from 'node:fs';
import { toolCatalogFile } from '#shared/platform/runtime/env-names.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { ToolCatalog } from '../schema/tool.ts';

/** The tool servers of the operator. The deployment adds their file to the functions that use it. */
export const toolCatalog = /* @__PURE__ */ need<ToolCatalog>({ toolCatalog: true }, () => {
  const file = new URL(toolCatalogFile, import.meta.url);
  return existsSync(file) ? ToolCatalog.parse(JSON.parse(readFileSync(file, 'utf8'))) : [];
});
