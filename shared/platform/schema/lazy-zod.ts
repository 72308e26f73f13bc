import * as zod from 'zod';

/**
 * Zod as the bundles of functions import it (`bin/build.ts`): a schema is built when it is first used. A bundle has the
 * schemas of everything that its handler imports, and an invocation uses few of them.
 */
export * from 'zod';

type Build = () => object;

/** The schema of each stand-in. */
const builds = new WeakMap<object, Build>();

/** Methods of schemas that return another schema. */
const DERIVING: ReadonlySet<string | symbol> = new Set([
  ...['describe', 'meta', 'optional', 'nullable', 'nullish', 'default', 'prefault', 'catch', 'readonly'],
  ...['array', 'or', 'and'],
  ...['pipe', 'transform', 'refine', 'superRefine', 'check', 'overwrite', 'brand', 'exclude', 'extract'],
  ...['extend', 'safeExtend', 'catchall', 'pick', 'omit', 'partial', 'required', 'strict', 'loose'],
  ...['keyof'],
  ...[
    'min',
    'max',
    'length',
    'nonempty',
    'regex',
    'startsWith',
    'endsWith',
    'includes',
    'trim',
    'toLowerCase',
  ],
  ...['gt', 'gte', 'lt', 'lte', 'int', 'positive', 'nonnegative', 'multipleOf'],
]);

/** The schema of a stand-in, or the schemas in a list or an object of them; anything else as it is. */
function builtOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const build = builds.get(value);
  if (build !== undefined) return build();
  if (Array.isArray(value)) return value.map(builtOf);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const properties = Object.entries(Object.getOwnPropertyDescriptors(value)).map(([key, property]) => {
    const { get } = property;
    // A getter refers to a schema that contains this one.
    return [
      key,
      get === undefined
        ? { ...property, value: builtOf(property.value) }
        : { ...property, get: () => builtOf(get.call(value)) },
    ];
  });
  return Object.defineProperties({}, Object.fromEntries(properties) as PropertyDescriptorMap);
}

/**
 * A stand-in that builds its schema when anything but a derived schema is asked of it.
 * @param known properties that are known without the schema
 */
function standIn(make: Build, known: Readonly<Record<string | symbol, unknown>> = {}): object {
  let built: object | undefined;
  const build = (): object => {
    built ??= make();
    return built;
  };
  const proxy: object = new Proxy(
    {},
    {
      get(_, name) {
        if (DERIVING.has(name)) {
          return (...args: unknown[]) =>
            standIn(() => {
              const schema = build() as Record<string | symbol, (...args: unknown[]) => object>;
              return (schema[name] as (...args: unknown[]) => object)(...args.map(builtOf));
            });
        }
        if (Object.hasOwn(known, name)) return known[name];
        const schema = build();
        const value = Reflect.get(schema, name);
        return typeof value === 'function' ? value.bind(schema) : value;
      },
      has: (_, name) => Reflect.has(build(), name),
      getPrototypeOf: () => Reflect.getPrototypeOf(build()),
    },
  );
  builds.set(proxy, build);
  return proxy;
}

/** A function of zod that makes stand-ins; `known` reads properties of the schema from its arguments. */
function lazily<Make extends (...args: never[]) => object>(
  make: () => Make,
  known?: (...args: unknown[]) => Readonly<Record<string, unknown>>,
): Make {
  return ((...args: unknown[]) =>
    standIn(() => make()(...(args.map(builtOf) as never[])), known?.(...args))) as unknown as Make;
}

const withShape = (shape: unknown) => ({ shape });
const withOptions = (options: unknown) => ({ options });

export const string = /* @__PURE__ */ lazily(() => zod.string);
export const number = /* @__PURE__ */ lazily(() => zod.number);
export const int = /* @__PURE__ */ lazily(() => zod.int);
export const boolean = /* @__PURE__ */ lazily(() => zod.boolean);
export const unknown = /* @__PURE__ */ lazily(() => zod.unknown);
export const literal = /* @__PURE__ */ lazily(
  () => zod.literal,
  (value) => (Array.isArray(value) ? {} : { value }),
);
export const uuid = /* @__PURE__ */ lazily(() => zod.uuid);
export const guid = /* @__PURE__ */ lazily(() => zod.guid);
export const base64 = /* @__PURE__ */ lazily(() => zod.base64);
export const url = /* @__PURE__ */ lazily(() => zod.url);
export const object = /* @__PURE__ */ lazily(() => zod.object, withShape);
export const strictObject = /* @__PURE__ */ lazily(() => zod.strictObject, withShape);
export const looseObject = /* @__PURE__ */ lazily(() => zod.looseObject, withShape);
export const array = /* @__PURE__ */ lazily(() => zod.array);
export const tuple = /* @__PURE__ */ lazily(() => zod.tuple);
export const record = /* @__PURE__ */ lazily(() => zod.record);
export const partialRecord = /* @__PURE__ */ lazily(() => zod.partialRecord);
export const union = /* @__PURE__ */ lazily(() => zod.union, withOptions);
export const discriminatedUnion = /* @__PURE__ */ lazily(
  () => zod.discriminatedUnion,
  (_, options) => ({ options }),
);
export const custom = /* @__PURE__ */ lazily(() => zod.custom);
export const preprocess = /* @__PURE__ */ lazily(() => zod.preprocess);
export const file = /* @__PURE__ */ lazily(() => zod.file);
export const json = /* @__PURE__ */ lazily(() => zod.json);
export const never = /* @__PURE__ */ lazily(() => zod.never);

const lazyEnum = /* @__PURE__ */ lazily(
  () => zod.enum,
  (values) => (Array.isArray(values) ? { options: [...values] } : {}),
);
const lazyNull = /* @__PURE__ */ lazily(() => zod.null);

export { lazyEnum as enum, lazyNull as null };

export const iso = {
  datetime: /* @__PURE__ */ lazily(() => zod.iso.datetime),
  date: /* @__PURE__ */ lazily(() => zod.iso.date),
};
export const coerce = { number: /* @__PURE__ */ lazily(() => zod.coerce.number) };
