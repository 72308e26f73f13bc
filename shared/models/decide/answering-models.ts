import type { ModelError } from './port.ts';
import type { AnsweringModel } from './turn.ts';

/** Credits for 1,000 tokens, in thousandths. */
export interface TokenPrice {
  readonly input_millicredits: number;
  readonly output_millicredits: number;
}

export interface ChosenModel {
  /** Id of the hosted model or training that answers and is billed; for a stack, that of its model. */
  readonly id: string;
  readonly model: AnsweringModel;
  readonly price: TokenPrice;
  /** Price of a call of each provider tool, in microcredits. A tool without a price is not forwarded. */
  readonly toolPrices: ReadonlyMap<string, number>;
  /** Maximum tokens of a conversation with its output. */
  readonly contextTokens: number;
}

/** Available models: hosted ones, and the team's trained ones. */
export interface AnsweringModels {
  /**
   * Finds a model by the id of a hosted model or of one of the team's trainings.
   * @throws {ServiceError} `model_not_found` if there is none or it is another team's; `model_not_served` if the
   * training has no model, or none that this installation serves
   */
  choose(teamId: string, id: string): Promise<ChosenModel>;
}

export interface ServedList {
  readonly ids: readonly string[];
  /** Why the endpoint did not list its models; null if it did. */
  readonly failure: ModelError | null;
}

/** Which trained models the endpoint serves. */
export interface ServedTrainings {
  /** The endpoint's name for the model of a training; null if it does not serve it. @throws {ModelError} */
  find(experimentId: string, signal?: AbortSignal): Promise<string | null>;
  /** The trainings whose models are served, without those of an endpoint that did not answer. */
  list(signal?: AbortSignal): Promise<ServedList>;
}
