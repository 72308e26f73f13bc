import { type Body, Person } from './person.ts';
import type { StreamedAnswer } from './service.ts';
import { ANSWERING_MODEL } from './simulated-model.ts';

const MINUTE = 60_000;
const CHAT = 'chat.completions.create';
const RESPONSES = 'responses.create';
/** What an answer may be refused with, or fail of. */
const REFUSALS = [402, 429, 500, 502, 503, 504];

interface Event {
  readonly id?: string;
  readonly type?: string;
  readonly delta?: string;
  readonly choices?: readonly {
    readonly delta: { readonly content?: string };
    readonly finish_reason: string | null;
  }[];
  readonly response?: { readonly id: string; readonly status: string };
}

/** What a stream has told. */
interface Told {
  readonly id: string | null;
  readonly text: string;
  /** Whether the model has answered to its end. */
  readonly isCompleted: boolean;
}

/** Has questions answered, piece by piece or at once, leaves some answers before their end, and goes on with stored ones. */
export class ChattingPerson extends Person {
  async tell(): Promise<void> {
    const turns = 2 + this.random.below(4);
    for (let n = 0; n < turns; n += 1) {
      await this.rest(15 * MINUTE);
      let asked = 0;
      await this.inCompany(() => this.#ask(`what is ${n}-${asked++} to ${this.name}`));
    }
  }

  async #ask(question: string): Promise<void> {
    const isChat = this.random.chance(0.4);
    const isWhole = this.random.chance(0.2);
    const store = !isChat && this.random.chance(0.6);
    const leavesAfter = this.random.chance(0.3) ? this.random.below(6) : null;
    const body = isChat ? { messages: [{ role: 'user', content: question }] } : { input: question, store };
    const answer = await this.stream(
      isChat ? CHAT : RESPONSES,
      { body: { model: ANSWERING_MODEL, stream: !isWhole, ...body } },
      leavesAfter,
    );
    const { status, text } = answer;
    this.cloud.tell(
      `${this.name} hears ${text.length} characters${leavesAfter === null ? '' : ', and leaves'}: ${status}${answer.isWhole ? '' : ', broken off'}`,
    );
    if (status === 0) return;
    if (status !== 200) {
      if (!REFUSALS.includes(status))
        this.invariants.breaks('a launch is refused for a reason', `${status} ${text}`);
      return;
    }
    const told = isWhole ? toldAtOnce(answer) : toldByEvents(answer);
    if (told === null) return;
    await this.#check(question, answer, told, store);
  }

  /** Whether an answer is the one to its question, is billed, and is kept if it was to be stored. */
  async #check(
    question: string,
    answer: StreamedAnswer,
    { id, text, isCompleted }: Told,
    store: boolean,
  ): Promise<void> {
    const expected = `You ask: ${question}`;
    const where = `${id}: ${JSON.stringify(text)} of ${JSON.stringify(expected)}`;
    if (isCompleted ? text !== expected : !expected.startsWith(text))
      this.invariants.breaks('an answer is the one to its question', where);
    // What a killed process has not billed is not charged.
    if ((await answer.hasEnded) && text !== '' && id !== null)
      this.invariants.answersOf(this.caller.team_id, [id]);
    if (!isCompleted || !store || id === null) return;
    const params = { response_id: id };
    const stored = await this.request('responses.get', { params });
    if (stored.status !== 200 || stored.body.id !== id || !JSON.stringify(stored.body).includes(expected))
      this.invariants.breaks('what a caller was told stays true', `${where}: ${JSON.stringify(stored)}`);
    if (this.random.chance(0.5)) return;
    // A repetition whose first answer was lost finds none.
    const { status } = await this.request('responses.delete', { params });
    const again = await this.request('responses.get', { params });
    if ((status >= 400 && status !== 404) || again.status !== 404)
      this.invariants.breaks('what is deleted is erased', `${where}: ${status}, ${again.status}`);
  }
}

function toldAtOnce({ text, isWhole }: StreamedAnswer): Told | null {
  if (!isWhole) return null;
  const body = JSON.parse(text) as Body & {
    readonly choices?: readonly { readonly message: { readonly content: string } }[];
    readonly output?: readonly { readonly content?: readonly { readonly text?: string }[] }[];
  };
  if (body.id === undefined) return null;
  const said =
    body.choices?.map(({ message }) => message.content) ??
    body.output?.flatMap(({ content = [] }) => content.map((part) => part.text ?? '')) ??
    [];
  const isCompleted = body.choices !== undefined || body.status === 'completed';
  return { id: String(body.id), text: said.join(''), isCompleted };
}

function toldByEvents({ text }: StreamedAnswer): Told {
  const events = text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)) as Event);
  const ids = events.map(({ id, response }) => response?.id ?? id).filter((id) => id !== undefined);
  const said = events.map(({ type, delta, choices }) =>
    type === 'response.output_text.delta' ? delta : choices?.[0]?.delta.content,
  );
  const isCompleted = events.some(
    ({ type, choices }) => type === 'response.completed' || choices?.[0]?.finish_reason === 'stop',
  );
  return { id: ids[0] ?? null, text: said.join(''), isCompleted };
}
