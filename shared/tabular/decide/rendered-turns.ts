import { TURNS_MAX } from './limits.ts';

/** Turns of a text that are read: one more than a conversation may have, and the last one, which may be none. */
const TURNS_READ_MAX = TURNS_MAX + 2;

/** Conversations that a chat template has rendered as one text: its marks stand around the turns. */
interface Template {
  /** What may stand in front of the first turn. */
  readonly begin: RegExp;
  /** The mark in front of a turn; its group names the speaker. */
  readonly turn: RegExp;
  /** The marks behind a turn. */
  readonly ends: readonly string[];
  /** Whether each turn has one of them. */
  readonly endsAll: boolean;
  /** Whether the template cuts off the space around a turn. */
  readonly trims: boolean;
}

const SPEAKER = '(system|developer|user|assistant|model|tool|ipython)';

/** Templates of Qwen and others (ChatML, also with the mark of Phi-4), Llama 3, Gemma, Phi-3 and Zephyr, DeepSeek. */
const TEMPLATES: readonly Template[] = [
  {
    begin: /^(?:<\|begin_of_text\|>|<s>|<bos>)?\s{0,10}(?=<\|im_start\|>)/i,
    turn: new RegExp(`<\\|im_start\\|>${SPEAKER}(?:\\n|<\\|im_sep\\|>\\n?)`, 'gi'),
    ends: ['<|im_end|>', '<|endoftext|>'],
    endsAll: true,
    trims: false,
  },
  {
    begin: /^(?:<\|begin_of_text\|>)?\s{0,10}(?=<\|start_header_id\|>)/i,
    turn: new RegExp(`<\\|start_header_id\\|>${SPEAKER}<\\|end_header_id\\|>`, 'gi'),
    ends: ['<|eot_id|>', '<|eom_id|>', '<|end_of_text|>'],
    endsAll: true,
    trims: true,
  },
  {
    begin: /^(?:<bos>)?\s{0,10}(?=<start_of_turn>)/i,
    turn: new RegExp(`<start_of_turn>${SPEAKER}\\n`, 'gi'),
    ends: ['<end_of_turn>', '<eos>'],
    endsAll: true,
    trims: true,
  },
  {
    begin: /^(?:<s>)?\s{0,10}(?=<\|(?:system|user)\|>)/i,
    turn: new RegExp(`<\\|${SPEAKER}\\|>`, 'gi'),
    ends: ['<|end|>', '<|endoftext|>', '</s>'],
    endsAll: true,
    trims: true,
  },
  {
    begin: /^(?:<｜begin▁of▁sentence｜>)?(?=<｜User｜>)/,
    turn: /<｜(User|Assistant)｜>/g,
    ends: ['<｜end▁of▁sentence｜>'],
    endsAll: false,
    trims: false,
  },
];

const INSTRUCTION = /^(?:<s>)?\s{0,10}(?=\[INST\])/;
/** What newer templates of Mistral put in front of the first question. */
const SYSTEM_PROMPT = /^(?:<s>)?\s{0,10}\[SYSTEM_PROMPT\]([\s\S]*?)\[\/SYSTEM_PROMPT\](?=\s{0,10}\[INST\])/;
const SYSTEM = /^\s{0,10}<<SYS>>([\s\S]*?)<<\/SYS>>/;

/** Whether a text looks like a rendered conversation, by how it begins. */
const STARTS_RENDERED =
  /^\s{0,10}(?:<\|begin_of_text\|>|<s>|<bos>|<｜begin▁of▁sentence｜>)?\s{0,10}(?:<\|(?:im_start|start_header_id|system|user)\|>|<start_of_turn>|<｜User｜>|\[SYSTEM_PROMPT\]|\[INST\])/i;

export const startsRendered = (text: string): boolean => STARTS_RENDERED.test(text);

interface RenderedTurn {
  readonly role: string;
  readonly content: string;
}

/**
 * Reads a conversation that a chat template has rendered. A last turn of the assistant without a text, which asks a model for its
 * answer, is none. Of a text with far more turns than a conversation may have, the first ones are read.
 * @returns null for a text that is none, or has anything between its turns
 */
export function readRendered(text: string): RenderedTurn[] | null {
  if (!startsRendered(text)) return null;
  const trimmed = text.trimStart();
  const template = TEMPLATES.find(({ begin }) => begin.test(trimmed));
  const turns = template === undefined ? readInstructions(trimmed) : readTemplate(template, trimmed);
  if (turns === null) return null;
  const last = turns.at(-1);
  const isAsking = last?.content.trim() === '' && /^(?:assistant|model)$/i.test(last.role);
  const told = isAsking ? turns.slice(0, -1) : turns;
  const asks = told.some(({ role, content }) => role.toLowerCase() === 'user' && content.trim() !== '');
  return asks ? told : null;
}

function readTemplate(
  { begin, turn, ends, endsAll, trims }: Template,
  rendered: string,
): RenderedTurn[] | null {
  const text = rendered.replace(begin, '');
  const turns: RenderedTurn[] = [];
  const marks: RegExpExecArray[] = [];
  for (const mark of text.matchAll(turn)) if (marks.push(mark) > TURNS_READ_MAX) break;
  // A first turn of a speaker that is not known would be lost.
  if (marks[0]?.index !== 0) return null;
  const isEnded = (content: string): boolean => ends.some((end) => content.includes(end));
  const mustEnd = endsAll && isEnded(text);
  for (const [n, mark] of marks.slice(0, TURNS_READ_MAX).entries()) {
    const content = text.slice(mark.index + mark[0].length, marks[n + 1]?.index ?? text.length);
    // A mark in a turn that has not ended is spoken of.
    if (mustEnd && n < marks.length - 1 && !isEnded(content)) return null;
    const told = untilEnd(content, ends);
    if (told === null) return null;
    turns.push({ role: mark[1] as string, content: trims ? told.trim() : told });
  }
  return turns;
}

/** Templates of Mistral and Llama 2: `[INST] question [/INST] answer</s>`. */
function readInstructions(text: string): RenderedTurn[] | null {
  const [begin = '', instructed = ''] = SYSTEM_PROMPT.exec(text) ?? [];
  const [before = '', ...exchanges] = text
    .slice(begin.length)
    .replace(INSTRUCTION, '')
    .split('[INST]', TURNS_READ_MAX);
  if (before.trim() !== '') return null;
  const turns: RenderedTurn[] =
    instructed.trim() === '' ? [] : [{ role: 'system', content: instructed.trim() }];
  for (const [n, exchange] of exchanges.entries()) {
    const [question = '', answer, ...others] = exchange.split('[/INST]', 3);
    if (answer === undefined || others.length > 0) return null;
    const [whole = '', system = ''] = (n === 0 ? SYSTEM.exec(question) : null) ?? [];
    if (system.trim() !== '') turns.push({ role: 'system', content: system.trim() });
    turns.push({ role: 'user', content: question.slice(whole.length).trim() });
    const told = untilEnd(answer, ['</s>']);
    if (told === null) return null;
    turns.push({ role: 'assistant', content: told.trim() });
  }
  return turns;
}

/** The text before the first of the marks that end a turn; null if anything but space and such marks stands behind it. */
function untilEnd(text: string, ends: readonly string[]): string | null {
  const places = ends.map((end) => text.indexOf(end)).filter((at) => at !== -1);
  if (places.length === 0) return text;
  const at = Math.min(...places);
  const rest = [...ends, '<s>'].reduce((left, end) => left.replaceAll(end, ''), text.slice(at));
  return rest.trim() === '' ? text.slice(0, at) : null;
}
