import type { Factors, LayerFactors } from './network.ts';
import { type NetworkShape, type Projection, projections, widthsOf } from './network-shape.ts';
import type { Random } from './random.ts';

export interface AdapterSettings {
  readonly rank: number;
  readonly alpha: number;
  readonly modules: readonly Projection[];
}

interface Place {
  readonly layer: number;
  readonly projection: Projection;
  /** Offset of `a`, [rank, inputs], in the parameters; `b`, [rank, outputs], follows it. */
  readonly from: number;
  readonly input: number;
  readonly output: number;
}

/** A LoRA adapter (Hu et al. 2022): two factors for each adapted map, all in one array for the optimiser. */
export class Adapter {
  readonly shape: NetworkShape;
  readonly settings: AdapterSettings;
  readonly parameters: Float32Array;
  readonly #places: readonly Place[];

  constructor(shape: NetworkShape, settings: AdapterSettings) {
    this.shape = shape;
    this.settings = settings;
    const places: Place[] = [];
    let from = 0;
    for (let layer = 0; layer < shape.layers; layer += 1) {
      for (const projection of projections) {
        if (!settings.modules.includes(projection)) continue;
        const { input, output } = widthsOf(shape, projection);
        places.push({ layer, projection, from, input, output });
        from += settings.rank * (input + output);
      }
    }
    this.#places = places;
    this.parameters = new Float32Array(from);
  }

  /** PEFT's initialisation: `a` uniform within ±1/√inputs (Kaiming with a = √5), `b` zero. */
  randomize(random: Random): void {
    for (const { from, input } of this.#places) {
      const limit = 1 / Math.sqrt(input);
      for (let index = 0; index < this.settings.rank * input; index += 1) {
        this.parameters[from + index] = (2 * random() - 1) * limit;
      }
    }
  }

  /** Whether no factor `b` has a value but zero, as before the first step: the model is its base. */
  get changesNothing(): boolean {
    return [...this.factors()].every(({ b }) => b.every((value) => value === 0));
  }

  /** alpha / rank */
  get scaling(): number {
    return this.settings.alpha / this.settings.rank;
  }

  /** The factors in the network's form: `a` with the scaling. */
  layers(): LayerFactors[] {
    const layers: Partial<Record<Projection, Factors>>[] = Array.from(
      { length: this.shape.layers },
      () => ({}),
    );
    for (const { layer, projection, a, b } of this.factors()) {
      const entry = layers[layer];
      if (entry !== undefined) entry[projection] = { a: a.map((value) => value * this.scaling), b };
    }
    return layers;
  }

  /** Every pair of factors, as views of the parameters. */
  *factors(): Generator<{ layer: number; projection: Projection } & Factors> {
    for (const { layer, projection, from, input, output } of this.#places) {
      const end = from + this.settings.rank * input;
      yield {
        layer,
        projection,
        a: this.parameters.subarray(from, end),
        b: this.parameters.subarray(end, end + this.settings.rank * output),
      };
    }
  }

  /** Adds the gradient of factors in the network's form to the gradient of the parameters. */
  addGradient(gradients: Float32Array, layer: number, projection: Projection, { a, b }: Factors): void {
    const place = this.#places.find(
      (candidate) => candidate.layer === layer && candidate.projection === projection,
    );
    if (place === undefined) throw new Error(`Layer ${layer} has no adapted ${projection}.`);
    for (let index = 0; index < a.length; index += 1) {
      const at = place.from + index;
      gradients[at] = (gradients[at] ?? 0) + (a[index] ?? 0) * this.scaling;
    }
    const from = place.from + a.length;
    for (let index = 0; index < b.length; index += 1) {
      gradients[from + index] = (gradients[from + index] ?? 0) + (b[index] ?? 0);
    }
  }
}
