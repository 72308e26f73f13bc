import { CreateResponseRequest } from '#shared/responses/schema/response-request.ts';
import type { DataSource, Row } from '../schema/eval.ts';
import { faultOfMessages, fillMessages } from './grade.ts';
import { requireColumn, type TemplateValues, textOf, valueAt } from './template.ts';

/** What models are asked where a run says nothing: the messages of a stored response, with its conversation where that is known. */
export const INPUT = 'item.input';

/** A row, with the conversation that its stored response answered where a model is asked with it. */
type AskedRow = Row & {
  readonly asked?: readonly unknown[] | undefined;
  readonly asked_with?: Readonly<Record<string, unknown>> | undefined;
};

/** What a run asks a model about a row; null for a run whose rows have their answers. */
export function questionOf(source: DataSource, row: AskedRow): unknown {
  if (source.type === 'jsonl' || source.model == null) return null;
  return { ...row.asked_with, ...requestOf(source), input: inputOf(source, row) };
}

export type Sampling = Extract<DataSource, { type: 'completions' | 'responses' }>;

/** The request without its input. */
export function requestOf(source: Sampling): Readonly<Record<string, unknown>> {
  const sampling = source.sampling_params ?? {};
  const { temperature, top_p, reasoning_effort: effort, tools } = sampling;
  const most = sampling.max_completion_tokens ?? sampling.max_completions_tokens;
  const format =
    source.type === 'responses'
      ? source.sampling_params?.text?.format
      : formatOf(source.sampling_params?.response_format);
  return {
    model: source.model,
    store: false,
    ...(temperature == null ? {} : { temperature }),
    ...(top_p == null ? {} : { top_p }),
    ...(most == null ? {} : { max_output_tokens: most }),
    ...(effort == null ? {} : { reasoning: { effort } }),
    ...(format == null ? {} : { text: { format } }),
    ...(tools == null || tools.length === 0 ? {} : { tools: tools.map(toolOf) }),
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** The form of an answer as responses have it: `json_schema` lies one level deeper in chat completions. */
function formatOf(format: Fields | null | undefined): Fields | null {
  const { json_schema: schema, ...rest } = format ?? {};
  if (format == null) return null;
  return typeof schema === 'object' && schema !== null ? { ...rest, ...schema } : rest;
}

/** A function as responses have it: its fields lie one level deeper in chat completions. */
function toolOf(tool: Fields): Fields {
  const { function: inner, ...rest } = tool;
  // A type within would make another tool of it, whose credentials a run would store.
  return typeof inner === 'object' && inner !== null ? { ...rest, ...inner, type: 'function' } : tool;
}

function inputOf({ input_messages: messages }: Sampling, row: AskedRow): unknown {
  const values: TemplateValues = { item: row.item, sample: {} };
  if (messages?.type === 'template') return fillMessages(messages.template, values);
  const path = messages?.item_reference ?? INPUT;
  if (path === INPUT && row.asked !== undefined) return row.asked;
  requireColumn(values, path);
  const value = valueAt(values, path);
  return Array.isArray(value) ? value : textOf(value);
}

/**
 * The faults of a run's request to its model, by path; none if models take it.
 */
export function sampleFaults(
  source: DataSource,
): readonly { readonly path: string; readonly message: string }[] {
  if (source.type === 'jsonl' || source.model == null) return [];
  const { input_messages: messages } = source;
  const fault = messages?.type === 'template' ? faultOfMessages(messages.template, ['item']) : null;
  if (fault !== null) return [{ path: `data_source.input_messages.template${fault[0]}`, message: fault[1] }];
  const parsed = CreateResponseRequest.safeParse({ ...requestOf(source), input: 'A question.' });
  return (parsed.error?.issues ?? []).map(({ path, message }) => ({
    path: `data_source.sampling_params.${path.join('.')}`,
    message,
  }));
}
