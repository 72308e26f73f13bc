import { type PatternNode, parsePattern } from './parse-pattern.ts';

/** A text on which a regular expression takes more than linear time: `prefix`, then `pump` again and again. */
export interface Backtracking {
  readonly degree: 'exponential' | 'polynomial';
  readonly prefix: string;
  readonly pump: string;
}

/** A bounded repetition beyond this counts as unbounded. */
const REPEATS_MAX = 256;

/** Characters of every kind that expressions tell apart; those of the expression itself come on top. */
const CHARACTERS = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...'\u0085\u00a0\u00adéßİſ\u0301٣½²Ⅷ−×÷·…–—“”„«»’‘、。，：？！一あアー한ابहि๑ไא\u200b\u2028\u3000€°√\ufeff\ufffd',
];
const ASTRAL = ['😀', '𝒜', '𠀀', '🇩'];

/** Three positions and a character make one number. */
const POSITIONS_MAX = 8192;

/** Positions of an expression are the places where it reads a character; this one comes before all of them. */
const START = 0;

interface End {
  readonly position: number;
  /** Assertions on the way from or to the position. */
  readonly guards: readonly string[];
}

/** Glushkov's construction, with every way of passing a part kept apart: two ways are two paths of the engine. */
interface Part {
  readonly empty: readonly (readonly string[])[];
  readonly first: readonly End[];
  readonly last: readonly End[];
}

interface Edge {
  readonly to: number;
  readonly guards: readonly string[];
}

const NOTHING: Part = { empty: [[]], first: [], last: [] };
/** More ways than this are not told apart; what is left out can only hide what the first ones show. */
const WAYS_MAX = 4;

/**
 * Finds a text on which the engine backtracks without bound: a word that it can read in two ways over and over, and
 * then has to try them all. Assertions that see one character to either side are asked from the engine; longer ones are
 * taken to hold. Null says that time is linear in the text, also where all matches of a text are looked for.
 */
export function findBacktracking(source: string, flags: string): Backtracking | null {
  return new Automaton(source, flags).findBacktracking();
}

class Automaton {
  readonly #flags: string;
  readonly #readers: string[] = [''];
  readonly #edges: Edge[][] = [[]];
  /** Positions after which the expression has matched. */
  readonly #settled = new Set<number>();
  readonly #letters: readonly string[];
  readonly #reads: readonly ReadonlySet<number>[];
  readonly #guardsHold = new Map<string, boolean>();
  readonly #known = new Map<number, readonly number[]>();
  readonly #isSearched: boolean;

  constructor(source: string, flags: string) {
    this.#flags = flags.replaceAll(/[gyd]/g, '');
    this.#isSearched = !flags.includes('y');
    const whole = this.#part(parsePattern(source, flags));
    this.#link([{ position: START, guards: [] }], whole.first);
    for (const { position, guards } of whole.last) if (guards.length === 0) this.#settled.add(position);
    ({ letters: this.#letters, reads: this.#reads } = this.#alphabet(source));
    // What reads every character up to the end of the text always gets there.
    for (const { position, guards } of flags.includes('m') ? [] : whole.last) {
      const readsAll = this.#reads[position]?.size === this.#letters.length;
      const goesOn = this.#edges[position]?.some((edge) => edge.to === position && edge.guards.length === 0);
      if (readsAll && goesOn && guards.every((guard) => guard === '$')) this.#settled.add(position);
    }
  }

  #part(node: PatternNode): Part {
    switch (node.kind) {
      case 'character': {
        const position = this.#readers.push(node.raw) - 1;
        this.#edges.push([]);
        const end = { position, guards: [] };
        return { empty: [], first: [end], last: [end] };
      }
      case 'sequence':
        return node.items
          .map((item) => this.#part(item))
          .reduce((left, right) => this.#join(left, right), NOTHING);
      case 'choice': {
        const parts = node.options.map((option) => this.#part(option));
        return {
          empty: parts.flatMap(({ empty }) => empty).slice(0, WAYS_MAX),
          first: parts.flatMap(({ first }) => first),
          last: parts.flatMap(({ last }) => last),
        };
      }
      case 'repeat':
        return this.#repeat(node.body, node.min, node.max);
      case 'assertion':
        return this.#assertion(node);
      case 'backreference':
        // What it repeats has been read before: it adds no way of reading.
        return NOTHING;
    }
  }

  #repeat(body: PatternNode, min: number, max: number): Part {
    const copiesMax = body.kind === 'character' ? 4 : 2;
    const required = Array.from({ length: Math.min(min, copiesMax) }, () => this.#part(body));
    if (max > REPEATS_MAX) {
      const loop = required.pop() ?? this.#part(body);
      // An iteration that reads nothing ends the loop.
      this.#link(loop.last, loop.first);
      required.push(min === 0 ? { ...loop, empty: [[]] } : loop);
    } else {
      for (let copies = required.length; copies < Math.min(max, copiesMax); copies += 1) {
        const copy = this.#part(body);
        required.push({ ...copy, empty: [[], ...copy.empty].slice(0, 1) });
      }
    }
    return required.reduce((left, right) => this.#join(left, right), NOTHING);
  }

  #assertion({ raw, body, behind }: Extract<PatternNode, { kind: 'assertion' }>): Part {
    const length = body === null ? 1 : lengthOf(body);
    if (length <= 1) return { empty: [[raw]], first: [], last: [] };
    if (length <= REPEATS_MAX) return NOTHING;
    // What an assertion reads is read for nothing, even where it holds. One that looks back reads the other way round.
    const read = this.#part(behind ? reversed(body as PatternNode) : (body as PatternNode));
    return { empty: [[]], first: read.first, last: [] };
  }

  #join(left: Part, right: Part): Part {
    this.#link(left.last, right.first);
    const before = (ways: Part['empty'], ends: readonly End[]): End[] =>
      ways.flatMap((way) => ends.map(({ position, guards }) => ({ position, guards: [...way, ...guards] })));
    const after = (ends: readonly End[], ways: Part['empty']): End[] =>
      ways.flatMap((way) => ends.map(({ position, guards }) => ({ position, guards: [...guards, ...way] })));
    return {
      empty: left.empty.flatMap((way) => right.empty.map((other) => [...way, ...other])).slice(0, WAYS_MAX),
      first: [...left.first, ...before(left.empty, right.first)],
      last: [...right.last, ...after(left.last, right.empty)],
    };
  }

  #link(from: readonly End[], to: readonly End[]): void {
    for (const { position, guards } of from) {
      for (const next of to) {
        this.#edges[position]?.push({ to: next.position, guards: [...guards, ...next.guards] });
      }
    }
  }

  /** One character for each set of positions that read the same. */
  #alphabet(source: string): { letters: string[]; reads: Set<number>[] } {
    const isUnicode = /[uv]/.test(this.#flags);
    const candidates = [...new Set([...source, ...CHARACTERS, ...(isUnicode ? ASTRAL : [])])].filter(
      (letter) => isUnicode || letter.length === 1,
    );
    const readers = new Map(
      [...new Set(this.#readers.slice(1))].map((raw) => [raw, new RegExp(`^(?:${raw})$`, this.#flags)]),
    );
    // What a boundary of words sees is told apart, too.
    const word = /\w/;
    const known = new Map<string, string>();
    for (const letter of candidates) {
      const signature = [...readers.values(), word, /\n/]
        .map((reader) => (reader.test(letter) ? 1 : 0))
        .join('');
      if (!known.has(signature)) known.set(signature, letter);
    }
    const letters = [...known.values()];
    const reads = this.#readers.map((raw, position) =>
      position === START
        ? new Set(letters.keys())
        : new Set([...letters.keys()].filter((n) => readers.get(raw)?.test(letters[n] as string))),
    );
    return { letters, reads };
  }

  #holds(guards: readonly string[], last: number, next: number): boolean {
    return guards.every((guard) => {
      const key = `${last} ${next} ${guard}`;
      let holds = this.#guardsHold.get(key);
      if (holds === undefined) {
        const before = this.#letters[last] ?? '';
        const asked = new RegExp(guard, `${this.#flags}y`);
        asked.lastIndex = before.length;
        holds = asked.test(before + this.#letters[next]);
        this.#guardsHold.set(key, holds);
      }
      return holds;
    });
  }

  /** Where a character leads, one entry a way. The engine may begin at every character of a text. */
  #steps(position: number, last: number, next: number): readonly number[] {
    const key = (position * 256 + last + 1) * 256 + next;
    let steps = this.#known.get(key);
    if (steps === undefined) {
      steps = this.#follow(position, last, next);
      this.#known.set(key, steps);
    }
    return steps;
  }

  #follow(position: number, last: number, next: number): number[] {
    const to = (this.#edges[position] ?? [])
      .filter((edge) => this.#reads[edge.to]?.has(next) && this.#holds(edge.guards, last, next))
      .map((edge) => edge.to);
    if (position === START && this.#isSearched) to.push(START);
    return to;
  }

  findBacktracking(): Backtracking | null {
    const reach = this.#reached();
    const circles = this.#circles(reach);
    const looping = [...circles.keys()].filter(
      (position) => position !== START && !this.#settled.has(position),
    );
    for (const position of looping) {
      const pump = this.#twoWaysRound(position, circles);
      if (pump !== null) return this.#shown('exponential', position, pump);
    }
    for (const from of [START, ...looping]) {
      for (const to of looping) {
        if (from === to || !reach[from]?.has(to) || (from === START && !this.#isSearched)) continue;
        const leads = (position: number): boolean => position === to || reach[position]?.has(to) === true;
        const pump = this.#roundAndOn(from, to, leads, circles);
        if (pump !== null) return this.#shown('polynomial', from, pump);
      }
    }
    return null;
  }

  /** The positions that come after each, however far. */
  #reached(): ReadonlySet<number>[] {
    return this.#edges.map((_, from) => {
      const seen = new Set<number>();
      const open = [from];
      for (let position = open.pop(); position !== undefined; position = open.pop()) {
        for (const { to } of this.#edges[position] ?? []) {
          if (!seen.has(to)) {
            seen.add(to);
            open.push(to);
          }
        }
      }
      return seen;
    });
  }

  /** The positions that lie on a circle, and its number. */
  #circles(reach: readonly ReadonlySet<number>[]): Map<number, number> {
    const circles = new Map([[START, START]]);
    reach.forEach((seen, position) => {
      if (!seen.has(position)) return;
      const first = [...seen].filter((other) => reach[other]?.has(position)).sort((a, b) => a - b)[0];
      circles.set(position, first as number);
    });
    return circles;
  }

  /** A word that leads from a position back to it in two ways. */
  #twoWaysRound(position: number, circles: ReadonlyMap<number, number>): string | null {
    const stays = (to: number): boolean =>
      circles.get(to) === circles.get(position) && !this.#settled.has(to);
    for (const last of this.#reads[position] ?? []) {
      const word = this.#search(
        [position, position, 0],
        last,
        ([a, b, parted], letter, next) => {
          const left = this.#steps(a, letter, next).filter(stays);
          if (a !== b) {
            const right = this.#steps(b, letter, next).filter(stays);
            return left.flatMap((to) => right.map((other) => [to, other, 1] as const));
          }
          return left.flatMap((to, n) =>
            left.slice(n).map((other, k) => [to, other, k > 0 ? 1 : parted] as const),
          );
        },
        ([a, b, parted], letter) => a === position && b === position && parted === 1 && letter === last,
      );
      if (word !== null) return word;
    }
    return null;
  }

  /** A word that leads from each of two positions back to it, and from the first to the second. */
  #roundAndOn(
    from: number,
    to: number,
    leads: (position: number) => boolean,
    circles: ReadonlyMap<number, number>,
  ): string | null {
    const on = (circle: number, position: number): boolean =>
      circles.get(position) === circles.get(circle) && (position === START || !this.#settled.has(position));
    for (const last of this.#reads[to] ?? []) {
      if (!this.#reads[from]?.has(last)) continue;
      const word = this.#search(
        [from, from, to],
        last,
        ([a, b, c], letter, next) => {
          const further = this.#steps(c, letter, next);
          // Where one way always matches, the engine ends there.
          if (further.some((position) => this.#settled.has(position))) return [];
          const ends = further.filter((position) => on(to, position));
          if (ends.length === 0) return [];
          const begins = this.#steps(a, letter, next).filter((position) => on(from, position));
          if (begins.length === 0) return [];
          const ways = new Set(this.#steps(b, letter, next).filter(leads));
          return begins.flatMap((x) => [...ways].flatMap((y) => ends.map((z) => [x, y, z] as const)));
        },
        ([a, b, c], letter, text) =>
          a === from && b === to && c === to && letter === last && !this.#settles(to, last, text),
      );
      if (word !== null) return word;
    }
    return null;
  }

  /** Whether one way of reading a text over and over matches: the engine ends there. */
  #settles(position: number, last: number, text: string): boolean {
    let reached = new Set([position]);
    let letter = last;
    for (const character of [...text, ...text, ...text]) {
      const next = this.#letters.indexOf(character);
      reached = new Set([...reached].flatMap((from) => this.#steps(from, letter, next)));
      if ([...reached].some((to) => this.#settled.has(to))) return true;
      letter = next;
    }
    return false;
  }

  /** Breadth first through what three readers of one text can reach; the text that reaches the goal. */
  #search(
    start: Readers,
    last: number,
    step: (readers: Readers, last: number, next: number) => readonly Readers[],
    isGoal: (readers: Readers, last: number, text: string) => boolean,
  ): string | null {
    const seen = new Set<number>();
    let front = [{ readers: start, last, text: '' }];
    while (front.length > 0) {
      const following: typeof front = [];
      for (const { readers, last: letter, text } of front) {
        for (let next = 0; next < this.#letters.length; next += 1) {
          for (const reached of step(readers, letter, next)) {
            const key = reached.reduce((sum, position) => sum * POSITIONS_MAX + position, next);
            if (seen.has(key)) continue;
            seen.add(key);
            const word = text + this.#letters[next];
            if (isGoal(reached, next, word)) return word;
            following.push({ readers: reached, last: next, text: word });
          }
        }
      }
      front = following;
    }
    return null;
  }

  #shown(degree: Backtracking['degree'], position: number, pump: string): Backtracking {
    const prefix =
      position === START
        ? ''
        : (this.#search(
            [START, START, START],
            -1,
            ([a], letter, next) => this.#steps(a, letter, next).map((to) => [to, to, to] as const),
            ([a]) => a === position,
          ) ?? '');
    return { degree, prefix, pump };
  }
}

type Readers = readonly [number, number, number];

/** The most characters that a part can read. */
function lengthOf(node: PatternNode): number {
  switch (node.kind) {
    case 'character':
      return 1;
    case 'sequence':
      return node.items.reduce((sum, item) => sum + lengthOf(item), 0);
    case 'choice':
      return Math.max(...node.options.map(lengthOf));
    case 'repeat':
      return lengthOf(node.body) === 0 ? 0 : lengthOf(node.body) * node.max;
    case 'assertion':
      return node.body === null ? 0 : lengthOf(node.body);
    case 'backreference':
      return Number.POSITIVE_INFINITY;
  }
}

function reversed(node: PatternNode): PatternNode {
  switch (node.kind) {
    case 'sequence':
      return { ...node, items: node.items.map(reversed).reverse() };
    case 'choice':
      return { ...node, options: node.options.map(reversed) };
    case 'repeat':
      return { ...node, body: reversed(node.body) };
    default:
      return node;
  }
}

/** A text of a number of characters on which the expression backtracks: what ends it fits nothing. */
export function attackText({ prefix, pump }: Backtracking, characters: number): string {
  const room = characters - prefix.length - 1;
  return `${`${prefix}${pump.repeat(Math.max(0, Math.ceil(room / pump.length)))}`.slice(0, characters - 1)}\u0001`;
}
