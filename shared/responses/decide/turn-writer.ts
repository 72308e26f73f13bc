import type {
  TokenLogprob,
  TurnAnnotation,
  TurnContent,
  TurnItem,
  TurnPart,
} from '#shared/models/decide/turn.ts';
import { putOwn } from '#shared/platform/own.ts';
import type {
  EventBody,
  FunctionCall,
  McpCall,
  OutputContent,
  OutputMessage,
  ReasoningOutput,
} from '../schema/response.ts';
import { AnswerFailed } from './answer-failed.ts';
import { ofProvider, type Passages } from './citations.ts';
import type { Draft } from './draft.ts';
import { GIVEN_ID } from './stored-response.ts';
import type { Target, Toolbox } from './toolbox.ts';

/** A call of a tool that the service executes. */
export interface ServiceCall {
  readonly callId: string;
  /** The name that the model called. */
  readonly name: string;
  readonly arguments: string;
  readonly target: Exclude<Target, { kind: 'function' }> | undefined;
  /** Its item and output index, if it was already sent. */
  readonly shown: { readonly item: McpCall; readonly index: number } | null;
}

interface OpenCall {
  readonly callId: string;
  readonly name: string;
  readonly target: Target | undefined;
  readonly shown: { readonly item: FunctionCall | McpCall; readonly index: number } | null;
  /** Whether the call exceeds the limit; then it is dropped. */
  readonly isIgnored: boolean;
  arguments: string;
}

type OpenMessage = { readonly item: OutputMessage; readonly index: number };
type OpenReasoning = { readonly item: ReasoningOutput; readonly index: number };

export interface TurnWriterOptions {
  readonly newId: (prefix: string) => string;
  /** Remaining tool calls of the service. */
  readonly callsLeft: number;
  /** The tool that the model must call, if any: no event is sent before that. */
  readonly demanded: string | null;
  readonly passages: Passages;
  /** Whether the response must use a search: without citations in its text, all results are cited at the end. */
  readonly isGrounded: boolean;
  /** Whether encrypted reasoning is included. */
  readonly showsReasoningState: boolean;
}

/** Writes the items of one model call into a draft and returns their events. */
export class TurnWriter {
  readonly #draft: Draft;
  readonly #toolbox: Toolbox;
  readonly #options: TurnWriterOptions;
  readonly #calls = new Map<number, OpenCall>();
  readonly #said: TurnItem[] = [];
  readonly #held: TurnPart[] = [];
  #isHolding: boolean;
  #callsLeft: number;
  #spoken: OpenMessage | null = null;
  /** Phase of the next message. */
  #phase: string | null = null;
  /** Whether the next text is another part of the message. */
  #isNextPart = false;
  #thought: OpenReasoning | null = null;
  /** The current part of the reasoning summary. */
  #summaryPart = 0;
  #reasoningState: string | null = null;

  constructor(draft: Draft, toolbox: Toolbox, options: TurnWriterOptions) {
    this.#draft = draft;
    this.#toolbox = toolbox;
    this.#options = options;
    this.#callsLeft = options.callsLeft;
    this.#isHolding = options.demanded !== null;
  }

  /** The model's output as input for its next call. */
  get said(): readonly TurnItem[] {
    return this.#said;
  }

  /** The calls that the service executes, in order. */
  get serviceCalls(): readonly ServiceCall[] {
    return [...this.#calls.values()].flatMap(
      ({ isIgnored, target, shown, callId, name, arguments: args }) => {
        if (isIgnored || target?.kind === 'function') return [];
        return [{ callId, name, arguments: args, target, shown: shown as ServiceCall['shown'] }];
      },
    );
  }

  /** How many tools the provider has called and run itself. */
  get providerCalls(): number {
    return this.#said.filter(
      (item) =>
        item.type === 'provider_item' && String(item.item.type).endsWith('_call') && !isOpenCall(item.item),
    ).length;
  }

  /** Whether the model calls a tool that the caller executes: its functions, or provider tools with external output. */
  get asksCaller(): boolean {
    return (
      [...this.#calls.values()].some(({ target }) => target?.kind === 'function') ||
      this.#said.some((item) => item.type === 'provider_item' && isOpenCall(item.item))
    );
  }

  /** Whether no tool call follows, so that the text is the answer. */
  get #isLast(): boolean {
    return this.serviceCalls.length === 0 && !this.asksCaller;
  }

  take(part: TurnPart): EventBody[] {
    if (this.#isHolding) {
      this.#held.push(part);
      if (part.type !== 'tool_call' || part.name !== this.#options.demanded) return [];
      this.#isHolding = false;
      // A response that must use a search does not start before it.
      const { isGrounded } = this.#options;
      return this.#held
        .splice(0)
        .filter(({ type }) => !isGrounded || !SAID.has(type))
        .flatMap((held) => this.#take(held));
    }
    return this.#take(part);
  }

  /**
   * Closes open items. @param isWhole whether the model finished its output
   * @throws {AnswerFailed} if the model did not make the demanded call
   */
  finish(isWhole: boolean): EventBody[] {
    if (this.#isHolding) {
      const name = this.#options.demanded ?? '';
      throw new AnswerFailed(
        this.#options.isGrounded ? 'ungrounded' : 'tool_not_called',
        `The model did not call ${name}, which tool_choice demands. Try again, or with another model.`,
      );
    }
    return this.#close(isWhole);
  }

  /** Closes open items after the model stream broke off. */
  abandon(): EventBody[] {
    return this.#isHolding ? [] : this.#close(false);
  }

  #close(isWhole: boolean): EventBody[] {
    return [
      ...this.#closeThought(isWhole),
      ...this.#closeSpoken(isWhole, isWhole && this.#options.isGrounded && this.#isLast),
      ...[...this.#calls.values()].flatMap((call) => this.#closeCall(call, isWhole)),
    ];
  }

  #take(part: TurnPart): EventBody[] {
    switch (part.type) {
      case 'message':
        this.#phase = part.phase;
        return this.#closeSpoken(true);
      case 'content':
        this.#isNextPart = true;
        return [];
      case 'annotation':
        return this.#annotate(part.annotation);
      case 'text':
        return this.#speak('output_text', part.delta, part.logprobs);
      case 'refusal':
        return this.#speak('refusal', part.delta);
      case 'reasoning':
        return this.#think(part.delta);
      case 'reasoning_summary':
        return this.#summarize(part.delta, part.part);
      case 'reasoning_state':
        return this.#keepThought(part.encrypted);
      case 'tool_call':
        return this.#call(part.index, part.callId, part.name);
      case 'tool_arguments':
        return this.#argue(part.index, part.delta);
      case 'provider_item':
        return this.#pass(part.item);
      case 'end':
        return [];
    }
  }

  #speak(type: OutputContent['type'], delta: string, logprobs: readonly TokenLogprob[] = []): EventBody[] {
    if (delta === '') return [];
    const events = this.#closeThought();
    if (this.#spoken === null) {
      const item: OutputMessage = {
        type: 'message',
        id: this.#options.newId('msg'),
        status: 'in_progress',
        role: 'assistant',
        ...(this.#phase === null ? {} : { phase: this.#phase }),
        content: [],
      };
      this.#phase = null;
      const index = this.#draft.place(item);
      this.#spoken = { item, index };
      events.push({
        type: 'response.output_item.added',
        output_index: index,
        item: { ...item, content: [] },
      });
    }
    const { item, index } = this.#spoken;
    let content = item.content.at(-1);
    if (content?.type !== type || this.#isNextPart) {
      events.push(...this.#closeContent(this.#spoken));
      content =
        type === 'refusal'
          ? { type, refusal: '' }
          : { type: 'output_text', text: '', annotations: [], logprobs: [] };
      item.content.push(content);
      this.#isNextPart = false;
      events.push({
        type: 'response.content_part.added',
        item_id: item.id,
        output_index: index,
        content_index: item.content.length - 1,
        part: content.type === 'refusal' ? { ...content } : { ...content, annotations: [], logprobs: [] },
      });
    }
    const place = { item_id: item.id, output_index: index, content_index: item.content.length - 1 };
    if (content.type === 'refusal') {
      content.refusal += delta;
      events.push({ type: 'response.refusal.delta', ...place, delta });
    } else {
      content.text += delta;
      const told = logprobs.map(toShown);
      for (const token of told) content.logprobs.push(token);
      events.push({ type: 'response.output_text.delta', ...place, delta, logprobs: told });
    }
    return events;
  }

  #annotate(annotation: TurnAnnotation): EventBody[] {
    const content = this.#spoken?.item.content.at(-1);
    if (this.#spoken === null || content?.type !== 'output_text') return [];
    const { item, index } = this.#spoken;
    content.annotations.push({ ...annotation });
    return [
      {
        type: 'response.output_text.annotation.added',
        item_id: item.id,
        output_index: index,
        content_index: item.content.length - 1,
        annotation_index: content.annotations.length - 1,
        annotation,
      },
    ];
  }

  /** Ends a reasoning item with its encrypted state; reasoning without text has only that. */
  #keepThought(encrypted: string): EventBody[] {
    this.#reasoningState = encrypted;
    return [...this.#beginThought().events, ...this.#closeThought()];
  }

  #beginThought(): { events: EventBody[]; thought: OpenReasoning } {
    if (this.#thought !== null) return { events: [], thought: this.#thought };
    const events = this.#closeSpoken(true);
    const item: ReasoningOutput = {
      type: 'reasoning',
      id: this.#options.newId('rs'),
      status: 'in_progress',
      summary: [],
      content: [],
      encrypted_content: null,
    };
    const thought = { item, index: this.#draft.place(item) };
    this.#thought = thought;
    events.push({
      type: 'response.output_item.added',
      output_index: thought.index,
      item: { ...item, summary: [], content: [] },
    });
    return { events, thought };
  }

  #think(delta: string): EventBody[] {
    if (delta === '') return [];
    const { events, thought } = this.#beginThought();
    const { item, index } = thought;
    const place = { item_id: item.id, output_index: index, content_index: 0 };
    if (item.content.length === 0) {
      item.content.push({ type: 'reasoning_text', text: '' });
      const part = { type: 'reasoning_text', text: '' } as const;
      events.push({ type: 'response.content_part.added', ...place, part });
    }
    for (const content of item.content) content.text += delta;
    events.push({ type: 'response.reasoning_text.delta', ...place, delta });
    return events;
  }

  /** `part` is the provider's number; the numbers in the events have no gaps. */
  #summarize(delta: string, part: number): EventBody[] {
    if (delta === '') return [];
    const { events, thought } = this.#beginThought();
    const { summary } = thought.item;
    if (summary.length === 0 || this.#summaryPart !== part) {
      events.push(...closeSummary(thought));
      this.#summaryPart = part;
      summary.push({ type: 'summary_text', text: '' });
      events.push({
        type: 'response.reasoning_summary_part.added',
        ...summaryPlace(thought),
        part: { type: 'summary_text', text: '' },
      });
    }
    for (const last of summary.slice(-1)) last.text += delta;
    events.push({ type: 'response.reasoning_summary_text.delta', ...summaryPlace(thought), delta });
    return events;
  }

  #call(index: number, callId: string, name: string): EventBody[] {
    const target = this.#toolbox.find(name);
    const counts = target !== undefined && target.kind !== 'function';
    const isIgnored = counts && this.#callsLeft <= 0;
    if (counts) this.#callsLeft -= 1;
    // A dropped call produces nothing, so the current text may continue, or be the answer.
    const events = isIgnored ? [] : [...this.#closeThought(), ...this.#closeSpoken(true)];
    const shown = isIgnored ? null : this.#show(target, callId, name);
    this.#calls.set(index, { callId, name, target, shown, isIgnored, arguments: '' });
    if (shown === null) return events;
    const { item, index: place } = shown;
    events.push({ type: 'response.output_item.added', output_index: place, item: { ...item } });
    if (item.type === 'mcp_call') {
      events.push({ type: 'response.mcp_call.in_progress', item_id: item.id, output_index: place });
    }
    return events;
  }

  /** Sends a call's item while its arguments stream; calls that need approval, and searches, are sent when complete. */
  #show(target: Target | undefined, callId: string, name: string): OpenCall['shown'] {
    if (target?.kind === 'function') {
      const item: FunctionCall = {
        type: 'function_call',
        id: this.#options.newId('fc'),
        status: 'in_progress',
        call_id: callId,
        name,
        arguments: '',
      };
      return { item, index: this.#draft.place(item) };
    }
    if (target?.kind !== 'server' || target.waits) return null;
    const item: McpCall = {
      type: 'mcp_call',
      id: this.#options.newId('mcp'),
      status: 'in_progress',
      server_label: target.attached.server.label,
      name: target.tool.name,
      arguments: '',
      approval_request_id: null,
      output: null,
      error: null,
    };
    return { item, index: this.#draft.place(item) };
  }

  #argue(index: number, delta: string): EventBody[] {
    const call = this.#calls.get(index);
    if (call === undefined || delta === '') return [];
    call.arguments += delta;
    if (call.shown === null) return [];
    const { item, index: place } = call.shown;
    item.arguments += delta;
    const type =
      item.type === 'mcp_call'
        ? 'response.mcp_call_arguments.delta'
        : 'response.function_call_arguments.delta';
    return [{ type, item_id: item.id, output_index: place, delta }];
  }

  #pass(item: Readonly<Record<string, unknown>>): EventBody[] {
    const events = [...this.#closeThought(), ...this.#closeSpoken(true)];
    const shown = { id: this.#options.newId(GIVEN_ID), ...item, type: String(item.type) };
    const index = this.#draft.place(shown);
    this.#said.push({ type: 'provider_item', item });
    events.push(
      { type: 'response.output_item.added', output_index: index, item: shown },
      { type: 'response.output_item.done', output_index: index, item: shown },
    );
    return events;
  }

  #closeThought(isWhole = true): EventBody[] {
    if (this.#thought === null) return [];
    const thought = this.#thought;
    const { item, index } = thought;
    this.#thought = null;
    const encrypted = this.#reasoningState;
    this.#reasoningState = null;
    const { summary, content } = item;
    const said = (content.length > 0 ? content : summary).map(({ text }) => text).join('\n\n');
    this.#said.push({ type: 'reasoning', text: said, encrypted });
    item.status = isWhole ? 'completed' : 'incomplete';
    if (this.#options.showsReasoningState) item.encrypted_content = encrypted;
    else if (encrypted !== null) putOwn(this.#draft.withheld, item.id, { encrypted_content: encrypted });
    const place = { item_id: item.id, output_index: index, content_index: 0 };
    return [
      ...closeSummary(thought),
      ...content.flatMap((part): EventBody[] => [
        { type: 'response.reasoning_text.done', ...place, text: part.text },
        { type: 'response.content_part.done', ...place, part },
      ]),
      { type: 'response.output_item.done', output_index: index, item },
    ];
  }

  #closeContent({ item, index }: OpenMessage, citesAll = false): EventBody[] {
    const content = item.content.at(-1);
    if (content === undefined) return [];
    const place = { item_id: item.id, output_index: index, content_index: item.content.length - 1 };
    if (content.type === 'refusal') {
      return [
        { type: 'response.refusal.done', ...place, refusal: content.refusal },
        { type: 'response.content_part.done', ...place, part: content },
      ];
    }
    const { passages } = this.#options;
    const cited = [...passages.cite(content.text), ...(citesAll ? passages.citeAll(content.text) : [])];
    return [
      ...cited.flatMap((citation) => this.#annotate(citation)),
      { type: 'response.output_text.done', ...place, text: content.text, logprobs: content.logprobs },
      { type: 'response.content_part.done', ...place, part: content },
    ];
  }

  #closeSpoken(isWhole: boolean, citesAll = false): EventBody[] {
    if (this.#spoken === null) return [];
    const spoken = this.#spoken;
    const { item, index } = spoken;
    const events = this.#closeContent(spoken, citesAll);
    this.#spoken = null;
    this.#isNextPart = false;
    item.status = isWhole ? 'completed' : 'incomplete';
    this.#said.push({
      type: 'message',
      role: 'assistant',
      content: item.content.map(toTurnContent),
      ...(item.phase === undefined ? {} : { phase: item.phase }),
    });
    events.push({ type: 'response.output_item.done', output_index: index, item });
    return events;
  }

  #closeCall(call: OpenCall, isWhole: boolean): EventBody[] {
    if (call.isIgnored) return [];
    // A call without arguments has the empty object, which providers write in two ways.
    const events = isWhole && call.arguments.trim() === '' ? this.#argueFor(call, '{}') : [];
    this.#said.push({ type: 'tool_call', callId: call.callId, name: call.name, arguments: call.arguments });
    if (call.shown === null) return events;
    const { item, index } = call.shown;
    const place = { item_id: item.id, output_index: index, arguments: item.arguments };
    if (item.type === 'mcp_call') {
      events.push({ type: 'response.mcp_call_arguments.done', ...place });
      // A complete call is executed, and its item ends then.
      if (isWhole) return events;
      item.status = 'incomplete';
      return [...events, { type: 'response.output_item.done', output_index: index, item }];
    }
    item.status = isWhole ? 'completed' : 'incomplete';
    events.push(
      { type: 'response.function_call_arguments.done', ...place, name: item.name },
      { type: 'response.output_item.done', output_index: index, item },
    );
    return events;
  }

  #argueFor(call: OpenCall, delta: string): EventBody[] {
    for (const [index, each] of this.#calls) if (each === call) return this.#argue(index, delta);
    return [];
  }
}

const summaryPlace = ({ item, index }: OpenReasoning) => ({
  item_id: item.id,
  output_index: index,
  summary_index: item.summary.length - 1,
});

/** The end of the last part of a summary. */
const closeSummary = (thought: OpenReasoning): EventBody[] =>
  thought.item.summary.slice(-1).flatMap((part): EventBody[] => [
    { type: 'response.reasoning_summary_text.done', ...summaryPlace(thought), text: part.text },
    { type: 'response.reasoning_summary_part.done', ...summaryPlace(thought), part },
  ]);

/** Parts that are not sent before a required search. */
const SAID: ReadonlySet<TurnPart['type']> = new Set(['message', 'content', 'text', 'annotation', 'refusal']);

type Told = Extract<OutputContent, { type: 'output_text' }>['logprobs'][number];

const toShown = ({ bytes, top_logprobs: top, ...token }: TokenLogprob): Told => ({
  ...token,
  bytes: [...bytes],
  top_logprobs: top.map((each) => ({ ...each, bytes: [...each.bytes] })),
});

function toTurnContent(content: OutputContent): TurnContent {
  if (content.type === 'refusal') return { type: 'text', text: content.refusal };
  const annotations = ofProvider(content.annotations);
  return { type: 'text', text: content.text, ...(annotations.length > 0 && { annotations }) };
}

/** Whether a provider item is a call whose output must come from outside: only those have a `call_id`. */
function isOpenCall({ type, call_id: callId }: Readonly<Record<string, unknown>>): boolean {
  return typeof callId === 'string' && String(type).endsWith('_call');
}
