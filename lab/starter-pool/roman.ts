const ROMAN: readonly (readonly [string, number])[] = [
  ['M', 1000],
  ['CM', 900],
  ['D', 500],
  ['CD', 400],
  ['C', 100],
  ['XC', 90],
  ['L', 50],
  ['XL', 40],
  ['X', 10],
  ['IX', 9],
  ['V', 5],
  ['IV', 4],
  ['I', 1],
];

/** A number from 1 to 3999 in Roman numerals; null for any other. */
export function toRoman(number: number): string | null {
  if (!Number.isInteger(number) || number < 1 || number > 3999) return null;
  let rest = number;
  let roman = '';
  for (const [letters, value] of ROMAN) {
    while (rest >= value) {
      roman += letters;
      rest -= value;
    }
  }
  return roman;
}
