const meanDecay = 0.9;
const squareDecay = 0.999;
const epsilon = 1e-8;
/** Added to the norm before the division, as in torch. */
const normEpsilon = 1e-6;

/** AdamW (Loshchilov and Hutter, 2019): weight decay decoupled from the gradient; β = (0.9, 0.999), ε = 1e-8. */
export class AdamW {
  readonly means: Float32Array;
  readonly squares: Float32Array;
  /** Number of updates so far. */
  step = 0;

  constructor(parameters: number) {
    this.means = new Float32Array(parameters);
    this.squares = new Float32Array(parameters);
  }

  update(
    parameters: Float32Array,
    gradients: Float32Array,
    { rate, weightDecay }: { rate: number; weightDecay: number },
  ): void {
    this.step += 1;
    const { means, squares } = this;
    const size = rate / (1 - meanDecay ** this.step);
    const squareCorrection = Math.sqrt(1 - squareDecay ** this.step);
    const kept = 1 - rate * weightDecay;
    for (let index = 0; index < parameters.length; index += 1) {
      const gradient = gradients[index] ?? 0;
      const mean = meanDecay * (means[index] ?? 0) + (1 - meanDecay) * gradient;
      const square = squareDecay * (squares[index] ?? 0) + (1 - squareDecay) * gradient * gradient;
      means[index] = mean;
      squares[index] = square;
      const parameter = (parameters[index] ?? 0) * kept;
      parameters[index] = parameter - (size * mean) / (Math.sqrt(square) / squareCorrection + epsilon);
    }
  }
}

/**
 * Scales gradients down to a norm of at most `max`; 0 leaves them unchanged.
 * @returns their norm before.
 */
export function clipGradients(gradients: Float32Array, max: number): number {
  let sum = 0;
  for (const gradient of gradients) sum += gradient * gradient;
  const norm = Math.sqrt(sum);
  const scale = max / (norm + normEpsilon);
  if (max > 0 && scale < 1) {
    for (let index = 0; index < gradients.length; index += 1)
      gradients[index] = (gradients[index] ?? 0) * scale;
  }
  return norm;
}
