import type { PairsOfKind } from './pair.ts';

/** Similar fluent answers, of which one states a wrong fact. */
export const FACT_PAIRS: PairsOfKind = [
  {
    flaw: 'wrong name',
    request: 'Does the Earth move around the Sun, or the Sun around the Earth?',
    better:
      'The Earth moves around the Sun. One orbit takes about 365 and a quarter days, which is why we have leap years.',
    worse:
      'The Sun moves around the Earth. One orbit takes about 365 and a quarter days, which is why we have leap years.',
    original: 'better',
  },
  {
    flaw: 'wrong number',
    request: 'How many continents are there, and which is the largest?',
    better: 'By the usual count there are seven continents, and Asia is the largest of them.',
    worse: 'By the usual count there are three continents, and Australia is the largest of them.',
    original: 'worse',
  },
  {
    flaw: 'wrong number',
    request: 'A jacket costs 80 euros and is reduced by 25 %. What do I pay?',
    better: 'A quarter of 80 euros is 20 euros, so you pay 60 euros for the jacket.',
    worse:
      'A quarter of 80 euros is 25 euros, so after taking the reduction off the price you pay 55 euros for the jacket.',
    original: 'better',
  },
  {
    flaw: 'wrong number',
    request: 'How many bones does an adult human have?',
    better: 'An adult has 206 bones. Babies are born with more, some of which grow together later.',
    worse: 'An adult has 306 bones. Babies are born with more, some of which grow together later in life.',
    original: 'worse',
  },
  {
    flaw: 'wrong unit',
    request: 'How much paracetamol may a healthy adult take in one day at most?',
    better:
      'A healthy adult may take at most 4 grams of paracetamol in 24 hours, in doses of up to 1 gram with at least four hours between any two of them.',
    worse:
      'A healthy adult may take at most 40 grams of paracetamol in 24 hours, in doses of up to 10 grams with at least four hours between them.',
    original: 'better',
  },
  {
    flaw: 'wrong unit',
    request: 'How high is Mount Everest?',
    better: 'Mount Everest rises 8,849 metres above the sea and lies between Nepal and China.',
    worse: 'Mount Everest rises 8,849 feet above the sea and lies on the border between Nepal and China.',
    original: 'worse',
  },
  {
    flaw: 'wrong date',
    request: 'When did the first people land on the Moon?',
    better:
      'Neil Armstrong and Buzz Aldrin landed on the Moon on 20 July 1969, while Michael Collins stayed behind in orbit around it.',
    worse:
      'Neil Armstrong and Buzz Aldrin landed on the Moon on 20 July 1979, while Michael Collins stayed in orbit around it.',
    original: 'better',
  },
  {
    flaw: 'wrong date',
    request: 'When did the Berlin Wall fall, and what happened the year after?',
    better: 'The Berlin Wall fell in November 1989, and the two German states were united in 1990.',
    worse:
      'The famous Berlin Wall finally fell in November 1969, and the two German states were then united in 1970.',
    original: 'worse',
  },
  {
    flaw: 'wrong negation',
    request: 'May I give honey to a baby of six months?',
    better:
      'No. Babies under one year of age should not eat honey, because it may hold spores that make them seriously ill.',
    worse:
      'Yes. Babies under one year should eat honey, because it does not hold spores that make them seriously ill.',
    original: 'better',
  },
  {
    flaw: 'wrong negation',
    request: 'Can penguins fly?',
    better: 'Penguins cannot fly. Their wings have become flippers, with which they swim very well.',
    worse: 'Penguins can fly. Their wings have become flippers, with which they also swim extremely well.',
    original: 'worse',
  },
  {
    flaw: 'wrong name',
    request: 'Who wrote the play Hamlet, and where is it set?',
    better:
      'William Shakespeare wrote Hamlet around 1600. The play is set in Denmark, at the castle of Elsinore.',
    worse:
      'Christopher Marlowe wrote Hamlet around 1600. The play is set in Norway, at the castle of Elsinore.',
    original: 'better',
  },
  {
    flaw: 'wrong name',
    request: 'Which gas do plants take in for photosynthesis, and which one do they give off?',
    better: 'Plants take in carbon dioxide, CO2, and give off oxygen, O2, when there is light.',
    worse: 'Plants take in oxygen, O2, and give off carbon dioxide, CO2, when there is enough light.',
    original: 'worse',
  },
  {
    flaw: 'wrong number',
    request:
      'Our shop opens at 9 and closes at 18 on weekdays, and at 14 on Saturdays. Write the line for the notice board.',
    better:
      'We are open from 9 to 18 on weekdays and from 9 to 14 on Saturdays. We look forward to your visit.',
    worse:
      'We are open from 9 to 20 on weekdays and from 9 to 14 on Saturdays. We very much look forward to your visit.',
    original: 'better',
  },
  {
    flaw: 'wrong date',
    request:
      'Put into one sentence: the meeting of the board was moved from Tuesday to Thursday, since the auditor is ill.',
    better:
      'Because the auditor is ill, the meeting of the board was moved from Tuesday to Thursday of the same week.',
    worse: 'Because the auditor is ill, the meeting of the board was moved from Thursday to Tuesday.',
    original: 'worse',
  },
  {
    flaw: 'wrong number',
    request: 'A train leaves at 14:35 and takes 50 minutes. When does it arrive?',
    better:
      'The train leaves at 14:35 and takes 50 minutes, 25 of them to the full hour, so it arrives at 15:25.',
    worse: 'The train leaves at 14:35 and takes 50 minutes, so it arrives at 14:85.',
    original: 'better',
  },
  {
    flaw: 'wrong unit',
    request: 'How long does light take from the Sun to the Earth?',
    better:
      'Light takes only a little over eight minutes for the 150 million kilometres from the Sun to the Earth.',
    worse: 'Light takes a little over eight hours for the 150 million kilometres from the Sun to the Earth.',
    original: 'better',
  },
];
