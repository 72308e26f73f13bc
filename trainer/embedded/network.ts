import './jax-setting.ts';
import { blockUntilReady, defaultDevice, grad, init, jit, nn, numpy as np, tree } from '@jax-js/jax';
import { type NetworkShape, type Projection, projections, widthsOf } from './network-shape.ts';

/** The weights of a layer, row-major; linear maps are [outputs, inputs], as in Hugging Face checkpoints. */
export type LayerWeights = Readonly<Record<Projection | 'attentionNorm' | 'feedForwardNorm', Float32Array>>;

export interface NetworkWeights {
  /** [vocabulary, width]; tied to the output head. */
  readonly embedding: Float32Array;
  readonly outputNorm: Float32Array;
  /** Iterated once, in order. */
  readonly layers: Iterable<LayerWeights>;
}

/**
 * The two factors of a map's update, b transposed: `a` is [rank, inputs], `b` is [rank, outputs], and x · aᵀ · b is
 * added to the map's output. `a` includes the scaling alpha / rank.
 */
export interface Factors {
  readonly a: Float32Array;
  readonly b: Float32Array;
}
export type LayerFactors = Partial<Readonly<Record<Projection, Factors>>>;

/** Dropout factors of the inputs of the adapted maps of a layer: 0 for dropped inputs, 1 / (1 - rate) for others. */
export type LayerDropout = Partial<Readonly<Record<Projection, Float32Array>>>;

/**
 * Several texts in one sequence of tokens, with common prefixes stored once: a tree in which every path from a root is
 * a text. A token only attends to those before it on its path, so each text is computed as if it were alone.
 */
export interface PackedTokens {
  /** Tokens, padded to a length that is compiled once. */
  readonly tokens: Int32Array;
  /** The position of each token in its text. */
  readonly positions: Int32Array;
  /** The index of the previous token of each token, which comes earlier in the pack; -1 at the start of a text. */
  readonly parents: Int32Array;
  /** Indexes whose next token is a target, with that token; an index may have several. */
  readonly targetPlaces: Int32Array;
  readonly targets: Int32Array;
}

export interface Scored {
  /** Log-likelihood of each target. */
  readonly logprobs: Float64Array;
}

type Tensor = np.Array;
type TensorFactors = { a: Tensor; b: Tensor };
type TensorLayer = Record<Projection | 'attentionNorm' | 'feedForwardNorm', Tensor>;
type TensorLayerFactors = Partial<Record<Projection, TensorFactors>>;
type TensorDropout = Partial<Record<Projection, Tensor>>;
/** Tensors that all layers of a pack share: [tokens, head width] twice, [tokens, tokens]. */
type Surroundings = { cos: Tensor; sin: Tensor; mask: Tensor };
type Saved = Record<'q' | 'k' | 'v' | 'attended' | 'middle' | 'gate' | 'up', Tensor>;

/** The activations that a forward pass keeps for the backward pass; pass it to `backward` or `release`, once. */
export interface ForwardPass extends Scored {
  /** d logprob / d output of the last layer, for each target: [targets, width]. */
  readonly targetGradients: Float32Array;
  readonly pack: PackedTokens;
  readonly inputs: Tensor[];
  readonly saved: Saved[];
  readonly surroundings: Surroundings;
  readonly dropout: readonly LayerDropout[];
}

// A full row of log-likelihoods is 200 kB a target: this many are computed at a time.
const headRows = 32;
const headRowsStep = 16;
// Finite, so that a fully masked row does not give a NaN.
const hidden = -1e9;

/**
 * A Llama-like language model on jax-js with trainable LoRA factors. One layer is compiled once for each length of a
 * pack and used for all layers; the backward pass is hand-written, so that no gradient of a frozen weight is computed
 * and only attention is computed twice.
 */
export class Network {
  readonly shape: NetworkShape;
  readonly #embedding: Float32Array;
  readonly #head: Tensor;
  readonly #outputNorm: Tensor;
  readonly #layers: TensorLayer[];
  #factors: TensorLayerFactors[] = [];
  readonly #forwardLayer;
  readonly #trainLayer;
  readonly #backwardLayer;
  readonly #logits;
  readonly #logSumExp;
  readonly #targetLogits;
  readonly #headGradient;

  /** Loads the weights into WebAssembly, on `jaxThreads` threads. */
  static async create(shape: NetworkShape, weights: NetworkWeights): Promise<Network> {
    await init('wasm');
    defaultDevice('wasm');
    return new Network(shape, weights);
  }

  private constructor(shape: NetworkShape, weights: NetworkWeights) {
    this.shape = shape;
    this.#embedding = weights.embedding;
    this.#head = tensor(weights.embedding, [shape.vocabulary, shape.width]);
    this.#outputNorm = tensor(weights.outputNorm, [shape.width]);
    this.#layers = Array.from(weights.layers, (layer) => toTensors(shape, layer));
    const layer = createLayer(shape);
    this.#forwardLayer = jit(layer.forward);
    this.#trainLayer = jit(layer.forwardAndSave);
    this.#backwardLayer = jit(layer.backward);
    const norm = (x: Tensor, weight: Tensor) => normalize(x, weight, shape.normEpsilon);
    // Separate compilations: fused, the logits would be computed again for every use.
    this.#logits = jit((x: Tensor, weight: Tensor, head: Tensor) =>
      np.matmul(norm(x, weight), np.transpose(head)),
    );
    this.#targetLogits = jit((x: Tensor, weight: Tensor, target: Tensor) =>
      norm(x, weight).mul(target).sum(-1),
    );
    this.#logSumExp = jit((logits: Tensor) => nn.logsumexp(logits, -1));
    const probabilities = jit((logits: Tensor, logSumExp: Tensor) =>
      np.exp(logits.sub(logSumExp.reshape([-1, 1]))),
    );
    const expected = jit((chances: Tensor, head: Tensor) => np.matmul(chances, head));
    const throughNorm = jit((x: Tensor, weight: Tensor, target: Tensor, mean: Tensor) =>
      normalizeBackward(x, weight, target.sub(mean), shape.normEpsilon),
    );
    this.#headGradient = (
      x: Tensor,
      weight: Tensor,
      head: Tensor,
      target: Tensor,
      logits: Tensor,
      lse: Tensor,
    ) => throughNorm(x, weight, target, expected(probabilities(logits, lse), head));
  }

  /** Sets the factors for later passes; an empty list is the base model. */
  setFactors(factors: readonly LayerFactors[]): void {
    tree.dispose(this.#factors);
    this.#factors = factors.map((layer) => {
      const entries = projections.flatMap((projection) => {
        const pair = layer[projection];
        if (pair === undefined) return [];
        const { input, output } = widthsOf(this.shape, projection);
        const rank = pair.a.length / input;
        return [[projection, { a: tensor(pair.a, [rank, input]), b: tensor(pair.b, [rank, output]) }]];
      });
      return Object.fromEntries(entries);
    });
  }

  /** Log-likelihoods of the targets of a pack. */
  async score(pack: PackedTokens): Promise<Scored> {
    const surroundings = this.#surroundingsOf(pack);
    let x = this.#embed(pack.tokens);
    for (const [index, weights] of this.#layers.entries()) {
      x = this.#forwardLayer(tree.ref(weights), this.#factorsOf(index), tree.ref(surroundings), x);
      await blockUntilReady(x);
    }
    tree.dispose(surroundings);
    return { logprobs: await this.#scoreTargets(await floats(x), pack, undefined) };
  }

  /** The same, keeping the activations for the backward pass. */
  async forward(pack: PackedTokens, dropout: readonly LayerDropout[] = []): Promise<ForwardPass> {
    const surroundings = this.#surroundingsOf(pack);
    const inputs: Tensor[] = [];
    const saved: Saved[] = [];
    let x = this.#embed(pack.tokens);
    for (const [index, weights] of this.#layers.entries()) {
      inputs.push(x.ref);
      const layer = this.#trainLayer(
        tree.ref(weights),
        this.#factorsOf(index),
        this.#dropoutOf(dropout[index], pack),
        tree.ref(surroundings),
        x,
      );
      x = await blockUntilReady(layer.y);
      saved.push(layer.saved);
    }
    const targetGradients = new Float32Array(pack.targets.length * this.shape.width);
    const logprobs = await this.#scoreTargets(await floats(x), pack, targetGradients);
    return { logprobs, targetGradients, pack, inputs, saved, surroundings, dropout };
  }

  /**
   * Gradients of Σ coefficient · logprob over the targets of a pass, with respect to the current factors; `add`
   * receives those of each map.
   */
  async backward(
    pass: ForwardPass,
    coefficients: ArrayLike<number>,
    add: (layer: number, projection: Projection, gradient: Factors) => void,
  ): Promise<void> {
    const { pack, inputs, saved, surroundings, targetGradients, dropout } = pass;
    const { width } = this.shape;
    const start = new Float32Array(pack.tokens.length * width);
    for (const [index, place] of pack.targetPlaces.entries()) {
      const coefficient = coefficients[index] ?? 0;
      for (let column = 0; column < width; column += 1) {
        const at = place * width + column;
        start[at] = (start[at] ?? 0) + coefficient * (targetGradients[index * width + column] ?? 0);
      }
    }
    let dy = tensor(start, [pack.tokens.length, width]);
    const gradients: TensorLayerFactors[] = [];
    for (const index of [...this.#layers.keys()].reverse()) {
      const [weights, x, kept] = [this.#layers[index], inputs[index], saved[index]];
      if (weights === undefined || x === undefined || kept === undefined)
        throw new Error('The pass is another model’s.');
      const result = this.#backwardLayer(
        tree.ref(weights),
        this.#factorsOf(index),
        this.#dropoutOf(dropout[index], pack),
        tree.ref(surroundings),
        kept,
        x,
        dy,
      );
      dy = await blockUntilReady(result.dx);
      gradients.push(result.gradients);
    }
    dy.dispose();
    tree.dispose(surroundings);
    for (const [fromLast, layer] of gradients.entries()) {
      for (const projection of projections) {
        const gradient = layer[projection];
        if (gradient === undefined) continue;
        const found = { a: await floats(gradient.a), b: await floats(gradient.b) };
        add(this.#layers.length - 1 - fromLast, projection, found);
      }
    }
  }

  /** Frees the activations of a pass without a backward pass. */
  release(pass: ForwardPass): void {
    tree.dispose([pass.inputs, pass.saved]);
    tree.dispose(pass.surroundings);
  }

  #factorsOf(layer: number): TensorLayerFactors {
    return tree.ref(this.#factors[layer] ?? {});
  }

  #dropoutOf(dropout: LayerDropout | undefined, pack: PackedTokens): TensorDropout {
    return Object.fromEntries(
      Object.entries(dropout ?? {}).map(([projection, mask]) => [
        projection,
        tensor(mask, [pack.tokens.length, mask.length / pack.tokens.length]),
      ]),
    );
  }

  #embed(tokens: Int32Array): Tensor {
    const { width } = this.shape;
    const rows = new Float32Array(tokens.length * width);
    for (const [index, token] of tokens.entries()) {
      rows.set(this.#embedding.subarray(token * width, (token + 1) * width), index * width);
    }
    return tensor(rows, [tokens.length, width]);
  }

  #surroundingsOf({ tokens, positions, parents }: PackedTokens): Surroundings {
    const { headWidth, ropeBase } = this.shape;
    const length = tokens.length;
    const half = headWidth / 2;
    const cos = new Float32Array(length * headWidth);
    const sin = new Float32Array(length * headWidth);
    const mask = new Float32Array(length * length).fill(hidden);
    for (let place = 0; place < length; place += 1) {
      for (let pair = 0; pair < half; pair += 1) {
        const angle = (positions[place] ?? 0) * ropeBase ** (-pair / half);
        for (const column of [pair, pair + half]) {
          cos[place * headWidth + column] = Math.cos(angle);
          sin[place * headWidth + column] = Math.sin(angle);
        }
      }
      for (let seen = place; seen >= 0; seen = parents[seen] ?? -1) mask[place * length + seen] = 0;
    }
    return {
      cos: tensor(cos, [length, headWidth]),
      sin: tensor(sin, [length, headWidth]),
      mask: tensor(mask, [length, length]),
    };
  }

  /** Computes the logits at the targets only, a few at a time. */
  async #scoreTargets(
    output: Float32Array,
    { targetPlaces, targets }: PackedTokens,
    gradients: Float32Array | undefined,
  ): Promise<Float64Array> {
    const { width } = this.shape;
    const logprobs = new Float64Array(targets.length);
    for (let from = 0; from < targets.length; from += headRows) {
      const count = Math.min(headRows, targets.length - from);
      const rows = Math.ceil(count / headRowsStep) * headRowsStep;
      const gathered = new Float32Array(rows * width);
      const wanted = new Float32Array(rows * width);
      for (let row = 0; row < count; row += 1) {
        const place = targetPlaces[from + row] ?? 0;
        const target = targets[from + row] ?? 0;
        gathered.set(output.subarray(place * width, (place + 1) * width), row * width);
        wanted.set(this.#embedding.subarray(target * width, (target + 1) * width), row * width);
      }
      const x = tensor(gathered, [rows, width]);
      const target = tensor(wanted, [rows, width]);
      const logits = this.#logits(x.ref, this.#outputNorm.ref, this.#head.ref);
      const logSumExp = this.#logSumExp(logits.ref);
      const likely = await floats(this.#targetLogits(x.ref, this.#outputNorm.ref, target.ref));
      const sums = await floats(logSumExp.ref);
      for (let row = 0; row < count; row += 1) logprobs[from + row] = (likely[row] ?? 0) - (sums[row] ?? 0);
      if (gradients === undefined) {
        tree.dispose([x, target, logits, logSumExp]);
      } else {
        const found = await floats(
          this.#headGradient(x, this.#outputNorm.ref, this.#head.ref, target, logits, logSumExp),
        );
        gradients.set(found.subarray(0, count * width), from * width);
      }
    }
    return logprobs;
  }
}

function createLayer(shape: NetworkShape) {
  const attention = createAttention(shape);
  const forwardAndSave = createForward(shape, attention);

  const forward = (
    weights: TensorLayer,
    factors: TensorLayerFactors,
    surroundings: Surroundings,
    x: Tensor,
  ): Tensor => {
    const { y, saved } = forwardAndSave(weights, factors, {}, surroundings, x);
    tree.dispose(saved);
    return y;
  };

  return { forward, forwardAndSave, backward: createBackward(shape, attention) };
}

type Attention = ReturnType<typeof createAttention>;

function createAttention({ heads, keyValueHeads, headWidth }: NetworkShape) {
  const group = heads / keyValueHeads;

  const rotate = (x: Tensor, count: number, cos: Tensor, sin: Tensor): Tensor => {
    const tokens = x.shape[0] ?? 0;
    const split = x.reshape([tokens, count, headWidth]);
    const first = split.ref.slice([], [], [0, headWidth / 2]);
    const second = split.ref.slice([], [], [headWidth / 2, headWidth]);
    const turned = np.concatenate([np.negative(second), first], 2);
    return split
      .mul(cos.reshape([tokens, 1, headWidth]))
      .add(turned.mul(sin.reshape([tokens, 1, headWidth])))
      .reshape([tokens, count * headWidth]);
  };

  const attend = (q: Tensor, k: Tensor, v: Tensor, mask: Tensor): Tensor => {
    const tokens = q.shape[0] ?? 0;
    const queries = q.reshape([tokens, keyValueHeads, group, headWidth]).transpose([1, 2, 0, 3]);
    const keys = k.reshape([tokens, keyValueHeads, 1, headWidth]).transpose([1, 2, 3, 0]);
    const values = v.reshape([tokens, keyValueHeads, 1, headWidth]).transpose([1, 2, 0, 3]);
    const scores = np
      .matmul(queries, keys)
      .mul(headWidth ** -0.5)
      .add(mask);
    return np
      .matmul(nn.softmax(scores, -1), values)
      .transpose([2, 0, 1, 3])
      .reshape([tokens, heads * headWidth]);
  };

  return { rotate, attend };
}

/** Keeps what `createBackward` needs of the pass. */
function createForward({ heads, keyValueHeads, normEpsilon }: NetworkShape, { rotate, attend }: Attention) {
  return (
    weights: TensorLayer,
    factors: TensorLayerFactors,
    dropout: TensorDropout,
    { cos, sin, mask }: Surroundings,
    x: Tensor,
  ): { y: Tensor; saved: Saved } => {
    const map = (input: Tensor, name: Projection) =>
      project(input, weights[name], factors[name], dropout[name]);
    const normed = normalize(x.ref, weights.attentionNorm, normEpsilon);
    const q = rotate(map(normed.ref, 'q'), heads, cos.ref, sin.ref);
    const k = rotate(map(normed.ref, 'k'), keyValueHeads, cos, sin);
    const v = map(normed, 'v');
    const attended = attend(q.ref, k.ref, v.ref, mask);
    const middle = x.add(map(attended.ref, 'o'));
    const normedMiddle = normalize(middle.ref, weights.feedForwardNorm, normEpsilon);
    const gate = map(normedMiddle.ref, 'gate');
    const up = map(normedMiddle, 'up');
    const y = middle.ref.add(map(nn.silu(gate.ref).mul(up.ref), 'down'));
    return { y, saved: { q, k, v, attended, middle, gate, up } };
  };
}

function createBackward({ heads, keyValueHeads, normEpsilon }: NetworkShape, { rotate, attend }: Attention) {
  return (
    weights: TensorLayer,
    factors: TensorLayerFactors,
    dropout: TensorDropout,
    { cos, sin, mask }: Surroundings,
    { q, k, v, attended, middle, gate, up }: Saved,
    x: Tensor,
    dy: Tensor,
  ): { dx: Tensor; gradients: TensorLayerFactors } => {
    const gradients: TensorLayerFactors = {};
    const back = (d: Tensor, input: Tensor, name: Projection): Tensor => {
      const { dx, gradient } = projectBackward(d, input, weights[name], factors[name], dropout[name]);
      if (gradient !== undefined) gradients[name] = gradient;
      return dx;
    };

    const chance = nn.sigmoid(gate.ref);
    const gated = gate.ref.mul(chance.ref);
    const dActive = back(dy.ref, gated.ref.mul(up.ref), 'down');
    const dUp = dActive.ref.mul(gated);
    // silu'(g) = σ(g) · (1 + g · (1 - σ(g)))
    const slope = chance.ref.mul(gate.mul(np.subtract(1, chance)).add(1));
    const dGate = dActive.mul(up).mul(slope);
    const normedMiddle = normalize(middle.ref, weights.feedForwardNorm.ref, normEpsilon);
    const dNormedMiddle = back(dGate, normedMiddle.ref, 'gate').add(back(dUp, normedMiddle, 'up'));
    const dMiddle = dy.add(normalizeBackward(middle, weights.feedForwardNorm, dNormedMiddle, normEpsilon));

    const dAttended = back(dMiddle.ref, attended, 'o');
    const [dq, dk, dv] = grad(
      (queries: Tensor, keys: Tensor, values: Tensor) =>
        attend(queries, keys, values, mask).mul(dAttended).sum(),
      { argnums: [0, 1, 2] },
    )(q, k, v);
    const unturn = np.negative(sin);
    const normed = normalize(x.ref, weights.attentionNorm.ref, normEpsilon);
    const dNormed = back(rotate(dq, heads, cos.ref, unturn.ref), normed.ref, 'q')
      .add(back(rotate(dk, keyValueHeads, cos, unturn), normed.ref, 'k'))
      .add(back(dv, normed, 'v'));
    const dx = dMiddle.add(normalizeBackward(x, weights.attentionNorm, dNormed, normEpsilon));
    return { dx, gradients };
  };
}

/** x · wᵀ + (x ⊙ dropout) · aᵀ · b */
function project(
  x: Tensor,
  weight: Tensor,
  factors: TensorFactors | undefined,
  dropout: Tensor | undefined,
): Tensor {
  if (factors === undefined) return np.matmul(x, np.transpose(weight));
  const adapted = dropout === undefined ? x.ref : x.ref.mul(dropout);
  return np
    .matmul(x, np.transpose(weight))
    .add(np.matmul(np.matmul(adapted, np.transpose(factors.a)), factors.b));
}

/** The products are arranged so that the summed or resulting columns are adjacent in memory for jax-js. */
function projectBackward(
  dy: Tensor,
  x: Tensor,
  weight: Tensor,
  factors: TensorFactors | undefined,
  dropout: Tensor | undefined,
): { dx: Tensor; gradient?: TensorFactors } {
  if (factors === undefined) {
    x.dispose();
    return { dx: np.matmul(dy, weight) };
  }
  const adapted = dropout === undefined ? x : x.mul(dropout.ref);
  const reduced = np.matmul(adapted.ref, np.transpose(factors.a.ref));
  const dReduced = np.matmul(dy.ref, np.transpose(factors.b));
  const gradient = {
    a: np.matmul(np.transpose(dReduced.ref), adapted),
    b: np.matmul(np.transpose(reduced), dy.ref),
  };
  const through = np.matmul(dReduced, factors.a);
  const dx = np.matmul(dy, weight).add(dropout === undefined ? through : through.mul(dropout));
  return { dx, gradient };
}

/** Root mean square normalisation (Zhang and Sennrich, 2019) of each row. */
function normalize(x: Tensor, weight: Tensor, epsilon: number): Tensor {
  return x.ref.mul(inverseScale(x, epsilon)).mul(weight);
}

function normalizeBackward(x: Tensor, weight: Tensor, dy: Tensor, epsilon: number): Tensor {
  const scale = inverseScale(x.ref, epsilon);
  const unit = x.mul(scale.ref);
  const dUnit = dy.mul(weight);
  const along = np.mean(dUnit.ref.mul(unit.ref), -1, { keepdims: true });
  return dUnit.sub(unit.mul(along)).mul(scale);
}

function inverseScale(x: Tensor, epsilon: number): Tensor {
  return np.reciprocal(np.sqrt(np.mean(np.square(x), -1, { keepdims: true }).add(epsilon)));
}

function toTensors(shape: NetworkShape, layer: LayerWeights): TensorLayer {
  const maps = projections.map((projection) => {
    const { input, output } = widthsOf(shape, projection);
    return [projection, tensor(layer[projection], [output, input])];
  });
  return {
    ...Object.fromEntries(maps),
    attentionNorm: tensor(layer.attentionNorm, [shape.width]),
    feedForwardNorm: tensor(layer.feedForwardNorm, [shape.width]),
  };
}

function tensor(values: Float32Array, shape: number[]): Tensor {
  return np.array(values as Float32Array<ArrayBuffer>).reshape(shape);
}

/** Reads an array and frees it. */
async function floats(array: Tensor): Promise<Float32Array> {
  return (await array.data()) as Float32Array;
}
