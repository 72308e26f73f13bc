import { Writable } from 'node:stream';

interface Head {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** What the caller of a stream has heard. */
export interface Heard {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
  /** Whether the answer came to its end. */
  isWhole: boolean;
}

/** The stream of one invocation, as Lambda hands it to a function; its caller may leave. */
export class AnswerStream extends Writable {
  readonly heard: Heard;

  /**
   * @param onPiece called with the number of the pieces that have come
   * @param onOver called when nothing more comes to the caller
   */
  constructor(onPiece: (pieces: number) => void, onOver: () => void) {
    const heard: Heard = { status: 0, headers: {}, text: '', isWhole: false };
    let pieces = 0;
    super({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        heard.text += text;
        pieces += 1;
        done();
        onPiece(pieces);
      },
      final(done) {
        heard.isWhole = true;
        done();
        onOver();
      },
    });
    this.heard = heard;
    this.on('close', onOver);
  }

  begin({ statusCode, headers }: Head): void {
    this.heard.status = statusCode;
    this.heard.headers = headers;
  }
}

/** Lambda's streaming API for the functions of this process; in place before they are loaded. */
export const streamingApi = {
  streamifyResponse: (handler: unknown) => handler,
  HttpResponseStream: {
    from(stream: AnswerStream, head: Head): AnswerStream {
      stream.begin(head);
      return stream;
    },
  },
};
