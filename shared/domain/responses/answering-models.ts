import type { AnsweringModel } from '../model/turn.ts';

/** Credits for 1,000 tokens, in thousandths. */
export interface TokenPrice {
  readonly input_millicredits: number;
  readonly output_millicredits: number;
}

export interface ChosenModel {
  /** The hosted model or the training that answers and is billed; of a stack, the model of the stack. */
  readonly id: string;
  readonly model: AnsweringModel;
  readonly price: TokenPrice;
  /** Tokens that a conversation and its answer may have together. */
  readonly contextTokens: number;
}

/** Models that can answer: hosted ones, and those that the team has trained. */
export interface AnsweringModels {
  /**
   * Finds a model by the id of a hosted model or of one of the team's trainings.
   * @throws {ServiceError} `model_not_found` if there is none or it is another team's; `model_not_served` if the
   * training has no model, or none that this installation serves
   */
  choose(teamId: string, id: string): Promise<ChosenModel>;
}

/** Which models of trainings are served here. */
export interface ServedTrainings {
  /** How the endpoint calls the model of a training; null where it does not serve it. @throws {ModelError} */
  find(experimentId: string, signal?: AbortSignal): Promise<string | null>;
  /** The trainings whose models are served. @throws {ModelError} */
  list(signal?: AbortSignal): Promise<readonly string[]>;
}
