import type { Caller } from '#shared/platform/access/caller.ts';
import type { Endpoint } from '../schema/catalog.ts';
import type { EndpointReply, EndpointRequest } from './endpoint-request.ts';

/** Calls an endpoint of the API as the caller. */
export type CallEndpoint = (
  endpoint: Pick<Endpoint, 'function_id' | 'method'>,
  caller: Caller,
  request: EndpointRequest,
  signal: AbortSignal,
) => Promise<EndpointReply>;

/** Sends a text to the address of an upload. @returns the status */
export type SendText = (url: string, text: string, signal: AbortSignal) => Promise<number>;

/** The result of a tool: JSON, which says what to do if it failed. */
export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
}

/** A resource as a list shows it. */
export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly mimeType: string;
}
