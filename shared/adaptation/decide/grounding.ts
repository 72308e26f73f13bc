import type { NamedText, RowMaterial } from '#shared/answers/decide/row-material.ts';
import { SearchError, type SearchResult } from '#shared/models/decide/search/port.ts';
import type { Searcher } from '#shared/models/decide/searcher.ts';
import type { RowReason } from '#shared/runs/schema/run-result.ts';

export interface Grounding {
  /** Sources of the answer, best first; empty if nothing was found. */
  readonly sources: readonly SearchResult[];
  /** Why there are no sources. */
  readonly notes: RowReason[];
}

/** A longer query does not improve the search. */
const QUERY_CHARACTERS_MAX = 300;
/** Fewer UTF-8 bytes than tokenizers put into one token of prose, on average. */
const BYTES_PER_TOKEN = 3;

export interface GroundingInput {
  /** Null if the installation no longer has a search provider. */
  readonly searcher: Searcher | null;
  readonly query: string;
  /** Free tokens of the model's context; sources take up to half of them. */
  readonly tokensLeft: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Searches the web for the prompt of a row. A failed search does not fail the row: it is answered without sources, and
 * a note says so.
 * @throws the signal's reason
 */
export async function findSources({
  searcher,
  query,
  tokensLeft,
  signal,
}: GroundingInput): Promise<Grounding> {
  if (searcher === null) return notGrounded('the installation has no search provider');
  const text = query.replace(/\s+/g, ' ').trim().slice(0, QUERY_CHARACTERS_MAX);
  if (text === '') return notGrounded('the row has no question to search for');
  let results: readonly SearchResult[];
  try {
    results = await searcher.search(text, signal);
  } catch (error) {
    if (error instanceof SearchError) return notGrounded(error.message);
    throw error;
  }
  const sources: SearchResult[] = [];
  let room = Math.floor(tokensLeft / 2) * BYTES_PER_TOKEN;
  for (const result of results) {
    room -= Buffer.byteLength(sourceText(result));
    if (room < 0) break;
    sources.push(result);
  }
  if (results.length === 0) return notGrounded('the search found nothing');
  return sources.length === 0
    ? notGrounded('the search results and the row do not fit the context of the model')
    : { sources, notes: [] };
}

function notGrounded(why: string): Grounding {
  const message = `The row was answered without sources: ${why}`;
  return { sources: [], notes: [{ code: 'not_grounded', message }] };
}

/**
 * The search query: the request and what it is about, its context or in a conversation what was asked before, since other rows may
 * have the same request; only the latter if every row has it.
 */
export function queryOf(
  { context, history }: Pick<RowMaterial, 'context' | 'history'>,
  prompt: string,
  mode: string,
): string {
  const asked = history.findLast(({ role }) => role === 'user');
  const about = [...context, ...(asked === undefined ? [] : [asked])].map(({ text }) => text).join(' ');
  if (mode === 'universal_prompt') return about;
  // Half of the query at most, so that a long request leaves room for its context.
  return about === '' ? prompt : `${prompt.slice(0, QUERY_CHARACTERS_MAX / 2)} ${about}`;
}

/** A source as formatted in prompts. */
export function sourceText({ title, url, text }: SearchResult): string {
  return `${title} (${url})\n${text}`;
}

/** Sources as context of a request, for a judge. */
export function sourcesAsContext(sources: readonly SearchResult[]): NamedText[] {
  return sources.map((source, index) => ({ name: `source ${index + 1}`, text: sourceText(source) }));
}
