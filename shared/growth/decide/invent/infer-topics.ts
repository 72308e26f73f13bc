import {
  AskFailure,
  type Asking,
  askEmbeddings,
  askModel,
  ModelOutage,
  newCallMeter,
  UnusableAnswer,
} from '#shared/models/decide/ask-model.ts';
import type { EmbeddingClient, ModelClient } from '#shared/models/decide/port.ts';
import { readJsonObject } from '#shared/models/decide/read-json.ts';
import type { Inference } from '#shared/runs/schema/invention.ts';
import { chooseSubdomains } from './prompts/choose-subdomains.v1.ts';
import { DOMAINS, type Domain } from './taxonomy.ts';

/**
 * Number of domains whose subdomains the model chooses from. By MiniLM the right one was among the nearest eight for
 * each of fifteen tested descriptions, and among the nearest five for thirteen.
 */
const DOMAINS_SHOWN = 8;
/** Below this cosine a description is unrelated to a domain; above it, the model decides. */
const NEARNESS_MIN = 0.12;
/** Maximum number of topics of a dataset. */
const TOPICS_MAX = 6;
/** Characters of a description that are embedded: embedding models read no more. */
const EMBEDDED_CHARACTERS_MAX = 1500;

const vectorsOfDomains = new Map<string, Promise<readonly Float32Array[]>>();

/**
 * Infers the topics of a description: embeddings select the nearest domains, and the model chooses among their
 * subdomains. A domain that the model does not choose is never used.
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

/** The nearest domains; empty if all are too far. */
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

/** The cosine of two unit vectors. */
function dot(a: Float32Array, b: Float32Array | undefined): number {
  let sum = 0;
  for (let n = 0; n < a.length; n += 1) sum += (a[n] as number) * (b?.[n] ?? 0);
  return sum;
}
