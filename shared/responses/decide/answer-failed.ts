/**
 * The response fails, before or after its first event. `code` is one of OpenAI's response error codes, or one of this
 * service.
 */
export class AnswerFailed extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'AnswerFailed';
    this.code = code;
  }
}
