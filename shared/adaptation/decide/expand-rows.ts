import { readText } from '#shared/answers/decide/read-text.ts';
import { findCountry, findLanguage, type Language } from '#shared/languages/decide/catalog.ts';
import { createLanguageCheck, type LanguageCheck } from '#shared/languages/decide/check-language.ts';
import type { LanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { hasWords, markParts, restoreParts } from '#shared/languages/decide/untranslated-parts.ts';
import {
  AskFailure,
  type Asking,
  askModel,
  type CallMeter,
  UnusableAnswer,
} from '#shared/models/decide/ask-model.ts';
import type { Generation, ModelClient } from '#shared/models/decide/port.ts';
import { own, putOwn } from '#shared/platform/own.ts';
import type { ExpansionTarget, ResolvedExpansion } from '#shared/runs/schema/expansion.ts';
import type { RowReason } from '#shared/runs/schema/run-result.ts';
import { partMetadata } from '#shared/tabular/decide/forms/metadata-block.ts';
import { isCallCell } from '#shared/tabular/decide/forms/tool-calls.ts';
import { LOCALIZE_TEXT_VERSION, localizeText } from './prompts/localize-text.v2.ts';
import { TRANSLATE_TEXT_VERSION, translateText } from './prompts/translate-text.v1.ts';
import type { ProducedCells } from './row-program.ts';
import { translateTurns } from './translate-turns.ts';
import { numberFault } from './translated-facts.ts';

/** Prompt versions for the run's record. */
export const EXPAND_ROWS_PROMPTS: Readonly<
  Record<ResolvedExpansion['type'], Readonly<Record<string, string>>>
> = {
  translate: { translate: TRANSLATE_TEXT_VERSION },
  localize: { translate: LOCALIZE_TEXT_VERSION },
};

/** The produced columns whose texts are translated; the others are copied. */
const TEXT_COLUMNS = [
  'enhanced_prompt',
  'enhanced_completion',
  'reasoning_trace',
  'chosen',
  'rejected',
] as const;

export interface ExpandedRow {
  readonly cells: ProducedCells;
  readonly notes: readonly RowReason[];
}

export interface ExpandRowsOptions {
  /** Columns whose texts are translated; by default those that an adaptation produces. */
  readonly columns?: readonly string[];
  /** Whether the prompts, or turns of them, begin with a metadata block, which is not translated. */
  readonly hasMetadata?: boolean;
  /** The column of the turns before prompts: every text in its lists is one that was said. */
  readonly history?: string | undefined;
  readonly type: ResolvedExpansion['type'];
  /** Labels of a closed set, which are not translated; absent if they were not learned. */
  readonly labels?: readonly string[];
  readonly model: ModelClient;
  readonly detectLanguage: LanguageDetector;
  /** Size of the model's context in tokens. */
  readonly contextTokensMax: number;
}

/** Translates the texts of a row. */
export interface RowExpander {
  /** @throws {AskFailure} if this row fails, {ModelOutage} if every row would */
  expand(
    cells: ProducedCells,
    target: ExpansionTarget,
    asking: Asking,
    meter: CallMeter,
  ): Promise<ExpandedRow>;
}

/** Whether a row has any text to translate. */
export function isExpandable(cells: ProducedCells): boolean {
  return TEXT_COLUMNS.some((column) => (cells[column] ?? '').trim() !== '');
}

/**
 * Translates or localizes the texts of a row, each in its own call, which works best with small models: a conversation
 * turn by turn. It checks the language of every answer and retries a wrong one. Code, links and placeholders are not
 * sent to the model.
 */
export function createRowExpander(options: ExpandRowsOptions): RowExpander {
  const { type, model, detectLanguage, contextTokensMax } = options;
  const labels = new Set(options.labels ?? []);
  const checks = new Map<string, { readonly language: Language; readonly check: LanguageCheck }>();

  function checkOf(code: string): { readonly language: Language; readonly check: LanguageCheck } {
    let known = checks.get(code);
    if (known === undefined) {
      const language = findLanguage(code);
      if (language === null) throw new Error(`The run's target ${code} is no language of the catalog.`);
      known = { language, check: createLanguageCheck(language, detectLanguage, type === 'localize') };
      checks.set(code, known);
    }
    return known;
  }

  return {
    async expand(cells, target, asking, meter) {
      const { language, check } = checkOf(target.language);
      const country = target.country === null ? null : findCountry(target.country);
      const done = new Map<string, string>();
      let rightTexts = 0;
      let unsureTexts = 0;
      const doubts: string[] = [];

      async function translate(source: string): Promise<string> {
        if (!texts.has(source)) return source;
        const marked = markParts(source);
        const known = done.get(source);
        if (known !== undefined) return known;
        const outputTokensMax = outputTokens(marked.text, contextTokensMax);
        const request =
          type === 'localize' && country !== null
            ? localizeText(marked.text, language.name, country.name, outputTokensMax)
            : translateText(marked.text, language.name, outputTokensMax);
        let lacked = 0;
        const { text, verdict, fault } = await askModel(
          model,
          request,
          (generation) => {
            const { raw, answer } = readTranslation(generation, marked);
            const verdict = check(answer, source);
            if (verdict === 'wrong') throw new UnusableAnswer(wrongLanguage(language));
            const fault = type === 'translate' ? numberFault(marked.text, raw, language.name) : null;
            if (fault?.kind === 'missing') lacked += 1;
            // A number that is missing twice may be told in words.
            if (fault !== null && lacked < 2) throw new UnusableAnswer(fault.says);
            return { text: answer, verdict, fault };
          },
          asking,
          meter,
        );
        if (fault !== null) doubts.push(fault.says);
        if (verdict === 'right') rightTexts += 1;
        else if (source.length >= UNSURE_CHARACTERS_MIN || saysTheSame(text, source)) unsureTexts += 1;
        done.set(source, text);
        return text;
      }

      const texts = await textsToTranslate(options, labels, cells, language.code);
      let expanded: ProducedCells;
      try {
        expanded = await changeTexts(options, cells, language.code, translate);
      } catch (error) {
        if (error instanceof AskFailure && error.message === wrongLanguage(language)) {
          throw new AskFailure('wrong_language', error.message, error);
        }
        throw error;
      }
      const isSure = rightTexts > 0 && unsureTexts === 0;
      const message = `The detector cannot tell whether the row is in ${language.name} (${language.code})`;
      const [doubt] = doubts;
      return {
        cells: expanded,
        notes: [
          ...(isSure ? [] : [{ code: 'language_unverified', message }]),
          ...(doubt === undefined
            ? []
            : [{ code: 'number_unverified', message: `${doubt}, or tells it in words` }]),
        ],
      };
    },
  };
}

/** The translation of a text as the model gave it, and with its parts put back. @throws {UnusableAnswer} if something of the text is lost */
function readTranslation(
  generation: Generation,
  marked: ReturnType<typeof markParts>,
): { readonly raw: string; readonly answer: string } {
  if (generation.finishReason === 'length') {
    throw new UnusableAnswer('The translation exceeded its token limit');
  }
  const raw = readText(generation);
  const answer = restoreParts(raw, marked);
  if (answer === null) throw new UnusableAnswer('The translation lost code, a link or a placeholder');
  return { raw, answer };
}

/** Whether a text that is long enough to be no single name is its source. */
const saysTheSame = (text: string, source: string): boolean =>
  text.trim() === source.trim() && text.length >= SAME_CHARACTERS_MIN;

/** A shorter text of unknown language is ignored if the row's other texts were recognised. */
const UNSURE_CHARACTERS_MIN = 40;
const SAME_CHARACTERS_MIN = 12;

const wrongLanguage = ({ name, code }: Language): string => `The answer is not in ${name} (${code})`;

/** Tokens of the prompts' fixed text. */
const PROMPT_TOKENS = 600;
/** More UTF-8 bytes than tokenizers put into one token of prose, on average. */
const BYTES_PER_TOKEN = 5;
const OUTPUT_TOKENS_MIN = 200;

const isLanguage = (code: string): boolean => findLanguage(code) !== null;

/** A row with each of its texts changed; those of a conversation and of data one by one. */
async function changeTexts(
  { columns = TEXT_COLUMNS, hasMetadata = false, history }: ExpandRowsOptions,
  cells: ProducedCells,
  language: string,
  change: (text: string) => Promise<string>,
): Promise<ProducedCells> {
  const changed: ProducedCells = { ...cells };
  for (const column of columns) {
    const cell = own(cells, column) ?? '';
    // A call is data: its arguments are what the tool takes.
    if (cell.trim() === '' || isCallCell(cell)) continue;
    const mayHaveBlock = hasMetadata && column === 'enhanced_prompt';
    const behindBlock = async (prompt: string, changeText: typeof change): Promise<string> => {
      const { block, text } = mayHaveBlock
        ? partMetadata(prompt, language, isLanguage)
        : { block: '', text: prompt };
      return text.trim() === '' ? prompt : block + (await changeText(text));
    };
    // Of a conversation the block is in the turn of its prompt.
    const after = await behindBlock(cell, (text) =>
      translateTurns(text, (turn) => behindBlock(turn, change), column === history ? 0 : undefined),
    );
    putOwn(changed, column, after);
  }
  return changed;
}

/** Texts of a row that are translated: each is a call of the model, and all of them have to fit into one invocation. */
export const TEXTS_MAX = 256;

/**
 * The different texts of a row that are translated: those with words. A translated label has no meaning for programs that read
 * the dataset.
 * @throws {AskFailure} `row_too_long` if they are too many
 */
async function textsToTranslate(
  options: ExpandRowsOptions,
  labels: ReadonlySet<string>,
  cells: ProducedCells,
  language: string,
): Promise<ReadonlySet<string>> {
  const texts = new Set<string>();
  await changeTexts(options, cells, language, async (text) => {
    // One too many says enough.
    const isTaken = texts.size <= TEXTS_MAX && hasWords(markParts(text)) && !labels.has(text.trim());
    if (isTaken) texts.add(text);
    return text;
  });
  if (texts.size <= TEXTS_MAX) return texts;
  throw new AskFailure(
    'row_too_long',
    `The row has more than ${TEXTS_MAX} texts to translate, each of which asks the model: divide its conversation or its list into several rows`,
  );
}

/**
 * Token limit of a translation: more tokens than its source has characters, which some scripts need, and at most
 * what the context has left.
 * @throws {AskFailure} `row_too_long` if a translation as long as its source would not fit
 */
function outputTokens(text: string, contextTokensMax: number): number {
  const tokens = Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
  const room = contextTokensMax - PROMPT_TOKENS - tokens;
  if (room < tokens) {
    throw new AskFailure(
      'row_too_long',
      `A text of the row and its translation need about ${PROMPT_TOKENS + 2 * tokens} tokens and the model takes ${contextTokensMax}: shorten it, or use a model with a longer context`,
    );
  }
  return Math.min(room, Math.max(OUTPUT_TOKENS_MIN, Math.ceil(text.length * 1.2)));
}
