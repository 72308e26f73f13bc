/** A question with its right answer and a wrong one that is as well written. */
export interface KnownQuestion {
  readonly prompt: string;
  readonly right: string;
  readonly wrong: string;
}

const NAMES = ['Ada', 'Bruno', 'Chidi', 'Dana', 'Emil', 'Farah', 'Goran', 'Hana', 'Iris', 'Jonas'];
const THINGS = [
  'apples',
  'stamps',
  'bricks',
  'postcards',
  'candles',
  'marbles',
  'nails',
  'tiles',
  'pencils',
  'buttons',
];
const TOWNS = ['Bergen', 'Lyon', 'Porto', 'Graz', 'Ghent', 'Cork', 'Turku', 'Bari', 'Split', 'Brno'];
const WORDS = [
  'garden',
  'window',
  'silver',
  'planet',
  'bridge',
  'carpet',
  'lantern',
  'monkey',
  'pocket',
  'thunder',
];

const at = <T>(items: readonly T[], n: number): T => items[n % items.length] as T;
const series = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

/** Numbers that are wanted alone. */
const numbers = series(50, (n): KnownQuestion => {
  const [a, b] = [17 + ((n * 29) % 70), 6 + ((n * 13) % 23)];
  const asked: readonly [string, number][] = [
    [`What is ${a} + ${b}? Digits only.`, a + b],
    [`What is ${a} - ${b}? Digits only.`, a - b],
    [`What is ${b} times ${3 + (n % 7)}? Reply with the number only.`, b * (3 + (n % 7))],
    [`Convert ${b * 60} minutes to hours. Reply with the number only.`, b],
    [`How many centimetres are ${b} metres? Digits only.`, b * 100],
  ];
  const [prompt, right] = at(asked, n);
  return {
    prompt,
    right: String(right),
    wrong: String(right + at([1, -1, 10, 2, -10], n + Math.floor(n / 5))),
  };
});

/** Labels out of a closed set. */
const labels = series(60, (n): KnownQuestion => {
  const [a, b] = [10 + ((n * 37) % 89), 10 + ((n * 53) % 83)];
  const word = at(WORDS, n);
  const letter = at([...'aeinrst'], n);
  const verdict = (isTrue: boolean, [yes, no]: readonly [string, string]) => ({
    right: isTrue ? yes : no,
    wrong: isTrue ? no : yes,
  });
  switch (n % 4) {
    case 0:
      return {
        prompt: `Output true or false. ${a} is greater than ${b}.`,
        ...verdict(a > b, ['true', 'false']),
      };
    case 1:
      return {
        prompt: `Answer yes or no. Does the word "${word}" contain the letter ${letter}?`,
        ...verdict(word.includes(letter), ['yes', 'no']),
      };
    case 2:
      return {
        prompt: `Is the number ${a} odd or even? Answer odd or even.`,
        ...verdict(a % 2 === 0, ['even', 'odd']),
      };
    default: {
      const place = n % 3;
      const options = [a * 2, a * 2 + 3, a * 2 + 10].map((_, k) => a * 2 + ((k - place + 3) % 3) * 3);
      const listed = options.map((value, k) => `${'ABC'[k]}. ${value}`).join('\n');
      return {
        prompt: `What is ${a} x 2? Reply with one letter.\n${listed}`,
        right: 'ABC'[place] as string,
        wrong: 'ABC'[(place + 1) % 3] as string,
      };
    }
  }
});

/** A word or a code out of a text. */
const strings = series(50, (n): KnownQuestion => {
  const [name, other, town, away] = [at(NAMES, n), at(NAMES, n + 3), at(TOWNS, n), at(TOWNS, n + 4)];
  const order = `${at([...'ABKTX'], n)}${1200 + n * 37}`;
  const later = `${at([...'ABKTX'], n + 1)}${1900 + n * 23}`;
  const note = `Order ${order} for ${name} goes to ${town}. Order ${later} for ${other} waits in ${away}.`;
  const asked: readonly [string, string, string][] = [
    ['Where does the order that is sent go? One word.', town, away],
    ['Which order waits? Reply with its number only.', later, order],
    ['For whom is the waiting order? Reply with the name only.', other, name],
    ['Which order goes out? Reply with its number only.', order, later],
    ['In which town does an order wait? One word.', away, town],
  ];
  const [prompt, right, wrong] = at(asked, n);
  return { prompt: `${note}\n\n${prompt}`, right, wrong };
});

/** Fields out of a text, as JSON. */
const records = series(25, (n): KnownQuestion => {
  const [name, town, away] = [at(NAMES, n), at(TOWNS, n + 2), at(TOWNS, n + 7)];
  const count = 3 + (n % 9);
  const note = `${name} moved from ${away} to ${town} and took ${count} ${at(THINGS, n)} along.`;
  const of = (place: string, taken: number) => JSON.stringify({ name, town: place, count: taken });
  return {
    prompt: `${note}\n\nWhere does this person live now, and how many things did they take? Reply with JSON only, with the keys "name", "town" and "count".`,
    right: of(town, count),
    wrong: n % 2 === 0 ? of(away, count) : of(town, count + 1),
  };
});

/** Worked solutions that end with a number. */
const results = series(50, (n): KnownQuestion => {
  const [name, thing] = [at(NAMES, n), at(THINGS, n + Math.floor(n / 10))];
  const [boxes, each, given] = [3 + (n % 6), 8 + ((n * 7) % 17), 4 + ((n * 5) % 13)];
  const all = boxes * each;
  const left = all - given;
  const story = `${name} has ${boxes} boxes with ${each} ${thing} each and gives ${given} ${thing} away. How many ${thing} are left? Show your steps.`;
  const solve = (bought: number) =>
    `${name} has ${boxes} x ${each} = ${all} ${thing}.\nAfter giving ${given} away, ${bought} are left.\n${bought}`;
  return { prompt: story, right: solve(left), wrong: solve(left + at([2, -3, 10, -1], n)) };
});

/** Facts in a sentence: the question, the sentence around the fact, the fact, and one that is wrong. */
const FACTS: readonly (readonly [string, string, string, string])[] = [
  ['What is the capital of Portugal?', 'The capital of Portugal is %.', 'Lisbon', 'Porto'],
  ['What is the capital of Canada?', 'The capital of Canada is %.', 'Ottawa', 'Toronto'],
  ['What is the capital of Egypt?', 'The capital of Egypt is %.', 'Cairo', 'Alexandria'],
  ['What is the capital of Norway?', 'The capital of Norway is %.', 'Oslo', 'Bergen'],
  ['What is the capital of Japan?', 'The capital of Japan is %.', 'Tokyo', 'Kyoto'],
  ['What is the capital of Hungary?', 'The capital of Hungary is %.', 'Budapest', 'Bratislava'],
  [
    'Which planet is the largest of the solar system?',
    'The largest planet of the solar system is %.',
    'Jupiter',
    'Saturn',
  ],
  ['Which planet is closest to the Sun?', 'The planet closest to the Sun is %.', 'Mercury', 'Venus'],
  ['How many legs does a spider have?', 'A spider has % legs.', 'eight', 'six'],
  ['How many days does a leap year have?', 'A leap year has % days.', '366', '365'],
  ['How many sides does a hexagon have?', 'A hexagon has % sides.', 'six', 'seven'],
  [
    'How many players of one team are on the field in football?',
    'A football team has % players on the field.',
    '11',
    '9',
  ],
  [
    'Which gas do plants take in for photosynthesis?',
    'For photosynthesis plants take in %.',
    'carbon dioxide',
    'nitrogen',
  ],
  [
    'Which metal is liquid at room temperature?',
    'The metal that is liquid at room temperature is %.',
    'mercury',
    'zinc',
  ],
  ['What is the chemical symbol of iron?', 'The chemical symbol of iron is %.', 'Fe', 'Ir'],
  ['What is the chemical symbol of gold?', 'The chemical symbol of gold is %.', 'Au', 'Go'],
  [
    'At how many degrees Celsius does water boil at sea level?',
    'At sea level water boils at % degrees Celsius.',
    '100',
    '90',
  ],
  ['At how many degrees Celsius does water freeze?', 'Water freezes at % degrees Celsius.', '0', '4'],
  [
    'Who wrote "Romeo and Juliet"?',
    '"Romeo and Juliet" was written by %.',
    'William Shakespeare',
    'Charles Dickens',
  ],
  [
    'Who wrote "Pride and Prejudice"?',
    '"Pride and Prejudice" was written by %.',
    'Jane Austen',
    'Emily Brontë',
  ],
  ['Who painted the Mona Lisa?', 'The Mona Lisa was painted by %.', 'Leonardo da Vinci', 'Raphael'],
  [
    'Who developed the theory of general relativity?',
    'The theory of general relativity was developed by %.',
    'Albert Einstein',
    'Isaac Newton',
  ],
  ['Which river flows through Paris?', 'The river that flows through Paris is the %.', 'Seine', 'Rhône'],
  ['Which river flows through London?', 'The river that flows through London is the %.', 'Thames', 'Severn'],
  [
    'Which ocean lies between Europe and America?',
    'Between Europe and America lies the % Ocean.',
    'Atlantic',
    'Indian',
  ],
  [
    'Which is the highest mountain above sea level?',
    'The highest mountain above sea level is %.',
    'Mount Everest',
    'Mont Blanc',
  ],
  ['In which year did the Second World War end?', 'The Second World War ended in %.', '1945', '1943'],
  ['In which year did the Berlin Wall fall?', 'The Berlin Wall fell in %.', '1989', '1991'],
  ['On which continent is Kenya?', 'Kenya is on the continent of %.', 'Africa', 'Asia'],
  ['On which continent is Chile?', 'Chile is on the continent of %.', 'South America', 'Africa'],
  ['What is the currency of Japan?', 'The currency of Japan is the %.', 'yen', 'won'],
  [
    'What is the currency of the United Kingdom?',
    'The currency of the United Kingdom is the %.',
    'pound sterling',
    'euro',
  ],
  [
    'Which language is spoken by most people in Brazil?',
    'Most people in Brazil speak %.',
    'Portuguese',
    'Spanish',
  ],
  [
    'Which language is spoken by most people in Austria?',
    'Most people in Austria speak %.',
    'German',
    'Hungarian',
  ],
  [
    'Which organ pumps blood through the body?',
    'Blood is pumped through the body by the %.',
    'heart',
    'liver',
  ],
  ['What is the hardest natural mineral?', 'The hardest natural mineral is %.', 'diamond', 'quartz'],
  ['What is the SI unit of force?', 'The SI unit of force is the %.', 'newton', 'joule'],
  ['What is the SI unit of electric current?', 'The SI unit of electric current is the %.', 'ampere', 'volt'],
  ['How many minutes are in two hours?', 'Two hours have % minutes.', '120', '100'],
  ['How many strings does a cello have?', 'A cello has % strings.', 'four', 'six'],
];
const facts = FACTS.map(
  ([prompt, sentence, right, wrong]): KnownQuestion => ({
    prompt,
    right: sentence.replace('%', right),
    wrong: sentence.replace('%', wrong),
  }),
);

/**
 * Questions of our own by kind, whose answers a program computed or anybody can look up. A model is measured on them
 * before its blind answers are believed; a change of any text makes it measured again.
 */
export const KNOWN_QUESTIONS: readonly KnownQuestion[] = [
  ...numbers,
  ...labels,
  ...strings,
  ...records,
  ...results,
  ...facts,
];
