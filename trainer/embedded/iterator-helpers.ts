// jax-js uses iterator helpers, which Node has from version 22 on. This is a polyfill for Node 20.

type Step = (value: unknown, index: number) => unknown;

const prototype: object = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));

const helpers: Readonly<Record<string, (this: Iterable<unknown>, ...args: never[]) => unknown>> = {
  *map(this: Iterable<unknown>, step: Step) {
    let index = 0;
    for (const value of this) yield step(value, index++);
  },
  *filter(this: Iterable<unknown>, step: Step) {
    let index = 0;
    for (const value of this) if (step(value, index++)) yield value;
  },
  *flatMap(this: Iterable<unknown>, step: Step) {
    let index = 0;
    for (const value of this) yield* step(value, index++) as Iterable<unknown>;
  },
  *take(this: Iterable<unknown>, count: number) {
    if (count <= 0) return;
    let left = count;
    for (const value of this) {
      yield value;
      left -= 1;
      if (left === 0) return;
    }
  },
  *drop(this: Iterable<unknown>, count: number) {
    let left = count;
    for (const value of this) {
      if (left > 0) left -= 1;
      else yield value;
    }
  },
  toArray(this: Iterable<unknown>) {
    return [...this];
  },
  reduce(this: Iterable<unknown>, ...args: never[]) {
    return ([...this].reduce as (...all: never[]) => unknown)(...args);
  },
  some(this: Iterable<unknown>, step: Step) {
    return [...this].some(step);
  },
  every(this: Iterable<unknown>, step: Step) {
    return [...this].every(step);
  },
  find(this: Iterable<unknown>, step: Step) {
    return [...this].find(step);
  },
  forEach(this: Iterable<unknown>, step: Step) {
    [...this].forEach(step);
  },
};

for (const [name, value] of Object.entries(helpers)) {
  if (!(name in prototype)) {
    Object.defineProperty(prototype, name, { value, configurable: true, writable: true });
  }
}
