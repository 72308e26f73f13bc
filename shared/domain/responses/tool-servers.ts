import type { ListedTool } from '../../schema/listed-tool.ts';
import type { Caller } from '../access/caller.ts';

/** Where a remote tool server is, and by what right it is asked. */
export interface ToolServer {
  /** As the request calls it. */
  readonly label: string;
  readonly url: string;
  /** Value of the `Authorization` header. It is never stored, logged or answered. */
  readonly authorization: string | null;
}

/** Output of a tool, as text for the model. */
export interface ToolOutcome {
  readonly output: string;
  /** The server ran the tool, and the tool says that it failed. */
  readonly failed: boolean;
}

/** The kinds of the `error` of `mcp_list_tools` and `mcp_call` items. */
export type ToolServerFailure = 'http_error' | 'protocol_error' | 'timeout' | 'refused' | 'too_large';

/** A failure of a tool server. `message` contains neither the credential nor anything that the server sent. */
export class ToolServerError extends Error {
  readonly kind: ToolServerFailure;
  /** HTTP status or JSON-RPC code, where there is one. */
  readonly code: number | null;

  constructor(kind: ToolServerFailure, message: string, code: number | null = null, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ToolServerError';
    this.kind = kind;
    this.code = code;
  }
}

/** A failure as a caller reads it: with the label by which the request calls the server. */
export function describeToolFailure(
  { label }: Pick<ToolServer, 'label'>,
  { message }: ToolServerError,
): string {
  return message.replace(/\b([Tt]he tool server)(?! ")/, (phrase) => `${phrase} ${JSON.stringify(label)}`);
}

/**
 * Remote tool servers of the Model Context Protocol. Whoever gives the same object again goes on in the same session with
 * the server; another object, however alike, begins one of its own.
 */
export interface ToolServers {
  /**
   * Every tool that the server offers, all pages. Names are unique and of at most 64 `A-Za-z0-9_.-`; schemas are objects.
   * @throws {ToolServerError}
   */
  list(server: ToolServer, signal: AbortSignal): Promise<readonly ListedTool[]>;
  /**
   * Calls once; a call that may have reached the server is not repeated.
   * @throws {ToolServerError}
   */
  call(
    server: ToolServer,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<ToolOutcome>;
  /**
   * Ends the sessions with a server. It never throws and takes at most two seconds: an unreachable server forgets a
   * session by itself.
   */
  leave(server: ToolServer): Promise<void>;
}

/** A tool server that the operator offers to everyone, or to the teams that hold a credential for it. */
export interface HostedServer {
  readonly label: string;
  readonly url: string;
  readonly default_require_approval: 'always' | 'never';
  /** Null where the server needs none. */
  readonly authorization: string | null;
}

export interface HostedServers {
  /**
   * The server of that label, with the credential that the request brings, or else the one that is stored.
   * @throws {ServiceError} `invalid_request` where there is none that the caller can use, or no credential for it
   */
  find(
    caller: Pick<Caller, 'team_id' | 'scopes'>,
    label: string,
    authorization: string | null,
  ): Promise<HostedServer>;
}
