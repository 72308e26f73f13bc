import type { PackedTokens } from './network.ts';

/** A text as tokens, of which those from `start` are targets; the first token is never predicted. */
export interface Encoded {
  readonly tokens: Int32Array;
  readonly start: number;
}

export interface Pack extends PackedTokens {
  /** Start of each text's targets in the pack's targets; one more at the end. */
  readonly bounds: readonly number[];
}

/** Packs that are computed together before their losses. */
export interface PackGroup {
  readonly packs: readonly { readonly pack: Pack; readonly texts: readonly TextPlace[] }[];
}

/** Identifies a text of a row (both from 0). */
export interface TextPlace {
  readonly row: number;
  readonly text: number;
}

// Attention is computed between all tokens of a pack: beyond this length it costs more than packing saves.
const packTokens = 256;
// Every length is compiled once, in half a second.
const shortStep = 32;
const longStep = 64;

/** Number of target tokens of a text. */
export function targetsOf({ tokens, start }: Encoded): number {
  return Math.max(tokens.length - Math.max(start, 1), 0);
}

/**
 * Packs the texts of rows, longest first. The texts of a row are in one group, because its loss may need them all: in
 * one pack, or if they are long in one pack each.
 */
export function packRows(rows: readonly (readonly Encoded[])[]): PackGroup[] {
  const lengths = rows.map((texts) => texts.reduce((sum, { tokens }) => sum + tokens.length, 0));
  const order = [...rows.keys()].sort(
    (one, other) => (lengths[other] ?? 0) - (lengths[one] ?? 0) || one - other,
  );
  const bins: { readonly tree: TextTree; readonly rows: number[] }[] = [];
  const groups: PackGroup[] = [];
  for (const row of order) {
    const texts = rows[row] ?? [];
    const bin = bins.find(({ tree }) => tree.size + tree.growthBy(texts) <= packTokens);
    const { tree, rows: members } = bin ?? { tree: new TextTree(), rows: [] };
    if (bin === undefined) {
      if (tree.growthBy(texts) > packTokens) {
        groups.push({
          packs: texts.map((text, index) => ({ pack: createPack([text]), texts: [{ row, text: index }] })),
        });
        continue;
      }
      bins.push({ tree, rows: members });
    }
    for (const { tokens } of texts) tree.insert(tokens);
    members.push(row);
  }
  for (const { rows: members } of bins) {
    const texts = members.flatMap((row) =>
      (rows[row] ?? []).map((encoded, text) => ({ encoded, place: { row, text } })),
    );
    const pack = createPack(texts.map(({ encoded }) => encoded));
    groups.push({ packs: [{ pack, texts: texts.map(({ place }) => place) }] });
  }
  return groups;
}

/** Texts with common prefixes stored once, padded to a length that other packs share. */
export function createPack(texts: readonly Encoded[]): Pack {
  const tree = new TextTree();
  const targetPlaces: number[] = [];
  const targets: number[] = [];
  const bounds = [0];
  for (const text of texts) {
    const places = tree.insert(text.tokens);
    for (let index = Math.max(text.start, 1); index < text.tokens.length; index += 1) {
      targetPlaces.push(places[index - 1] ?? 0);
      targets.push(text.tokens[index] ?? 0);
    }
    bounds.push(targets.length);
  }
  const step = tree.size <= packTokens ? shortStep : longStep;
  const length = Math.max(Math.ceil(tree.size / step), 1) * step;
  const filled = (values: readonly number[], filler: number) => {
    const result = new Int32Array(length).fill(filler);
    result.set(values);
    return result;
  };
  return {
    tokens: filled(tree.tokens, 0),
    positions: filled(tree.positions, 0),
    parents: filled(tree.parents, -1),
    targetPlaces: Int32Array.from(targetPlaces),
    targets: Int32Array.from(targets),
    bounds,
  };
}

/** A prefix tree of texts: common prefixes share nodes. */
class TextTree {
  readonly tokens: number[] = [];
  readonly positions: number[] = [];
  readonly parents: number[] = [];
  readonly #children = new Map<string, number>();

  get size(): number {
    return this.tokens.length;
  }

  /** Number of nodes that texts would add. */
  growthBy(texts: readonly Encoded[]): number {
    const added = new Set<string>();
    for (const { tokens } of texts) {
      let path = '-1';
      for (const token of tokens) {
        const key = `${path}/${token}`;
        const known = this.#children.get(key);
        if (known === undefined) added.add(key);
        path = known === undefined ? key : String(known);
      }
    }
    return added.size;
  }

  /** The node index of each token of a text; missing nodes are added. */
  insert(tokens: Int32Array): number[] {
    let parent = -1;
    return Array.from(tokens, (token, position) => {
      const key = `${parent}/${token}`;
      const known = this.#children.get(key);
      const place = known ?? this.size;
      if (known === undefined) {
        this.#children.set(key, place);
        this.tokens.push(token);
        this.positions.push(position);
        this.parents.push(parent);
      }
      parent = place;
      return place;
    });
  }
}
