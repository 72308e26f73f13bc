import { own } from '#shared/platform/own.ts';
import type { ModelResponse, OutputItem } from '../schema/response.ts';
import type { StoredResponse } from './stored-response.ts';

/** Characters of what tools gave for a failed response that are kept: twice the longest output of a tool. */
export const FAILED_CHARACTERS_MAX = 2 * 1024 * 1024;

const NOT_KEPT = 'It is not kept: the response failed, and its tools gave more than is kept of one that did.';

type Kept = Required<Pick<StoredResponse, 'response' | 'withheld'>>;

/**
 * What is kept of a response that failed: all but what its tools gave beyond `FAILED_CHARACTERS_MAX`, which no model has read
 * and nobody has paid for. Outputs of approved calls come first: these are made once, and the conversation goes on from them.
 */
export function keptOfFailed(response: ModelResponse, withheld: Kept['withheld']): Kept {
  const isApproved = (item: OutputItem): boolean => approvalOf(item) !== null;
  const { output } = response;
  const left = new Set<OutputItem>();
  let characters = 0;
  for (const item of [...output.filter(isApproved), ...output.filter((each) => !isApproved(each))]) {
    const given = charactersOf(item, withheld);
    if (characters + given > FAILED_CHARACTERS_MAX) left.add(item);
    else characters += given;
  }
  if (left.size === 0) return { response, withheld };
  const ids = new Set([...left].map(({ id }) => String(id)));
  return {
    response: { ...response, output: output.map((item) => (left.has(item) ? withoutGiven(item) : item)) },
    withheld: Object.fromEntries(Object.entries(withheld).filter(([id]) => !ids.has(id))),
  };
}

function approvalOf(item: OutputItem): unknown {
  return isOf(item, 'mcp_call') ? item.approval_request_id : null;
}

/** Characters that tools gave for an item. What a model wrote is paid for. */
function charactersOf(item: OutputItem, withheld: Kept['withheld']): number {
  // What a tool says of its failure is as long as what it would have given.
  if (isOf(item, 'mcp_call')) return `${item.output ?? ''}${item.error ?? ''}`.length;
  if (isOf(item, 'mcp_list_tools')) return JSON.stringify(item.tools).length;
  const given = givenByCall(item);
  if (given.length === 0 && !isOf(item, 'file_search_call')) return 0;
  return JSON.stringify([given, own(withheld, String(item.id))]).length;
}

/** Fields of a call that the service or the provider of the model has run. */
const GIVEN = ['results', 'outputs', 'result'] as const;

const givenByCall = (item: OutputItem): readonly unknown[] =>
  item.type.endsWith('_call')
    ? GIVEN.flatMap((field) => (item as Readonly<Record<string, unknown>>)[field] ?? [])
    : [];

function withoutGiven(item: OutputItem): OutputItem {
  if (isOf(item, 'mcp_call')) return { ...item, output: null, error: NOT_KEPT };
  if (isOf(item, 'mcp_list_tools')) return { ...item, tools: [], error: NOT_KEPT };
  const emptied = GIVEN.filter((field) => Object.hasOwn(item, field)).map((field) => [field, null]);
  return { ...item, ...Object.fromEntries(emptied), status: 'failed' };
}

type ItemOf<Type> = Extract<OutputItem, { readonly type: Type }>;
const isOf = <Type extends 'mcp_call' | 'mcp_list_tools' | 'file_search_call'>(
  item: OutputItem,
  type: Type,
): item is ItemOf<Type> => item.type === type;
