import type { TurnTool } from '#shared/models/decide/turn.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import type { ListedTool } from '../schema/listed-tool.ts';
import type { FunctionToolParam, McpToolParam } from '../schema/response-request.ts';
import { isAllowed, namedTools, needsApproval } from './approvals.ts';
import { nameTools } from './tool-names.ts';
import { completeSchema } from './tool-schema.ts';
import type { ToolServer } from './tool-servers.ts';

/** The model's name for dataset search. */
export const SEARCH_TOOL = 'file_search';

/** A remote tool server that a request attached. */
export interface AttachedServer {
  readonly param: McpToolParam;
  readonly server: ToolServer;
  /** Besides the label, what an approval is valid for: the address, or the label of a hosted server. */
  readonly identity: string;
  /** The default of `require_approval`. */
  readonly byDefault: 'always' | 'never';
}

/** Who executes a tool that the model calls. */
export type Target =
  | { readonly kind: 'function' }
  | { readonly kind: 'search' }
  | {
      readonly kind: 'server';
      readonly attached: AttachedServer;
      readonly tool: ListedTool;
      /** Whether its calls wait for approval. */
      readonly waits: boolean;
    };

/** Converts a caller's function to a tool for the model. */
export const toTurnTool = ({ name, description, parameters, strict }: FunctionToolParam): TurnTool => ({
  name,
  description: description ?? null,
  parameters: completeSchema(parameters ?? { type: 'object' }),
  strict: strict ?? null,
});

/** The tools of one response, by their names for the model. */
export class Toolbox {
  /** The tools offered to the model. */
  readonly tools: readonly TurnTool[];
  readonly #targets: ReadonlyMap<string, Target>;
  readonly #names: ReadonlyMap<string, string>;
  readonly #listed: ReadonlyMap<string, readonly ListedTool[]>;

  /**
   * @param listed the tools of each server, by label; without servers whose listing failed
   * @param leftOut what is said of tools that were left out of a list, by the label of its server
   * @throws {ServiceError} `invalid_request` if `allowed_tools` names a tool that is not in its server's list
   */
  constructor(
    functions: readonly FunctionToolParam[],
    servers: readonly AttachedServer[],
    listed: ReadonlyMap<string, readonly ListedTool[]>,
    searches: boolean,
    leftOut: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#listed = listed;
    const own = functions.map(toTurnTool);
    const offered = servers.flatMap((attached) => {
      const { label } = attached.server;
      const tools = listed.get(label);
      if (tools === undefined) return [];
      requireNamed(attached.param, tools, leftOut.get(label));
      return tools
        .filter((tool) => isAllowed(attached.param.allowed_tools, tool))
        .map((tool) => ({ attached, tool, label, name: tool.name }));
    });
    const search = searches ? [searchTool] : [];
    const taken = [...own, ...search].map(({ name }) => name);
    const names = nameTools(offered, taken);
    const targets = new Map<string, Target>(own.map(({ name }) => [name, { kind: 'function' }]));
    if (searches) targets.set(SEARCH_TOOL, { kind: 'search' });
    this.#names = new Map(offered.map(({ label, name }, n) => [keyOf(label, name), names[n] ?? name]));
    const remote = offered.map(({ attached, tool }, n): TurnTool => {
      const name = names[n] ?? tool.name;
      const waits = needsApproval(attached.param.require_approval, tool, attached.byDefault);
      targets.set(name, { kind: 'server', attached, tool, waits });
      return {
        name,
        description: tool.description,
        parameters: completeSchema(tool.input_schema),
        strict: null,
      };
    });
    this.tools = [...own, ...search, ...remote];
    this.#targets = targets;
  }

  /** The model's name for a server's tool; the tool's own name if the server is not attached. */
  nameOf(label: string, tool: string): string {
    return this.#names.get(keyOf(label, tool)) ?? tool.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);
  }

  /** Whether `allowed_tools` permits a call of a server's tool. If the listing failed, any tool. */
  offers(label: string, tool: string): boolean {
    return !this.#listed.has(label) || this.#names.has(keyOf(label, tool));
  }

  /** The tools of a server. */
  toolsOf(label: string): readonly TurnTool[] {
    return this.tools.filter(({ name }) => {
      const target = this.#targets.get(name);
      return target?.kind === 'server' && target.attached.server.label === label;
    });
  }

  find(name: string): Target | undefined {
    return this.#targets.get(name);
  }
}

const keyOf = (label: string, name: string): string => `${label}\n${name}`;

const searchTool: TurnTool = {
  name: SEARCH_TOOL,
  description: 'Searches the attached datasets by meaning and by words, and answers numbered passages.',
  parameters: {
    type: 'object',
    properties: { query: { type: 'string', description: 'What to look for, in a few words or a question' } },
    required: ['query'],
    additionalProperties: false,
  },
  strict: null,
};

function requireNamed(
  { allowed_tools: allowed, server_label: label }: McpToolParam,
  tools: readonly ListedTool[],
  leftOut: string | undefined,
): void {
  const missing = namedTools(allowed).find((name) => tools.every((tool) => tool.name !== name));
  if (missing === undefined) return;
  throw invalidField(
    'tools',
    [
      `allowed_tools of ${label} names ${JSON.stringify(missing)}, which is not in the server's list of tools`,
      ...(leftOut === undefined ? [] : [leftOut]),
    ].join('. '),
    { allowed: tools.map(({ name }) => name) },
  );
}
