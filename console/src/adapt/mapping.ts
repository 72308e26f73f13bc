import type { Schemas } from 'tunesmith';

export type ColumnMapping = Schemas['ColumnMapping'];

/** What a column can be used as. `context` may be several columns, every other role one. */
export const ROLES = ['prompt', 'completion', 'context', 'chat', 'image'] as const;
export type Role = (typeof ROLES)[number];

/** A column of the file with cells of its first rows that hold something. */
export interface SampledColumn {
  readonly name: string;
  readonly samples: readonly string[];
}

/** Which columns are used as what, and the instruction that all rows share. */
export interface Mapping {
  readonly roles: Readonly<Record<string, Role>>;
  /** Empty where rows have prompts of their own. */
  readonly universalPrompt: string;
}

export interface Proposal {
  readonly mapping: Mapping;
  /** Why a column is used like this, as a sentence; by column. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** Names of columns by role, the most telling first. */
const NAMES: Readonly<Record<'prompt' | 'completion' | 'context', readonly string[]>> = {
  prompt: [
    'prompt',
    'instruction',
    'question',
    'query',
    'request',
    'input',
    'problem',
    'user',
    'human',
    'task',
    'ask',
    'q',
  ],
  completion: [
    'completion',
    'answer',
    'response',
    'reply',
    'output',
    'solution',
    'assistant',
    'target',
    'expected',
    'a',
  ],
  context: [
    'context',
    'passage',
    'document',
    'background',
    'article',
    'evidence',
    'reference',
    'input',
    'heading',
  ],
};

/** Names that other things have as well: they count where the cells read like what is looked for. */
const WEAK_NAMES: readonly string[] = ['user', 'human', 'task', 'ask', 'q', 'assistant', 'target', 'a'];
/** Words of names that say what a column holds about something, or which answer is the worse one. */
const ABOUT: readonly string[] = [
  ...['id', 'ids', 'count', 'type', 'length', 'date', 'score', 'url'],
  ...['bad', 'wrong', 'worse', 'rejected', 'incorrect', 'negative'],
];
/** Words of names of short texts that are no answer. */
const LABELS: readonly string[] = ['title', 'name'];

/** Columns that hold running text without a question: the prompt is inferred from them. */
const PASSAGES = ['text', 'content', 'body', 'passage'];

/** `userQuestion` and `user_question` → `['user', 'question']` */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/**
 * The column whose name fits a role best: whole names go before words in a name, and telling names before others. An
 * identifier or a count of something (`question_id`, `answer count`) is not that thing.
 * @param takesWeak whether names that other things have count, whatever the cells hold
 */
function namedColumn(
  columns: readonly SampledColumn[],
  names: readonly string[],
  takesWeak = false,
): SampledColumn | null {
  const whole = names.flatMap((name) =>
    columns.filter(
      (column) =>
        wordsOf(column.name).join(' ') === name &&
        (takesWeak || !WEAK_NAMES.includes(name) || most(column.samples, isProse)),
    ),
  );
  if (whole[0] !== undefined) return whole[0];
  const isAbout = (words: readonly string[]) => words.some((word) => ABOUT.includes(word));
  for (const name of names.filter(({ length }) => length > 1)) {
    const found = columns.find((column) => {
      const words = wordsOf(column.name);
      const isWeak = !takesWeak && WEAK_NAMES.includes(name) && !most(column.samples, isProse);
      return words.includes(name) && !isAbout(words) && !isWeak;
    });
    if (found !== undefined) return found;
  }
  return null;
}

/** Whether at least `share` of the samples, of which there are some, pass. */
function most(samples: readonly string[], passes: (text: string) => boolean, share = 0.6): boolean {
  return samples.length > 0 && samples.filter(passes).length >= samples.length * share;
}

function isTurn(turn: unknown): boolean {
  if (typeof turn !== 'object' || turn === null) return false;
  const { role, content, tool_calls, from: speaker, value } = turn as Readonly<Record<string, unknown>>;
  const isInRoles = role !== undefined && (content !== undefined || tool_calls !== undefined);
  return isInRoles || (speaker !== undefined && value !== undefined);
}

/** Whether a cell is a conversation: a list of `{role, content}` or of `{from, value}`, as JSON. */
function isConversation(text: string): boolean {
  if (!text.trimStart().startsWith('[')) return false;
  try {
    const turns: unknown = JSON.parse(text);
    return Array.isArray(turns) && turns.length > 0 && turns.every(isTurn);
  } catch {
    // A long cell comes cut, so that it is no JSON any more.
    return /^\s*\[\s*\{\s*"(?:role|content|from|value)"\s*:/.test(text);
  }
}

const isImage = (text: string): boolean =>
  /^data:image\//.test(text) || /^\S+\.(?:png|jpe?g|gif|webp)(?:\?\S*)?$/i.test(text.trim());
const isQuestion = (text: string): boolean =>
  /[?？؟]\s*$/.test(text) ||
  /^(?:what|how|why|who|when|where|which|explain|describe|write|give|list|translate|summari[sz]e)\b/i.test(
    text,
  );
/** A list or an object, as JSON or as Python prints it. */
const isStructured = (text: string): boolean => /^\s*[[{]\s*[[{"'\d\]}]/.test(text);
/** A conversation as one text, with the marks of a chat template or the names of its speakers. */
const isTranscript = (text: string): boolean =>
  /<\|(?:im_start|start_header_id|user|system)\|>|<start_of_turn>|\[INST\]|(?:^|\n)#{2,3} ?(?:Human|Instruction|User):|(?:^|\n)Human: /.test(
    text,
  );
/** What an API was asked or answered, as an object: the text is inside it. */
const isEnvelope = (text: string): boolean =>
  /^\s*\{/.test(text) && /"(?:choices|messages|status_code|body)"\s*:/.test(text);
/** Words of a person, not a number, a date, a code, an address or data. */
const isProse = (text: string): boolean =>
  /\p{L}/u.test(text) &&
  /\p{L}\S*\s+\S*\p{L}/u.test(text.trim()) &&
  !isStructured(text) &&
  !isTranscript(text);
const meanLength = ({ samples }: SampledColumn): number =>
  samples.reduce((sum, text) => sum + text.length, 0) / Math.max(1, samples.length);

const BY_NAME = 'Its name says so.';

/**
 * Proposes what the columns of a file are, from their names and their first cells. Whoever adapts sees the reasons, and
 * may choose otherwise. A column that fits nothing stays as it is.
 * @param imageColumns columns in which the service found images
 * @param detected the form that the service recognised, whose mapping goes before what names and cells say
 */
export function proposeMapping(
  columns: readonly SampledColumn[],
  imageColumns: readonly string[] = [],
  detected: Schemas['DetectedFormat'] | null = null,
): Proposal {
  // Pairs of answers are trained on, not adapted.
  if (detected !== null && detected.column_mapping.chosen == null && imageColumns.length === 0)
    return detectedProposal(columns, detected);
  const roles: Record<string, Role> = {};
  const reasons: Record<string, string> = {};
  const use = (column: SampledColumn | null | undefined, role: Role, reason: string): void => {
    if (column === null || column === undefined) return;
    roles[column.name] = role;
    reasons[column.name] = reason;
  };
  const free = () => columns.filter(({ name }) => !Object.hasOwn(roles, name));
  const isFree = () => !Object.values(roles).some((role) => role !== 'image');

  use(
    columns.find(({ name }) => imageColumns.includes(name)) ??
      columns.find(({ samples }) => most(samples, isImage)),
    'image',
    'Its cells are images.',
  );
  use(
    free().find(({ samples }) => most(samples, isConversation)),
    'chat',
    'Its cells are conversations.',
  );
  if (!isFree()) return { mapping: { roles, universalPrompt: '' }, reasons };

  const plain = () => free().filter(({ samples }) => !most(samples, isEnvelope));
  const filled = () => plain().filter(({ samples }) => samples.length > 0);
  use(namedColumn(filled(), NAMES.prompt), 'prompt', BY_NAME);
  use(namedColumn(plain(), NAMES.completion, !isFree()), 'completion', BY_NAME);
  const prose = () =>
    free().filter(
      ({ name, samples }) =>
        most(samples, isProse) &&
        !wordsOf(name).some((word) => LABELS.includes(word) || ABOUT.includes(word)),
    );
  if (isFree()) {
    use(
      namedColumn(prose(), PASSAGES),
      'completion',
      'It holds text without a question: prompts are inferred from it.',
    );
  }
  if (isFree()) {
    const question = prose().find(({ samples }) => most(samples, isQuestion));
    use(question, 'prompt', 'Its cells read like questions.');
    const [longest] = prose().sort((one, other) => meanLength(other) - meanLength(one));
    use(
      longest,
      'completion',
      question === undefined
        ? 'It holds the longest text: prompts are inferred from it.'
        : 'It holds the longest text beside the questions.',
    );
  }
  // Only whole names: a `reference_answer` would tell the model what it is to answer.
  for (const column of filled()) {
    if (NAMES.context.includes(wordsOf(column.name).join(' '))) {
      use(column, 'context', `${BY_NAME} The model reads it beside the prompt.`);
    }
  }
  return { mapping: { roles, universalPrompt: '' }, reasons };
}

const FORMS = {
  openai: 'OpenAI',
  sharegpt: 'ShareGPT',
  alpaca: 'Alpaca',
  trl: 'TRL',
  opentelemetry: 'OpenTelemetry',
  langfuse: 'Langfuse',
} as const;

function detectedProposal(
  columns: readonly SampledColumn[],
  { name, column_mapping }: Schemas['DetectedFormat'],
): Proposal {
  const mapping = mappingOf(column_mapping, columns);
  const reason = `The file has the form of ${FORMS[name]}.`;
  return {
    mapping,
    reasons: Object.fromEntries(Object.keys(mapping.roles).map((column) => [column, reason])),
  };
}

/** What a column is used as; null for nothing. A column may have the name of a property that every object has. */
export const roleOf = ({ roles }: Mapping, column: string): Role | null =>
  Object.hasOwn(roles, column) ? (roles[column] ?? null) : null;

/** Why a column is proposed as what it is used as; null where it is used otherwise. */
export function reasonOf({ mapping, reasons }: Proposal, chosen: Mapping, column: string): string | null {
  const role = roleOf(mapping, column);
  return role !== null && role === roleOf(chosen, column) ? (reasons[column] ?? null) : null;
}

/** The mapping that a dataset was configured with, for the columns that it has. */
export function mappingOf(
  configured: Schemas['ConfiguredColumnMapping'],
  columns: readonly { readonly name: string }[],
): Mapping {
  const roles: Record<string, Role> = {};
  const set = (name: string | null | undefined, role: Role): void => {
    if (name != null && columns.some((column) => column.name === name)) roles[name] = role;
  };
  for (const name of configured.context ?? []) set(name, 'context');
  set(configured.prompt, 'prompt');
  set(configured.completion, 'completion');
  set(configured.chat, 'chat');
  // It stands among the context too.
  set(configured.image, 'image');
  return { roles, universalPrompt: configured.universal_prompt ?? '' };
}

/** Uses a column as something, or (null) as nothing. A role of one column is taken from the column that had it. */
export function withRole(mapping: Mapping, column: string, role: Role | null): Mapping {
  const kept = Object.entries(mapping.roles).filter(
    ([name, each]) => name !== column && (role === null || role === 'context' || each !== role),
  );
  return { ...mapping, roles: Object.fromEntries(role === null ? kept : [...kept, [column, role]]) };
}

const columnsAs = (mapping: Mapping, role: Role, order: readonly string[]): string[] =>
  order.filter((name) => roleOf(mapping, name) === role);

/** The mapping as the service takes it. `order` is the names of all columns: context columns come in that order. */
export function columnMappingOf(mapping: Mapping, order: readonly string[]): ColumnMapping {
  const context = columnsAs(mapping, 'context', order);
  const one = (role: Exclude<Role, 'context'>) => {
    const [name] = columnsAs(mapping, role, order);
    return name === undefined ? {} : { [role]: name };
  };
  return {
    ...one('prompt'),
    ...one('completion'),
    ...one('chat'),
    ...one('image'),
    ...(context.length === 0 ? {} : { context }),
    ...(mapping.universalPrompt.trim() === '' ? {} : { universal_prompt: mapping.universalPrompt }),
  };
}

/** What a mapping makes of the rows, or why it makes nothing of them. */
export type Reading =
  | { readonly kind: 'mode'; readonly sentence: string }
  | { readonly kind: 'problem'; readonly sentence: string };

/** Says how rows are read with a mapping, as the service decides it. */
export function readingOf(mapping: ColumnMapping): Reading {
  const { prompt, completion, chat, context = [], universal_prompt: universal, image } = mapping;
  const mode = (sentence: string): Reading => ({ kind: 'mode', sentence });
  const problem = (sentence: string): Reading => ({ kind: 'problem', sentence });
  if (chat !== undefined) {
    if (prompt !== undefined || completion !== undefined || context.length > 0 || universal !== undefined) {
      return problem(
        'A conversation holds prompt and answer already: use the other columns as nothing, or the conversation.',
      );
    }
    return mode('The last reply of each conversation is improved; the turns before it are what it answers.');
  }
  if (universal !== undefined) {
    if (prompt !== undefined) {
      return problem('Rows have either a prompt column or one instruction for all: remove one of them.');
    }
    if (context.length === 0 && image === undefined) {
      return problem(
        'One instruction for all rows needs a context or image column: it says what it is applied to.',
      );
    }
    return mode(
      completion === undefined
        ? 'Each row is answered anew: the instruction is applied to its context.'
        : 'The answers are improved: the instruction, applied to the context of the row, is what they answer.',
    );
  }
  if (prompt !== undefined) {
    return mode(
      completion === undefined
        ? 'Each prompt is answered anew: the rows have no answers yet, so there is no score before.'
        : 'The answers are improved; good ones stay as they are.',
    );
  }
  if (completion !== undefined) {
    return mode(
      'The prompt of each text is inferred from it, and the text improved as the answer to that prompt.',
    );
  }
  return problem('Choose what is to be improved: a prompt, an answer or a conversation.');
}
