/** The sizes of a Llama-like model. */
export interface NetworkShape {
  readonly layers: number;
  readonly width: number;
  readonly heads: number;
  /** Number of key-value heads; each serves `heads / keyValueHeads` query heads. */
  readonly keyValueHeads: number;
  readonly headWidth: number;
  readonly feedForwardWidth: number;
  readonly vocabulary: number;
  readonly ropeBase: number;
  readonly normEpsilon: number;
}

/** The linear maps of a layer, which LoRA can adapt. */
export const projections = ['q', 'k', 'v', 'o', 'gate', 'up', 'down'] as const;
export type Projection = (typeof projections)[number];

/** Names of the linear maps in Hugging Face checkpoints, below `model.layers.<n>.`. */
export const checkpointNames: Readonly<Record<Projection, string>> = {
  q: 'self_attn.q_proj',
  k: 'self_attn.k_proj',
  v: 'self_attn.v_proj',
  o: 'self_attn.o_proj',
  gate: 'mlp.gate_proj',
  up: 'mlp.up_proj',
  down: 'mlp.down_proj',
};

/** Their names in GGUF files, below `blk.<n>.`. */
export const ggufNames: Readonly<Record<Projection, string>> = {
  q: 'attn_q',
  k: 'attn_k',
  v: 'attn_v',
  o: 'attn_output',
  gate: 'ffn_gate',
  up: 'ffn_up',
  down: 'ffn_down',
};

/** Input and output widths of a linear map. */
export function widthsOf(shape: NetworkShape, projection: Projection): { input: number; output: number } {
  const queries = shape.heads * shape.headWidth;
  const keys = shape.keyValueHeads * shape.headWidth;
  switch (projection) {
    case 'q':
      return { input: shape.width, output: queries };
    case 'k':
    case 'v':
      return { input: shape.width, output: keys };
    case 'o':
      return { input: queries, output: shape.width };
    case 'gate':
    case 'up':
      return { input: shape.width, output: shape.feedForwardWidth };
    case 'down':
      return { input: shape.feedForwardWidth, output: shape.width };
  }
}
