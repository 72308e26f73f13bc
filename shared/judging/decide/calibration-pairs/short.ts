import type { PairsOfKind } from './pair.ts';

/** Labels, choices, words and numbers. */
export const SHORT_PAIRS: PairsOfKind = [
  {
    flaw: 'wrong label',
    request:
      'Is this review positive or negative? Answer with one word.\n\nThe battery died after two days and nobody answered my letters.',
    better: 'negative',
    worse: 'positive',
    original: 'better',
  },
  {
    flaw: 'wrong label',
    request:
      'Sort the message into one of: billing, delivery, technical.\n\nThe parcel was to come on Monday and it is still not here.',
    better: 'delivery',
    worse: 'Technical problem',
    original: 'worse',
  },
  {
    flaw: 'another form',
    request: 'Spam or ham? Reply with exactly one of the two words.\n\nWIN a FREE phone, click now!!!',
    better: 'spam',
    worse: 'It is definitely spam!',
    original: 'better',
  },
  {
    flaw: 'wrong choice',
    request:
      'Which planet is closest to the Sun?\nA) Venus\nB) Mercury\nC) Mars\nD) Earth\nAnswer with the letter.',
    better: 'B',
    worse: 'A',
    original: 'worse',
  },
  {
    flaw: 'wrong choice',
    request:
      'Which word is a verb?\nA) table\nB) green\nC) slowly\nD) carry\nAnswer with the letter and the word.',
    better: 'D) carry',
    worse: 'C) slowly',
    original: 'better',
  },
  {
    flaw: 'wrong number',
    request: 'What is 17 times 6?',
    better: '102',
    worse: '112',
    original: 'worse',
  },
  {
    flaw: 'wrong number',
    request: 'How many minutes are there in three and a half hours? Give the number and the unit.',
    better: '210 minutes',
    worse: '350 min',
    original: 'better',
  },
  {
    flaw: 'wrong word',
    request: 'What is the opposite of "generous"? One word.',
    better: 'stingy',
    worse: 'extraordinarily magnanimous',
    original: 'worse',
  },
  {
    flaw: 'wrong word',
    request: 'Translate into French: the bread',
    better: 'le pain',
    worse: 'le poisson frais',
    original: 'better',
  },
  {
    flaw: 'wrong answer',
    request: 'Is 51 a prime number? Give the reason in a few words.',
    better: 'No, 3 times 17',
    worse: 'Yes, odd',
    original: 'worse',
  },
  {
    flaw: 'wrong name',
    request: 'What is the capital of Australia?',
    better: 'Canberra',
    worse: 'Sydney',
    original: 'better',
  },
  {
    flaw: 'wrong name',
    request: 'Who painted "The Starry Night"?',
    better: 'Vincent van Gogh',
    worse: 'Monet',
    original: 'worse',
  },
  {
    flaw: 'another form',
    request: 'Give the date 5 March 2021 in the form YYYY-MM-DD.',
    better: '2021-03-05',
    worse: 'March 5th, 2021',
    original: 'better',
  },
  {
    flaw: 'label changed',
    request:
      'Name the emotion: joy, anger, fear or sadness.\n\nI could hear steps behind me in the dark and did not dare to turn around.',
    better: 'fear',
    worse: 'sadness',
    original: 'better',
  },
  {
    flaw: 'incomplete',
    request: 'Extract the full name of the sender.\n\nBest regards, Maria Lopez Garcia, Head of Sales',
    better: 'Maria Lopez Garcia',
    worse: 'Maria',
    original: 'worse',
  },
  {
    flaw: 'incomplete',
    request: 'Which two colours do you mix to get green?',
    better: 'blue and yellow',
    worse: 'blue',
    original: 'better',
  },
];
