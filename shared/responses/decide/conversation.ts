import type { TurnContent, TurnItem } from '#shared/models/decide/turn.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ReplayedTool } from '../schema/response-request.ts';
import {
  type ContentPart,
  FileSearchCallItem,
  FunctionCallItem,
  FunctionCallOutputItem,
  type InputItem,
  McpApprovalRequestItem,
  McpApprovalResponseItem,
  McpCallItem,
  McpListToolsItem,
  MessageItem,
  ReasoningItem,
} from '../schema/response-request.ts';
import { ofProvider, Passages } from './citations.ts';
import { countTokens } from './count-tokens.ts';
import { GIVEN_ID } from './stored-response.ts';

/** The share of the model's context for results of earlier searches. */
const RECALLED_SHARE = 1 / 4;

const schemas = {
  message: MessageItem,
  function_call: FunctionCallItem,
  function_call_output: FunctionCallOutputItem,
  reasoning: ReasoningItem,
  mcp_list_tools: McpListToolsItem,
  mcp_call: McpCallItem,
  mcp_approval_request: McpApprovalRequestItem,
  mcp_approval_response: McpApprovalResponseItem,
  file_search_call: FileSearchCallItem,
} as const;
type Schemas = typeof schemas;
type SpecifiedItem = {
  [K in keyof Schemas]: { readonly kind: K; readonly item: Schemas[K]['_zod']['output'] };
}[keyof Schemas];
type ReadItem =
  | SpecifiedItem
  | { readonly kind: 'provider'; readonly item: Readonly<Record<string, unknown>> };

/** Classifies an item by its type; a message may lack its own. */
function tell(item: InputItem): ReadItem {
  const type = item.type ?? 'message';
  return (
    Object.hasOwn(schemas, type)
      ? { kind: type, item }
      : { kind: 'provider', item: item as Record<string, unknown> }
  ) as ReadItem;
}

/** The type of a provider tool's item; null for any other. */
export function providerTypeOf(item: InputItem): string | null {
  const told = tell(item);
  return told.kind === 'provider' ? String(told.item.type) : null;
}

/**
 * The items of a conversation without calls that broke off, at the end of a response that failed or was cut, and without what was sent
 * as their output: they were not made. A call with whole arguments is incomplete too if a tool server made it and nobody waited for
 * it, and if a function's output was sent all the same.
 */
function withoutCut(told: readonly ReadItem[]): ReadItem[] {
  const callOf = callsOfOutputs(told);
  const answered = new Set(callOf.values());
  const isCut = (each: ReadItem): boolean => {
    const { kind, item } = each;
    if (item.status !== 'incomplete' || (kind !== 'function_call' && kind !== 'mcp_call')) return false;
    return parseArguments(item.arguments) === null || (kind === 'function_call' && !answered.has(each));
  };
  // Once for each: arguments are megabytes, and thousands of outputs may be those of one call.
  const cut = new Set(told.filter(isCut));
  return told.filter((each) => !cut.has(each) && !cut.has(callOf.get(each) ?? each));
}

/** The call of each output of a function: the nearest one before it with its id, which some providers use again. */
function callsOfOutputs(told: readonly ReadItem[]): Map<ReadItem, ReadItem> {
  const calls = new Map<string, ReadItem>();
  const note = (each: ReadItem): void => {
    if (each.kind === 'function_call') calls.set(each.item.call_id, each);
  };
  // The first one of each id, for outputs that stand before it.
  told.toReversed().forEach(note);
  const callOf = new Map<ReadItem, ReadItem>();
  for (const each of told) {
    note(each);
    const call = each.kind === 'function_call_output' ? calls.get(each.item.call_id) : undefined;
    if (call !== undefined) callOf.set(each, call);
  }
  return callOf;
}

/** The arguments of a call; null if they are no JSON object. */
export function parseArguments(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    // The item informs the caller, the result informs the model.
    return null;
  }
}

/** A truncated conversation, without results whose calls are missing. */
export function withoutOrphans(items: readonly InputItem[]): InputItem[] {
  const told = items.map(tell);
  const calls = new Set(told.flatMap((each) => (each.kind === 'function_call' ? [each.item.call_id] : [])));
  const asked = new Set(told.flatMap((each) => (each.kind === 'mcp_approval_request' ? [each.item.id] : [])));
  const provided = new Set(
    told.flatMap((each) => (each.kind === 'provider' && !isOutput(each.item) ? [each.item.call_id] : [])),
  );
  return items.filter((_, n) => {
    const each = told[n];
    if (each?.kind === 'function_call_output') return calls.has(each.item.call_id);
    if (each?.kind === 'mcp_approval_response') return asked.has(each.item.approval_request_id);
    if (each?.kind === 'provider' && isOutput(each.item)) return provided.has(each.item.call_id);
    return true;
  });
}

/** Whether an item of a provider's tool is the output of a call, such as `computer_call_output`. */
const isOutput = ({ type, call_id: call }: Readonly<Record<string, unknown>>): boolean =>
  String(type).endsWith('_output') && typeof call === 'string';

/** A proposed call with the caller's decision. */
export interface AnsweredApproval {
  readonly id: string;
  readonly label: string;
  readonly name: string;
  readonly arguments: string;
  readonly approved: boolean;
  readonly reason: string | null;
}

/** A conversation with its tool-related items. Calls that broke off are no part of it. */
export class Conversation {
  readonly items: readonly InputItem[];
  readonly #told: readonly ReadItem[];

  /**
   * @throws {ServiceError} `invalid_request` for a call without an output or an output without a call;
   * `approval_unknown` for an approval of a call that was not proposed in this conversation
   */
  constructor(items: readonly InputItem[]) {
    this.items = items;
    this.#told = withoutCut(items.map(tell));
    this.#requirePairs();
    this.#requireProposals();
  }

  /** The tool lists in the conversation, by id; without those that failed. One of which tools were left out has an error too. */
  get listedTools(): ReadonlyMap<string, readonly ReplayedTool[]> {
    return new Map(
      this.#told.flatMap(({ kind, item }) =>
        kind === 'mcp_list_tools' &&
        ((item.error ?? null) === null || item.tools.length > 0) &&
        typeof item.id === 'string'
          ? [[item.id, item.tools] as const]
          : [],
      ),
    );
  }

  /** The approvals that were not used yet, in order. */
  get answeredApprovals(): readonly AnsweredApproval[] {
    const done = new Set(
      this.#told.flatMap((told) => (told.kind === 'mcp_call' ? [told.item.approval_request_id] : [])),
    );
    return this.#approvals().filter(({ id, approved }) => approved && !done.has(id));
  }

  /**
   * The conversation for the model, with results of earlier searches up to a share of its context, latest first.
   * @param nameOf the model's name of a server's tool
   * @param passages collects the rows that earlier turns found
   */
  toTurn(
    nameOf: (label: string, name: string) => string,
    contextTokens: number,
    passages = new Passages(),
  ): TurnItem[] {
    const recalled = this.#recallable(contextTokens * RECALLED_SHARE);
    const refused = new Map(
      this.#approvals().flatMap((approval) => (approval.approved ? [] : [[approval.id, approval] as const])),
    );
    return this.#told.flatMap((told, n): TurnItem[] => {
      switch (told.kind) {
        case 'message':
          if (typeof told.item.content !== 'string') {
            for (const part of told.item.content) {
              if (part.type === 'output_text') passages.learn(part.text, part.annotations ?? []);
            }
          }
          return [
            {
              type: 'message',
              role: told.item.role,
              content: contentOf(told.item.content),
              ...(told.item.phase && { phase: told.item.phase }),
            },
          ];
        case 'function_call': {
          const { call_id: callId, name } = told.item;
          return [{ type: 'tool_call', callId, name, arguments: told.item.arguments }];
        }
        case 'function_call_output':
          return resultOf(told.item.call_id, told.item.output);
        case 'reasoning': {
          const { content, summary } = told.item;
          const text = (content?.length ? content : summary).map((part) => part.text).join('\n\n');
          return [{ type: 'reasoning', text, encrypted: told.item.encrypted_content ?? null }];
        }
        case 'mcp_call': {
          const { server_label: label, name, output, error } = told.item;
          const callId = told.item.id ?? `call_${n}`;
          return callOf(
            callId,
            nameOf(label, name),
            told.item.arguments,
            output ?? `Failed: ${error ?? 'no output'}`,
          );
        }
        case 'mcp_approval_response': {
          const asked = refused.get(told.item.approval_request_id);
          return asked === undefined
            ? []
            : callOf(
                asked.id,
                nameOf(asked.label, asked.name),
                asked.arguments,
                describeRefusal(asked.reason),
              );
        }
        case 'file_search_call': {
          const { queries, results } = told.item;
          if (results === undefined || results === null) return [];
          const text = passages.recall(results);
          if (!recalled.has(told)) return [];
          return callOf(
            told.item.id ?? `call_${n}`,
            'file_search',
            JSON.stringify({ query: queries[0] ?? '' }),
            text,
          );
        }
        case 'provider':
          return [{ type: 'provider_item', item: withoutGivenId(told.item) }];
        default:
          return [];
      }
    });
  }

  /** The searches whose results fit; the last always does. */
  #recallable(tokensMax: number): ReadonlySet<ReadItem> {
    const recallable = new Set<ReadItem>();
    let left = tokensMax;
    for (const told of this.#told.toReversed()) {
      if (told.kind !== 'file_search_call') continue;
      for (const { text = '' } of told.item.results ?? []) left -= countTokens(text);
      if (left < 0 && recallable.size > 0) break;
      if (told.item.results) recallable.add(told);
    }
    return recallable;
  }

  #approvals(): AnsweredApproval[] {
    const asked = new Map(
      this.#told.flatMap((told) =>
        told.kind === 'mcp_approval_request' ? [[told.item.id, told.item] as const] : [],
      ),
    );
    return this.#told.flatMap((told) => {
      if (told.kind !== 'mcp_approval_response') return [];
      const call = asked.get(told.item.approval_request_id);
      if (call === undefined) return [];
      return {
        id: call.id,
        label: call.server_label,
        name: call.name,
        arguments: call.arguments,
        approved: told.item.approve,
        reason: told.item.reason ?? null,
      };
    });
  }

  #requirePairs(): void {
    const calls = new Set(
      this.#told.flatMap((told) => (told.kind === 'function_call' ? [told.item.call_id] : [])),
    );
    const outputs = new Set(
      this.#told.flatMap((told) => (told.kind === 'function_call_output' ? [told.item.call_id] : [])),
    );
    for (const id of calls) {
      if (!outputs.has(id)) {
        throw invalidField(
          'input',
          `holds the function_call ${id} and no function_call_output for it; send its output`,
        );
      }
    }
    for (const id of outputs) {
      if (!calls.has(id)) {
        throw invalidField(
          'input',
          `holds an output of ${id} and no function_call of that call_id; replay the call too`,
        );
      }
    }
  }

  #requireProposals(): void {
    const asked = new Set(
      this.#told.flatMap((told) => (told.kind === 'mcp_approval_request' ? [told.item.id] : [])),
    );
    const answered = new Set<string>();
    for (const told of this.#told) {
      if (told.kind !== 'mcp_approval_response') continue;
      const id = told.item.approval_request_id;
      if (!asked.has(id)) throw approvalUnknown(id);
      if (answered.has(id)) throw invalidField('input', `answers the approval request ${id} more than once`);
      answered.add(id);
    }
  }
}

/** The error for an approval of a call that the service did not propose. */
export function approvalUnknown(id: string): ServiceError {
  const message =
    `input: ${id} is not an approval request of this conversation, or its call was changed. Replay the ` +
    'mcp_approval_request unchanged, or send previous_response_id.';
  return new ServiceError('approval_unknown', message, { details: [{ path: 'input', message }] });
}

/** Text for the model about a call that the caller did not approve. */
export function describeRefusal(reason: string | null): string {
  return `The user did not approve this call${reason === null ? '.' : `: ${reason}`}`;
}

const partOf = (part: ContentPart): TurnContent => {
  if (part.type === 'input_image') {
    return { type: 'image', url: part.image_url, ...(part.detail && { detail: part.detail }) };
  }
  if (part.type === 'refusal') return { type: 'text', text: part.refusal };
  const annotations = part.type === 'output_text' ? ofProvider(part.annotations ?? []) : [];
  return { type: 'text', text: part.text, ...(annotations.length > 0 && { annotations }) };
};

function contentOf(content: string | readonly ContentPart[]): TurnContent[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content.map(partOf);
}

/** A provider item without the id that this service gave it. */
function withoutGivenId(item: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { id, ...rest } = item;
  return typeof id === 'string' && id.startsWith(`${GIVEN_ID}_`) ? rest : item;
}

/** A result is text; a tool's images follow it as a message. */
function resultOf(callId: string, output: string | readonly ContentPart[]): TurnItem[] {
  const parts = contentOf(output);
  const images = parts.filter((part) => part.type === 'image');
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  return [
    { type: 'tool_result', callId, output: text },
    ...(images.length === 0 ? [] : [{ type: 'message', role: 'user', content: images } as const]),
  ];
}

function callOf(callId: string, name: string, args: string, output: string): TurnItem[] {
  return [
    { type: 'tool_call', callId, name, arguments: args },
    { type: 'tool_result', callId, output },
  ];
}
