import type { CallToolResult } from '@modelcontextprotocol/client';
import type { ToolOutcome } from '../../decide/tool-servers.ts';

type Block = CallToolResult['content'][number];

const sizeOf = (base64: string): string => `${Buffer.byteLength(base64, 'base64')} bytes`;

/** A block as text. Other content is replaced by its type and size, because a model cannot read it. */
function readBlock(block: Block): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}, ${sizeOf(block.data)}]`;
    case 'resource_link':
      return `[resource ${block.uri}: ${block.name}]`;
    case 'resource': {
      const { resource } = block;
      return 'text' in resource
        ? resource.text
        : `[resource ${resource.uri}, ${resource.mimeType ?? 'binary'}, ${sizeOf(resource.blob)}]`;
    }
  }
}

/** The result of a tool as text for the model: its blocks joined by line breaks, or its structured content as JSON. */
export function readOutcome(result: CallToolResult): ToolOutcome {
  const output =
    result.content.length === 0 && result.structuredContent !== undefined
      ? JSON.stringify(result.structuredContent)
      : result.content.map(readBlock).join('\n');
  return { output, failed: result.isError === true };
}
