import type { PairsOfKind } from './pair.ts';

/** Answers of similar length in other words, of which one is right, specific or to the point and the other is not. */
export const WORDING_PAIRS: PairsOfKind = [
  {
    flaw: 'contradicts what is known',
    request: 'Can I put metal into a microwave oven?',
    better:
      'No. Metal reflects the microwaves and can throw sparks, which may damage the oven or start a fire. Use glass or ceramic dishes that are marked as suitable.',
    worse:
      'Yes, always. Metal is the safest material for a microwave and heats food evenly. Avoid glass or ceramic dishes, which throw sparks and start fires.',
    original: 'better',
  },
  {
    flaw: 'contradicts what is known',
    request: 'At what temperature does water freeze at sea level?',
    better: 'Water freezes at 0 degrees Celsius, which is 32 degrees Fahrenheit.',
    worse: 'Water freezes at 100 degrees Celsius, which is when it begins to boil.',
    original: 'worse',
  },
  {
    flaw: 'contradicts what is known',
    request: 'Is it safe to look at the Sun through ordinary sunglasses during an eclipse?',
    better:
      'No. Ordinary sunglasses let through far too much light and can leave you with lasting eye damage. Use certified eclipse glasses or project the image.',
    worse:
      'Yes. Ordinary sunglasses block all harmful light, so you can stare at the Sun as long as you like. Certified eclipse glasses damage the eyes.',
    original: 'better',
  },
  {
    flaw: 'vague',
    request: 'What should I write into the subject line of an application?',
    better: 'Name the position and its number, then your name: "Gardener, ref. 118 – Ana Ruiz".',
    worse:
      'Choose something fitting and professional that leaves a truly excellent first impression on the reader.',
    original: 'worse',
  },
  {
    flaw: 'invented reason',
    request:
      'Why was the flight late, according to the note?\n\nFlight 88 left two hours late because a tyre had to be changed.',
    better: 'The flight was late because of a tyre.',
    worse: 'The flight was late because of heavy fog.',
    original: 'better',
  },
  {
    flaw: 'advice that harms',
    request: 'My cat has eaten a lily leaf. What now?',
    better: 'Call a vet at once: lilies are poisonous to cats, and the first hours decide.',
    worse: 'There is no reason to worry, since lilies are a gentle and healthy snack for cats.',
    original: 'worse',
  },
  {
    flaw: 'polished but wrong',
    request: 'Why do we see lightning before we hear the thunder?',
    better: 'Both start together, but light travels much faster than sound, so it gets here first.',
    worse:
      'Nature in its elegance lets the flash be born first, and only when it fades is the sound of thunder created.',
    original: 'better',
  },
  {
    flaw: 'answers another question',
    request: 'How do I remove a tick from my skin?',
    better:
      'Grip it with tweezers close to the skin and pull it out slowly and straight. Then clean the spot.',
    worse: 'A tick is a small animal that sits on blades of grass and waits there for skin to pass by.',
    original: 'worse',
  },
  {
    flaw: 'polished but empty',
    request: 'What can I cook from potatoes, eggs and an onion?',
    better: 'Fry sliced potatoes and the onion, pour beaten eggs over them and let it set: a tortilla.',
    worse: 'With a little imagination potatoes become an unforgettable feast for all the senses.',
    original: 'better',
  },
  {
    flaw: 'wrong tone',
    request: 'Write a polite reminder to a client who has not paid an invoice.',
    better:
      'You may have overlooked our invoice of last month. We would be grateful if you settled it this week.',
    worse: 'Where is our money? Pay this invoice right now or there will be real trouble for all of you.',
    original: 'worse',
  },
  {
    flaw: 'reverses the cause',
    request: 'Why does an ice cube float?',
    better: 'Ice takes up more room than the water it was made of, so it is lighter for its size.',
    worse: 'Frozen water shrinks and becomes heavier for its size, and heavy things are carried upwards.',
    original: 'better',
  },
  {
    flaw: 'leaves out what matters',
    request:
      'Summarize in one sentence: The hiker fell, broke a leg, and was found alive after three nights.',
    better: 'A hiker who had broken a leg in a fall was found alive after three nights.',
    worse: 'Hiking is a popular pastime in which people now and then spend nights outside.',
    original: 'worse',
  },
  {
    flaw: 'clumsy',
    request: 'Put this politely: "Your report is bad."',
    better: 'Your report would gain from clearer figures; may I suggest a few changes?',
    worse: 'Your report it is of a quality what is bad but politely said from me.',
    original: 'better',
  },
  {
    flaw: 'contradicts the text',
    request: 'Is breakfast included?\n\nRooms cost 70 euros. Breakfast can be added for 9 euros.',
    better: 'It is not: breakfast costs another 9 euros on top of the room.',
    worse: 'Your room comes with a rich free breakfast for all guests every morning.',
    original: 'worse',
  },
  {
    flaw: 'polished but wrong',
    request: 'Should one water the lawn at noon in summer?',
    better: 'Rather early in the morning, since at noon most of the water is lost to the air.',
    worse: 'Absolutely: at noon the sun is the ideal companion that lets every single drop work its magic.',
    original: 'better',
  },
  {
    flaw: 'vague',
    request: 'How do I find out which process uses port 8080 on Linux?',
    better: 'Run lsof -i :8080 as root; the column PID names the process.',
    worse: 'There are several powerful tools that show everything about ports.',
    original: 'better',
  },
];
