import { existsSync, readFileSync } from 'node:fs';
import { ToolCatalog } from '../../schema/tool.ts';
import { toolCatalogFile } from '../env-names.ts';
import { need } from '../need.ts';

/** The tool servers that the operator offers. The deployment puts their file beside the functions that are told of them. */
export const toolCatalog = need<ToolCatalog>({ toolCatalog: true }, () => {
  const file = new URL(toolCatalogFile, import.meta.url);
  return existsSync(file) ? ToolCatalog.parse(JSON.parse(readFileSync(file, 'utf8'))) : [];
});
