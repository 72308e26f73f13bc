import type { Caller } from '#shared/platform/access/caller.ts';
import type { ListedTool } from '../schema/listed-tool.ts';

/** The address and credential of a remote tool server. */
export interface ToolServer {
  /** The server's label in the request. */
  readonly label: string;
  readonly url: string;
  /** Value of the `Authorization` header. It is never stored, logged or returned. */
  readonly authorization: string | null;
}

/** Output of a tool, as text for the model. */
export interface ToolOutcome {
  readonly output: string;
  /** Whether the tool itself reported a failure. */
  readonly failed: boolean;
}

/** The kinds of the `error` of `mcp_list_tools` and `mcp_call` items. */
export type ToolServerFailure = 'http_error' | 'protocol_error' | 'timeout' | 'refused' | 'too_large';

/** A failure of a tool server. `message` contains neither the credential nor anything that the server sent. */
export class ToolServerError extends Error {
  readonly kind: ToolServerFailure;
  /** HTTP status or JSON-RPC code, if any. */
  readonly code: number | null;

  constructor(kind: ToolServerFailure, message: string, code: number | null = null, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ToolServerError';
    this.kind = kind;
    this.code = code;
  }
}

/** A failure for the caller, with the server's label in the request. */
export function describeToolFailure(
  { label }: Pick<ToolServer, 'label'>,
  { message }: Pick<ToolServerError, 'message'>,
): string {
  return message.replace(/\b([Tt]he tool server)(?! ")/, (phrase) => `${phrase} ${JSON.stringify(label)}`);
}

/** What a server offers. */
export interface ToolListing {
  readonly tools: readonly ListedTool[];
  /** What is said of tools that are left out, for the caller; null if there are none. */
  readonly leftOut: string | null;
}

/**
 * Remote tool servers of the Model Context Protocol. Calls with the same object share a session; a different object,
 * even an equal one, starts a new session.
 */
export interface ToolServers {
  /**
   * Every tool of the server, from all pages. Names are unique and at most 64 `A-Za-z0-9_.-`; schemas are objects. What is
   * otherwise is left out, and told.
   * @throws {ToolServerError}
   */
  list(server: ToolServer, signal: AbortSignal): Promise<ToolListing>;
  /**
   * Calls once; a call that may have reached the server is not retried.
   * @throws {ToolServerError}
   */
  call(
    server: ToolServer,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<ToolOutcome>;
  /**
   * Ends the sessions with a server. It never throws and takes at most two seconds: an unreachable server expires its
   * session by itself.
   */
  leave(server: ToolServer): Promise<void>;
}

/** A tool server that the operator offers to all teams, or to teams with a credential for it. */
export interface HostedServer {
  readonly label: string;
  readonly url: string;
  readonly default_require_approval: 'always' | 'never';
  /** Null if the server needs none. */
  readonly authorization: string | null;
}

export interface HostedServers {
  /**
   * The server with that label, with the request's credential, or else the stored one.
   * @throws {ServiceError} `invalid_request` if the caller can use no such server, or has no credential for it
   */
  find(
    caller: Pick<Caller, 'team_id' | 'scopes'>,
    label: string,
    authorization: string | null,
  ): Promise<HostedServer>;
}
