import type { Inference } from '../../schema/invention.ts';
import {
  AskFailure,
  type Asking,
  askEmbeddings,
  askModel,
  ModelOutage,
  newCallMeter,
  UnusableAnswer,
} from '../model/ask-model.ts';
import type { EmbeddingClient, ModelClient } from '../model/port.ts';
import { readJsonObject } from '../model/read-json.ts';
import { chooseSubdomains } from './prompts/choose-subdomains.v1.ts';
import { DOMAINS, type Domain } from './taxonomy.ts';

/**
 * Domains among whose subdomains the model chooses. By MiniLM the right one was among the nearest eight for each of
 * fifteen descriptions that were tried, and among the nearest five for thirteen.
 */
const DOMAINS_SHOWN = 8;
/** Cosine below which a description has nothing in common with a domain; what is nearer, the model has to tell. */
const NEARNESS_MIN = 0.12;
/** Topics that a dataset is taken to have at most. */
const TOPICS_MAX = 6;
/** Characters of a description that are embedded: models of embeddings read no more. */
const EMBEDDED_CHARACTERS_MAX = 1500;

const vectorsOfDomains = new Map<string, Promise<readonly Float32Array[]>>();

/**
 * Infers the topics of a description: the nearest domains by embedding, and those of their subdomains that the
 * model names. A domain that the model does not choose is never used.
 */
export async function inferTopics(
  { model, embedder }: { readonly model: ModelClient | null; readonly embedder: EmbeddingClient | null },
  description: string,
  asking: Asking,
): Promise<Inference> {
  if (model === null || embedder === null) return { problem: 'unavailable' };
  try {
    const domains = await nearestDomains(embedder, description, asking);
    if (domains.length === 0) return { problem: 'none_fits' };
    const choices = domains.flatMap(({ subdomains }) => subdomains);
    const codes = new Set(choices.map(({ code }) => code));
    const chosen = await askModel(
      model,
      chooseSubdomains(description, choices),
      ({ text }) => {
        const topics = readJsonObject(text)?.topics;
        if (!Array.isArray(topics) || topics.some((code) => !codes.has(code as string))) {
          throw new UnusableAnswer('The model named a topic that it was not given');
        }
        return [...new Set(topics as string[])].slice(0, TOPICS_MAX);
      },
      asking,
      newCallMeter(),
    );
    if (chosen.length === 0) return { problem: 'none_fits' };
    const parents = [...new Set(chosen.map((code) => code.split('.')[0] ?? ''))];
    return { topics: { domains: parents, subdomains: chosen } };
  } catch (error) {
    if (error instanceof AskFailure || error instanceof ModelOutage) return { problem: 'unavailable' };
    throw error;
  }
}

/** The nearest domains; none where all are far. */
async function nearestDomains(
  embedder: EmbeddingClient,
  description: string,
  asking: Asking,
): Promise<Domain[]> {
  let known = vectorsOfDomains.get(embedder.modelId);
  if (known === undefined) {
    known = askEmbeddings(embedder, DOMAINS.map(textOf), asking, newCallMeter());
    vectorsOfDomains.set(embedder.modelId, known);
    known.catch(() => vectorsOfDomains.delete(embedder.modelId));
  }
  const [vector] = await askEmbeddings(
    embedder,
    [description.slice(0, EMBEDDED_CHARACTERS_MAX)],
    asking,
    newCallMeter(),
  );
  const vectors = await known;
  if (vector === undefined) throw new Error('The embedding model returned no vector.');
  return DOMAINS.map((domain, n) => ({ domain, nearness: dot(vector, vectors[n]) }))
    .filter(({ nearness }) => nearness >= NEARNESS_MIN)
    .sort((a, b) => b.nearness - a.nearness)
    .slice(0, DOMAINS_SHOWN)
    .map(({ domain }) => domain);
}

const textOf = ({ title, subdomains }: Domain): string =>
  `${title}: ${subdomains.map((subdomain) => subdomain.title).join(', ')}`;

/** The cosine of two vectors of unit length. */
function dot(a: Float32Array, b: Float32Array | undefined): number {
  let sum = 0;
  for (let n = 0; n < a.length; n += 1) sum += (a[n] as number) * (b?.[n] ?? 0);
  return sum;
}
