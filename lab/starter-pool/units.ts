import { distinct, pick, type Random, type StarterRow, whole } from './row.ts';

/** Billionths of the second unit in one of the first: exact by definition. */
const CONVERSIONS = [
  ['inches', 'centimetres', 2_540_000_000n],
  ['feet', 'metres', 304_800_000n],
  ['yards', 'metres', 914_400_000n],
  ['miles', 'kilometres', 1_609_344_000n],
  ['nautical miles', 'kilometres', 1_852_000_000n],
  ['pounds', 'kilograms', 453_592_370n],
  ['ounces', 'grams', 28_349_523_125n],
  ['stones', 'kilograms', 6_350_293_180n],
  ['US gallons', 'litres', 3_785_411_784n],
  ['imperial gallons', 'litres', 4_546_090_000n],
  ['acres', 'square metres', 4_046_856_422_400n],
  ['hectares', 'square metres', 10_000_000_000_000n],
  ['kilometres per hour', 'metres per second', null],
] as const;

const UNITS = { topic: 'units', source: 'international yard and pound (1959), SI brochure' };

/** `numerator / denominator`, rounded half up to two decimals, without trailing zeros. */
function rounded(numerator: bigint, denominator: bigint): string {
  const sign = numerator < 0n ? '-' : '';
  const size = numerator < 0n ? -numerator : numerator;
  const hundredths = (size * 200n + denominator) / (denominator * 2n);
  const places = String(hundredths % 100n)
    .padStart(2, '0')
    .replace(/0+$/, '');
  const value = `${hundredths / 100n}${places === '' ? '' : `.${places}`}`;
  return value === '0' ? value : `${sign}${value}`;
}

const isExact = (numerator: bigint, denominator: bigint): boolean => (numerator * 100n) % denominator === 0n;

function conversion(random: Random): StarterRow {
  const [from, to, billionths] = pick(random, CONVERSIONS);
  const isBack = random() < 0.4;
  const amount = whole(random, 2, 400);
  const [top, bottom] = billionths === null ? [5n, 18n] : [billionths, 1_000_000_000n];
  const convert = (count: number): [bigint, bigint] =>
    isBack ? [BigInt(count) * bottom, top] : [BigInt(count) * top, bottom];
  const [given, wanted] = isBack ? [to, from] : [from, to];
  const say = (count: number): string => {
    const value = convert(count);
    return `${amount} ${given} ${isExact(...value) ? 'are' : 'are about'} ${rounded(...value)} ${wanted}.`;
  };
  return {
    ...UNITS,
    prompt: pick(random, [
      `Convert ${amount} ${given} to ${wanted}, to two decimal places.`,
      `How many ${wanted} are ${amount} ${given}? Round to two decimal places.`,
    ]),
    completion: say(amount),
    rejected: say(amount + pick(random, [-1, 1, 2])),
  };
}

function temperature(random: Random): StarterRow {
  const degrees = whole(random, -40, 240);
  const toFahrenheit = random() < 0.5;
  const convert = (value: number): [bigint, bigint] =>
    toFahrenheit ? [BigInt(value * 9 + 160), 5n] : [BigInt((value - 32) * 5), 9n];
  const [given, wanted] = toFahrenheit ? ['°C', '°F'] : ['°F', '°C'];
  const say = (value: number): string => {
    const result = convert(value);
    return `${degrees} ${given} ${isExact(...result) ? 'is' : 'is about'} ${rounded(...result)} ${wanted}.`;
  };
  return {
    ...UNITS,
    prompt: pick(random, [
      `What is ${degrees} ${given} in ${wanted}, to two decimal places?`,
      `Convert a temperature of ${degrees} ${given} to ${wanted} and round to two decimal places.`,
    ]),
    completion: say(degrees),
    rejected: say(degrees + pick(random, [-3, -1, 1, 3])),
  };
}

function duration(random: Random): StarterRow {
  const seconds = whole(random, 4000, 400_000);
  const write = (value: number): string => {
    const [hours, minutes] = [Math.floor(value / 3600), Math.floor((value % 3600) / 60)];
    return `${hours} hours, ${minutes} minutes and ${value % 60} seconds`;
  };
  return {
    ...UNITS,
    prompt: `Express ${seconds} seconds in hours, minutes and seconds.`,
    completion: `${seconds} seconds are ${write(seconds)}.`,
    rejected: `${seconds} seconds are ${write(seconds + 60)}.`,
  };
}

const BINARY = ['KiB', 'MiB', 'GiB', 'TiB'] as const;

function bytes(random: Random): StarterRow {
  const power = whole(random, 1, BINARY.length);
  const unit = BINARY[power - 1] as string;
  const amount = whole(random, 2, 96);
  return {
    topic: 'computing',
    source: 'IEC 80000-13',
    prompt: pick(random, [`How many bytes are ${amount} ${unit}?`, `Express ${amount} ${unit} in bytes.`]),
    completion: `${amount} ${unit} are ${BigInt(amount) * 1024n ** BigInt(power)} bytes, since 1 ${unit} is 1024^${power} bytes.`,
    rejected: `${amount} ${unit} are ${BigInt(amount) * 1000n ** BigInt(power)} bytes.`,
  };
}

export function unitRows(random: Random): StarterRow[] {
  return [
    ...distinct(12, () => conversion(random)),
    ...distinct(12, () => temperature(random)),
    ...distinct(12, () => duration(random)),
    ...distinct(12, () => bytes(random)),
  ];
}
