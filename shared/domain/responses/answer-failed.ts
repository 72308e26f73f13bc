/**
 * The answer cannot be given as it was demanded: the response fails, whether it has begun or not. `code` is one of the
 * codes of OpenAI's response errors, or one of this service.
 */
export class AnswerFailed extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'AnswerFailed';
    this.code = code;
  }
}
