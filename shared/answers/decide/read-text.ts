import { UnusableAnswer } from '#shared/models/decide/ask-model.ts';
import { repeatsMarks } from '#shared/models/decide/fence.ts';
import type { Generation } from '#shared/models/decide/port.ts';

/** Cleans a model's output: removes reasoning and wrappings that models add. */
export function readText(generation: Generation): string {
  const text = unwrap(splitReasoning(generation.text).answer);
  if (text === '') {
    throw new UnusableAnswer('The model returned an empty answer');
  }
  if (repeatsMarks(text)) {
    throw new UnusableAnswer('The model repeated the marks around the row instead of answering');
  }
  return generation.finishReason === 'length' ? cutToSentence(text) : text;
}

const REASONING_MARK = /<(\/?)(think|thinking|thought|reasoning|scratchpad)>/gi;

/**
 * Splits reasoning from the answer: blocks such as `<think>…</think>`, also if the opening mark was part of the model's
 * template or the closing one is missing.
 */
export function splitReasoning(text: string): { readonly reasoning: string; readonly answer: string } {
  if (!text.includes('<')) return { reasoning: '', answer: text.trim() };
  const blocks = reasoningBlocks(text);
  const thoughts = blocks.map(({ inner }) => inner.trim());
  const take = (_: string, __: string, thought: string): string => {
    thoughts.push(thought.trim());
    return '';
  };
  const answer = withoutBlocks(text, blocks)
    .replace(/^()([\s\S]*?)<\/think(?:ing)?>/i, take)
    .replace(/^\s*<(think|thinking|thought|reasoning|scratchpad)>([\s\S]*)$/i, take);
  return { reasoning: thoughts.filter((thought) => thought !== '').join('\n'), answer: answer.trim() };
}

interface ReasoningBlock {
  readonly start: number;
  readonly end: number;
  readonly inner: string;
}

/** The blocks from each opening mark to the next matching closing mark. */
function reasoningBlocks(text: string): ReasoningBlock[] {
  const marks = [...text.matchAll(REASONING_MARK)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    closes: match[1] === '/',
    name: (match[2] ?? '').toLowerCase(),
  }));
  // From the end, so that each mark has the next one that closes it.
  const closing = new Map<string, (typeof marks)[number]>();
  const ends = marks.map(() => undefined as (typeof marks)[number] | undefined);
  for (let n = marks.length - 1; n >= 0; n -= 1) {
    const mark = marks[n] as (typeof marks)[number];
    if (mark.closes) closing.set(mark.name, mark);
    else ends[n] = closing.get(mark.name);
  }
  const blocks: ReasoningBlock[] = [];
  marks.forEach((mark, n) => {
    const end = ends[n];
    if (end === undefined || mark.start < (blocks.at(-1)?.end ?? 0)) return;
    blocks.push({ start: mark.start, end: end.end, inner: text.slice(mark.end, end.start) });
  });
  return blocks;
}

function withoutBlocks(text: string, blocks: readonly ReasoningBlock[]): string {
  const starts = [0, ...blocks.map(({ end }) => end)];
  return starts.map((start, n) => text.slice(start, blocks[n]?.start)).join('');
}

function unwrap(text: string): string {
  const inner = text
    .replace(/^(sure|certainly|of course)[^\n]{0,80}:\s*\n+/i, '')
    .replace(/^\**(improved |rewritten |better )?(answer|request|prompt)\**:\**\s+/i, '')
    .trim();
  const quoted = /^"([^"]+)"$/s.exec(inner) ?? /^“([^“”]+)”$/s.exec(inner);
  return quoted?.[1]?.trim() ?? inner;
}

/** Cuts a text that reached the token limit after its last complete sentence. */
function cutToSentence(text: string): string {
  const end = Math.max(
    ...['. ', '.\n', '! ', '!\n', '? ', '?\n', '。', '！', '？'].map((mark) => text.lastIndexOf(mark)),
  );
  const kept = text.slice(0, end + 1);
  const hasOpenCode = (kept.match(/```/g)?.length ?? 0) % 2 === 1;
  if (kept.length < text.length / 2 || hasOpenCode) {
    throw new UnusableAnswer('The answer exceeded its token limit');
  }
  return kept;
}
