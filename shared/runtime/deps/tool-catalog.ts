import { readFileSync } from 'node:fs';
import { ToolCatalog } from '../../schema/tool.ts';
import { need } from '../need.ts';

/** The tool servers that the operator offers. The build puts their file beside the functions that are told of them. */
export const toolCatalog = need<ToolCatalog>({ toolCatalog: true }, () =>
  ToolCatalog.parse(JSON.parse(readFileSync(new URL('tool-catalog.json', import.meta.url), 'utf8'))),
);
