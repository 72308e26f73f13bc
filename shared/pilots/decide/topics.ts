import { seededRandom } from '#shared/runs/decide/sample-rows.ts';

const TEXT_MAX = 2_000;
const WORDS_MAX = 100;
/** Buckets of the hashed words; a power of two. */
const DIMENSIONS = 512;
const ROUNDS = 8;
const STARTS = 4;
/** Texts that the centres are found from, at most. */
const FITTED_MAX = 1_000;

/** Longer words are read in parts. */
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]{0,63}/gu;
/** Whether a word may be of a script without spaces, which are slow to ask for. */
const FAR = /[\u0e00-\uffff]/;
/** In scripts without spaces, two characters are a word. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** A vector of length 1, by its parts that are not zero. */
interface SparseVector {
  readonly places: readonly number[];
  readonly values: readonly number[];
}

/**
 * The topic of each text, 0 to `topics` − 1; −1 for a text without words. Spherical k-means (Dhillon and Modha, Machine
 * Learning 42, 2001) of TF-IDF vectors of hashed words, from seeds that are far apart (Arthur and Vassilvitskii, SODA
 * 2007). Of each text the first 2,000 characters and about 100 words are read.
 */
export function topicsOf(texts: readonly string[], topics: number, seed: string): number[] {
  const vectors = vectorsOf(texts);
  const known = vectors.filter(({ places }) => places.length > 0);
  if (topics < 2 || known.length < topics) return vectors.map(({ places }) => (places.length > 0 ? 0 : -1));
  const random = seededRandom(seed);
  const step = Math.ceil(known.length / FITTED_MAX);
  const fitted = known.filter((_, at) => at % step === 0);
  // One start may leave two topics together.
  const starts = Array.from({ length: STARTS }, () => clusterFrom(farApart(fitted, topics, random), fitted));
  const { centres } = starts.reduce((best, next) => (next.similarity > best.similarity ? next : best));
  return vectors.map((vector) => (vector.places.length > 0 ? nearest(vector, centres).centre : -1));
}

/** The centres that a few rounds lead to, with how similar the vectors are to them in all. */
function clusterFrom(
  first: readonly Float64Array[],
  vectors: readonly SparseVector[],
): { readonly centres: readonly Float64Array[]; readonly similarity: number } {
  let centres = first;
  for (let round = 0; round < ROUNDS; round += 1) centres = meansOf(vectors, centres);
  return {
    centres,
    similarity: vectors.reduce((sum, vector) => sum + nearest(vector, centres).similarity, 0),
  };
}

function vectorsOf(texts: readonly string[]): SparseVector[] {
  const documents = new Float64Array(DIMENSIONS);
  const counts = texts.map((text) => {
    const count = new Map<number, number>();
    for (const place of wordPlaces(text)) count.set(place, (count.get(place) ?? 0) + 1);
    for (const place of count.keys()) documents[place] = (documents[place] as number) + 1;
    return count;
  });
  return counts.map((count) => {
    const places = [...count.keys()];
    const weights = places.map(
      (place) =>
        (1 + Math.log(count.get(place) as number)) *
        Math.log((1 + texts.length) / (documents[place] as number)),
    );
    const norm = Math.sqrt(weights.reduce((sum, weight) => sum + weight * weight, 0));
    return { places, values: weights.map((weight) => weight / norm) };
  });
}

/** The buckets of the words of a text. */
function wordPlaces(text: string): number[] {
  const places: number[] = [];
  for (const [word] of text.slice(0, TEXT_MAX).toLowerCase().matchAll(WORD)) {
    if (!FAR.test(word) || !UNSPACED.test(word)) places.push(placeOf(word));
    else for (let at = 0; at + 1 < word.length; at += 1) places.push(placeOf(word.slice(at, at + 2)));
    if (places.length >= WORDS_MAX) break;
  }
  return places;
}

/** FNV-1a over UTF-16 units (Fowler, Noll and Vo), folded to the number of buckets. */
function placeOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at += 1) {
    hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  }
  return (hash ^ (hash >>> 16)) & (DIMENSIONS - 1);
}

/** Vectors as first centres: each is drawn with a probability that grows with its distance from those before it. */
function farApart(vectors: readonly SparseVector[], count: number, random: () => number): Float64Array[] {
  const centres = [denseOf(vectors[Math.floor(random() * vectors.length)] as SparseVector)];
  while (centres.length < count) {
    const distances = vectors.map((vector) => Math.max(0, 1 - nearest(vector, centres).similarity));
    let left = random() * distances.reduce((sum, distance) => sum + distance, 0);
    const place = distances.findIndex((distance) => {
      left -= distance;
      return left < 0;
    });
    centres.push(denseOf(vectors[Math.max(0, place)] as SparseVector));
  }
  return centres;
}

/** The centres of the vectors that are nearest to each of these; one without any stays. */
function meansOf(vectors: readonly SparseVector[], centres: readonly Float64Array[]): Float64Array[] {
  const sums = centres.map(() => new Float64Array(DIMENSIONS));
  for (const vector of vectors) {
    const sum = sums[nearest(vector, centres).centre] as Float64Array;
    vector.places.forEach((place, at) => {
      sum[place] = (sum[place] as number) + (vector.values[at] as number);
    });
  }
  return sums.map((sum, at) => {
    const norm = Math.sqrt(sum.reduce((total, value) => total + value * value, 0));
    return norm === 0 ? (centres[at] as Float64Array) : sum.map((value) => value / norm);
  });
}

function denseOf({ places, values }: SparseVector): Float64Array {
  const dense = new Float64Array(DIMENSIONS);
  places.forEach((place, at) => {
    dense[place] = values[at] as number;
  });
  return dense;
}

/** The first of the most similar centres, by the cosine. */
function nearest(
  { places, values }: SparseVector,
  centres: readonly Float64Array[],
): { readonly centre: number; readonly similarity: number } {
  let [centre, similarity] = [0, -1];
  for (const [at, dense] of centres.entries()) {
    let product = 0;
    for (let n = 0; n < places.length; n += 1) {
      product += (dense[places[n] as number] as number) * (values[n] as number);
    }
    if (product > similarity) [centre, similarity] = [at, product];
  }
  return { centre, similarity };
}
