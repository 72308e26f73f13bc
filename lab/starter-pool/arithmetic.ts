import { toRoman } from './roman.ts';
import { distinct, other, pick, type Random, type StarterRow, whole } from './row.ts';

const ARITHMETIC = { topic: 'arithmetic', source: 'computed' };
const NUMBERS = { topic: 'number theory', source: 'computed' };

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}

/** The prime factors of an integer from 2 on, in ascending order, with multiplicity. */
function factorsOf(value: number): number[] {
  const factors: number[] = [];
  let rest = value;
  for (let prime = 2; prime * prime <= rest; prime += 1) {
    while (rest % prime === 0) {
      factors.push(prime);
      rest /= prime;
    }
  }
  return rest > 1 ? [...factors, rest] : factors;
}

/** Hundredths as a decimal number without trailing zeros. */
const decimal = (hundredths: number): string => String(hundredths / 100);

/** A different number near `value` and above 0. */
const near = (random: Random, value: number): number => {
  const step = pick(random, [-10, -2, -1, 1, 2, 10]);
  return value + (value + step > 0 ? step : Math.abs(step));
};

function product(random: Random): StarterRow {
  const [a, b] = [whole(random, 12, 99), whole(random, 12, 99)];
  const tens = Math.floor(b / 10) * 10;
  const ones = b - tens;
  const parts =
    ones === 0
      ? ''
      : ` Split ${b} into ${tens} and ${ones}: ${a} × ${tens} = ${a * tens} and ${a} × ${ones} = ${a * ones}.`;
  return {
    ...ARITHMETIC,
    prompt: pick(random, [
      `What is ${a} × ${b}?`,
      `Multiply ${a} by ${b}.`,
      `Work out the product of ${a} and ${b}.`,
    ]),
    completion: `${a} × ${b} = ${a * b}.${parts}`,
    rejected: `${a} × ${b} = ${near(random, a * b)}.`,
  };
}

function sum(random: Random): StarterRow {
  const values = Array.from({ length: whole(random, 3, 5) }, () => whole(random, 11, 990));
  const total = values.reduce((all, value) => all + value, 0);
  const list = `${values.slice(0, -1).join(', ')} and ${values.at(-1)}`;
  return {
    ...ARITHMETIC,
    prompt: pick(random, [`Add ${list}.`, `What do ${list} come to altogether?`]),
    completion: `${values.join(' + ')} = ${total}.`,
    rejected: `${values.join(' + ')} = ${near(random, total)}.`,
  };
}

function division(random: Random): StarterRow {
  const [divisor, quotient] = [whole(random, 3, 60), whole(random, 5, 200)];
  const remainder = whole(random, 0, divisor - 1);
  const dividend = divisor * quotient + remainder;
  const say = (rest: number): string =>
    `${dividend} ÷ ${divisor} = ${quotient}${rest === 0 ? ' exactly' : `, remainder ${rest}`}.`;
  return {
    ...ARITHMETIC,
    prompt: pick(random, [
      `Divide ${dividend} by ${divisor} and give the remainder.`,
      `How often does ${divisor} go into ${dividend}, and what is left over?`,
    ]),
    completion: `${say(remainder)} Check: ${divisor} × ${quotient} + ${remainder} = ${dividend}.`,
    rejected: say((remainder + 1) % divisor),
  };
}

function percentage(random: Random): StarterRow {
  const [percent, amount] = [whole(random, 1, 19) * 5, whole(random, 12, 900)];
  const hundredths = percent * amount;
  return {
    ...ARITHMETIC,
    prompt: pick(random, [
      `What is ${percent}% of ${amount}?`,
      `A shop takes ${percent}% off a price of $${amount}. How much does a buyer save?`,
    ]),
    completion: `${percent}% of ${amount} is ${decimal(hundredths)}: ${amount} × ${percent} ÷ 100.`,
    rejected: `${percent}% of ${amount} is ${decimal(hundredths + 100 * whole(random, 1, 9))}.`,
  };
}

function fraction(random: Random): StarterRow {
  const [b, d] = [whole(random, 2, 12), whole(random, 2, 12)];
  const [a, c] = [whole(random, 1, b - 1), whole(random, 1, d - 1)];
  const [top, bottom] = [a * d + c * b, b * d];
  const shared = gcd(top, bottom);
  const say = (numerator: number): string =>
    bottom === shared ? String(numerator) : `${numerator}/${bottom / shared}`;
  return {
    ...ARITHMETIC,
    prompt: `Add the fractions ${a}/${b} and ${c}/${d}, and reduce the result.`,
    completion: `${a}/${b} + ${c}/${d} = ${say(top / shared)}. Over the common denominator ${bottom} the sum is ${top}/${bottom}.`,
    rejected: `${a}/${b} + ${c}/${d} = ${say(top / shared + 1)}.`,
  };
}

function commonDivisor(random: Random): StarterRow {
  const shared = whole(random, 2, 24);
  const [a, b] = [shared * whole(random, 2, 30), shared * whole(random, 2, 30)];
  const value = gcd(a, b);
  return {
    ...NUMBERS,
    prompt: `Find the greatest common divisor of ${a} and ${b}.`,
    completion: `The greatest common divisor of ${a} and ${b} is ${value}: ${a} = ${value} × ${a / value} and ${b} = ${value} × ${b / value}.`,
    rejected: `The greatest common divisor of ${a} and ${b} is ${value + 1}.`,
  };
}

function commonMultiple(random: Random): StarterRow {
  const [a, b] = [whole(random, 4, 60), whole(random, 4, 60)];
  const value = (a * b) / gcd(a, b);
  return {
    ...NUMBERS,
    prompt: `What is the least common multiple of ${a} and ${b}?`,
    completion: `The least common multiple of ${a} and ${b} is ${value}, which is ${a} × ${value / a} and ${b} × ${value / b}.`,
    rejected: `The least common multiple of ${a} and ${b} is ${value + 1}.`,
  };
}

function factorization(random: Random): StarterRow {
  const value = whole(random, 20, 4000);
  const factors = factorsOf(value);
  const isPrime = factors.length === 1;
  return {
    ...NUMBERS,
    prompt: pick(random, [
      `Write ${value} as a product of primes.`,
      `Is ${value} a prime number? If not, factor it.`,
    ]),
    completion: isPrime
      ? `${value} is a prime number, so it has no other factors than 1 and itself.`
      : `${value} = ${factors.join(' × ')}, so it is not prime.`,
    rejected: isPrime
      ? `${value} = 2 × ${Math.ceil(value / 2)}, so it is not prime.`
      : `${value} is a prime number, so it has no other factors than 1 and itself.`,
  };
}

function roman(random: Random): StarterRow {
  const value = whole(random, 4, 3999);
  const wrong = toRoman(value === 3999 ? value - 1 : value + 1);
  return random() < 0.5
    ? {
        ...NUMBERS,
        prompt: `Write ${value} as a Roman numeral.`,
        completion: `${value} is ${toRoman(value)} in Roman numerals.`,
        rejected: `${value} is ${wrong} in Roman numerals.`,
      }
    : {
        ...NUMBERS,
        prompt: `Which number does the Roman numeral ${toRoman(value)} stand for?`,
        completion: `The Roman numeral ${toRoman(value)} stands for ${value}.`,
        rejected: `The Roman numeral ${toRoman(value)} stands for ${near(random, value)}.`,
      };
}

const BASES = [
  { name: 'binary', base: 2 },
  { name: 'octal', base: 8 },
  { name: 'hexadecimal', base: 16 },
] as const;

function base(random: Random): StarterRow {
  const value = whole(random, 17, 65_535);
  const to = pick(random, BASES);
  const wrong = other(random, BASES, to);
  const write = (number: number, { base: digits }: (typeof BASES)[number]): string =>
    number.toString(digits).toUpperCase();
  return {
    ...NUMBERS,
    prompt: `Convert the decimal number ${value} to ${to.name}.`,
    completion: `${value} in ${to.name} is ${write(value, to)}.`,
    rejected: `${value} in ${to.name} is ${write(value, wrong)}.`,
  };
}

export function arithmeticRows(random: Random): StarterRow[] {
  return [
    ...distinct(12, () => product(random)),
    ...distinct(12, () => sum(random)),
    ...distinct(12, () => division(random)),
    ...distinct(12, () => percentage(random)),
    ...distinct(12, () => fraction(random)),
    ...distinct(12, () => commonDivisor(random)),
    ...distinct(12, () => commonMultiple(random)),
    ...distinct(12, () => factorization(random)),
    ...distinct(12, () => roman(random)),
    ...distinct(12, () => base(random)),
  ];
}
