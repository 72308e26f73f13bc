import type { Schemas } from './client.ts';

type Item = Schemas['ModelResponse']['output'][number];

interface OfItem {
  readonly item_id: string;
  readonly output_index: number;
}

interface OfContent extends OfItem {
  readonly content_index: number;
}

interface OfSummary extends OfItem {
  readonly summary_index: number;
}

type EventBody =
  | {
      readonly type:
        | 'response.created'
        | 'response.in_progress'
        | 'response.completed'
        | 'response.incomplete'
        | 'response.failed';
      readonly response: Schemas['ModelResponse'];
    }
  | {
      readonly type: 'response.output_item.added' | 'response.output_item.done';
      readonly output_index: number;
      readonly item: Item;
    }
  | (OfContent & {
      readonly type: 'response.content_part.added' | 'response.content_part.done';
      readonly part: { readonly type: string };
    })
  | (OfContent & {
      readonly type:
        | 'response.output_text.delta'
        | 'response.refusal.delta'
        | 'response.reasoning_text.delta';
      readonly delta: string;
    })
  | (OfContent & {
      readonly type: 'response.output_text.done' | 'response.reasoning_text.done';
      readonly text: string;
    })
  | (OfContent & { readonly type: 'response.refusal.done'; readonly refusal: string })
  | (OfContent & {
      readonly type: 'response.output_text.annotation.added';
      readonly annotation_index: number;
      readonly annotation: { readonly type: string };
    })
  | (OfSummary & {
      readonly type: 'response.reasoning_summary_part.added' | 'response.reasoning_summary_part.done';
      readonly part: { readonly type: 'summary_text'; readonly text: string };
    })
  | (OfSummary & { readonly type: 'response.reasoning_summary_text.delta'; readonly delta: string })
  | (OfSummary & { readonly type: 'response.reasoning_summary_text.done'; readonly text: string })
  | (OfItem & {
      readonly type: 'response.function_call_arguments.delta' | 'response.mcp_call_arguments.delta';
      readonly delta: string;
    })
  | (OfItem & {
      readonly type: 'response.function_call_arguments.done';
      readonly name: string;
      readonly arguments: string;
    })
  | (OfItem & { readonly type: 'response.mcp_call_arguments.done'; readonly arguments: string })
  | (OfItem & {
      readonly type:
        | 'response.mcp_list_tools.in_progress'
        | 'response.mcp_list_tools.completed'
        | 'response.mcp_list_tools.failed'
        | 'response.mcp_call.in_progress'
        | 'response.mcp_call.completed'
        | 'response.mcp_call.failed'
        | 'response.file_search_call.in_progress'
        | 'response.file_search_call.searching'
        | 'response.file_search_call.completed';
    });

/**
 * An event of a streamed response. `sequence_number` counts from 0. The OpenAPI document has no schema of them; a test
 * holds this type to the service's own.
 */
export type ResponseEvent = EventBody & { readonly sequence_number: number };
