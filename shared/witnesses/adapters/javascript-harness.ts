import { FROZEN_MILLISECONDS } from './disarm.ts';

/**
 * The JavaScript program that runs before the program of a row, in its own interpreter. Its value is a function that
 * compares: it takes a thunk and what is expected, and returns an outcome as JSON.
 */
export const JAVASCRIPT_HARNESS = String.raw`
(() => {
  const { stringify } = JSON;
  const OUTPUT_MAX = 65536;
  const SHOWN_MAX = 200;
  let printed = '';
  let seed = 1;
  Math.random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const Clock = Date;
  globalThis.Date = class Date extends Clock {
    constructor(...args) { super(...(args.length === 0 ? [${FROZEN_MILLISECONDS}] : args)); }
    static now() { return ${FROZEN_MILLISECONDS}; }
  };
  const print = (...values) => {
    printed += values.map((each) => (typeof each === 'string' ? each : show(each))).join(' ') + '\n';
    if (printed.length > OUTPUT_MAX) throw new RangeError('it printed more than 64 KB');
  };
  globalThis.console = { log: print, info: print, warn: print, error: print, debug: print, table: print };
  globalThis.module = { exports: {} };
  globalThis.exports = globalThis.module.exports;

  const show = (value, depth = 0) => {
    if (typeof value === 'string') return stringify(value);
    if (value === null || typeof value !== 'object') return Object.is(value, -0) ? '0' : String(value) + (typeof value === 'bigint' ? 'n' : '');
    if (depth > 20) return '…';
    if (Array.isArray(value)) return '[' + value.slice(0, 100).map((each) => show(each, depth + 1)).join(', ') + ']';
    if (value instanceof Map || value instanceof Set) return value.constructor.name + '(' + show([...value], depth + 1) + ')';
    return '{' + Object.entries(value).slice(0, 100).map(([key, each]) => key + ': ' + show(each, depth + 1)).join(', ') + '}';
  };
  const isPlain = (value) =>
    value === null || typeof value !== 'object' ? typeof value !== 'function' && typeof value !== 'symbol'
      : Array.isArray(value) ? value.every(isPlain)
      : [Object.prototype, null].includes(Object.getPrototypeOf(value)) && typeof value.then !== 'function' && Object.values(value).every(isPlain);
  const isSame = (a, b, near) => {
    if (typeof a === 'bigint') a = Number(a);
    if (typeof a === 'number' && typeof b === 'number') {
      return a === b || (a !== a && b !== b) || Math.abs(a - b) <= near * Math.max(1, Math.abs(b));
    }
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    const keys = Object.keys(a);
    return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key], near));
  };
  const loose = (value) =>
    Array.isArray(value) ? '[' + value.map(loose).join() + ']'
      : value === null || value === undefined ? 'null'
      : typeof value === 'object' ? '{' + Object.keys(value).sort().map((key) => key + ':' + loose(value[key])).join() + '}'
      : String(value);
  const decimals = (text) => {
    const found = [...text.matchAll(/\d\.(\d+)(?![\de])/g)].map(([, digits]) => digits.length);
    return found.length === 0 ? null : Math.min(...found);
  };
  const answer = (is, came) => stringify({ is, came: came.slice(0, SHOWN_MAX) });
  const describe = (error) => {
    try {
      return error instanceof Error ? error.name + ': ' + error.message : 'it threw ' + show(error);
    } catch {
      return 'it threw something';
    }
  };
  const isUnsupported = (error) =>
    error instanceof RangeError && /printed more/.test(error.message) ||
    error instanceof ReferenceError && /^'?(?:require|process|Buffer|window|document|fetch|setTimeout|setInterval|setImmediate|queueMicrotask|structuredClone|performance|URL|URLSearchParams|TextEncoder|TextDecoder|crypto|Intl|WebAssembly|navigator|localStorage|alert|prompt|\$|_|React|global|self|Deno|Bun|expect|assert|describe|it|test|atob|btoa|AbortController)\b/.test(error.message);

  const words = (text) => text.trim().split(/\s+/).join(' ');
  const run = (thunk, { isDefined, expected, text, literal, raises, notation, anyOrder }) => {
    if (!isDefined) return answer('unclear', 'it is not defined');
    printed = '';
    let value;
    try {
      value = thunk();
    } catch (error) {
      if (error instanceof Error && error.message === 'out of memory') return answer('unclear', 'it took too much memory');
      if (raises !== null) return answer(error instanceof Error ? 'passed' : 'raised', describe(error));
      return answer(isUnsupported(error) ? 'unclear' : 'raised', describe(error));
    }
    if (raises !== null) return answer('failed', show(value));
    if (printed !== '' && value === undefined) {
      const said = printed.trim();
      return answer(words(said) === words(text) || said === String(expected) ? 'passed' : 'unclear', said);
    }
    if (value === undefined && expected !== undefined && notation !== 'call') return answer('unclear', 'undefined');
    if (!isPlain(value)) return answer('unclear', show(value));
    const shown = decimals(literal);
    if (isSame(value, expected, 1e-6) || (shown !== null && shown >= 2 && isSame(value, expected, 0.51 * 10 ** -shown))) return answer('passed', show(value));
    if (loose(value) === loose(expected)) return answer('unclear', show(value));
    if (anyOrder && Array.isArray(value) && Array.isArray(expected) && value.map(loose).sort().join() === expected.map(loose).sort().join()) return answer('unclear', show(value));
    return answer('failed', show(value));
  };
  const begin = (error) => stringify({ is: isUnsupported(error) ? 'unsupported' : 'raised', came: describe(error).slice(0, SHOWN_MAX) });
  return (what, ...args) => (what === 'run' ? run(...args) : begin(...args));
})()
`;
