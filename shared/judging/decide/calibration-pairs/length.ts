import type { PairsOfKind } from './pair.ts';

/** One answer is much longer: sometimes it says more, sometimes it is only longer. */
export const LENGTH_PAIRS: PairsOfKind = [
  {
    flaw: 'emptier',
    request: 'How do I keep cut flowers fresh for longer?',
    better: 'Cut the stems at an angle, change the water every two days and keep the vase out of the sun.',
    worse:
      'Keeping cut flowers fresh is something that many people care about, and there are various approaches to it. It depends on a number of factors, such as the flowers themselves and the way in which they are treated. With the right care and some attention, they can certainly stay beautiful for a good while.',
    original: 'better',
  },
  {
    flaw: 'incomplete',
    request: 'How do I change a light bulb safely?',
    better:
      'Switch the light off and let the bulb cool down. Stand on something firm, unscrew the old bulb against the clock, screw in a new one of the same socket and wattage, and only then switch the light on again.',
    worse: 'Unscrew the bulb while the light is on and pull at it.',
    original: 'worse',
  },
  {
    flaw: 'padding',
    request: 'Which side of the road do they drive on in Ireland?',
    better: 'In Ireland they drive on the left side of the road.',
    worse:
      'That is a really great question, and it is always wise to ask it before a journey. Road traffic is organised in one way or the other in every country of the world. In Ireland, to come to the point of your interesting question, they drive on the left side of the road. Have a wonderful journey!',
    original: 'better',
  },
  {
    flaw: 'wrong',
    request: 'My phone fell into water. What should I do?',
    better:
      'Take it out and switch it off at once. Dry the outside, take off the case and remove the card. Let it dry in moving air for two days before you switch it on, and do not charge it before that.',
    worse: 'Plug the phone into its charger straight away, since the heat dries it.',
    original: 'worse',
  },
  {
    flaw: 'invented reason',
    request:
      'Why does the text say that the shop was closed?\n\nThe shop was closed on Friday because the heating had failed.',
    better: 'Because the heating had failed.',
    worse:
      'The shop was closed on Friday because the owner was on holiday with the family, and because business had been slow for several weeks, so that opening would not have been worth the effort.',
    original: 'better',
  },
  {
    flaw: 'incomplete',
    request:
      'Name the four seasons and say in a few words what the weather is like in each, in central Europe.',
    better:
      'Spring is mild with changing weather, summer is warm with thunderstorms, autumn is cool with fog and rain, and winter is cold with some frost and snow.',
    worse: 'There is summer, which is warm, and there is also winter.',
    original: 'worse',
  },
  {
    flaw: 'emptier',
    request: 'Give one reason why bees matter to farmers.',
    better:
      'Bees pollinate the crops of farmers: without them apples, pumpkins and many berries would bear little fruit.',
    worse:
      'Bees matter to farmers in a great many different ways, and their importance can hardly be stated strongly enough. They are truly fascinating insects that have been with us for a very long time, and everybody who works on the land knows how valuable it is to have them around at all times.',
    original: 'better',
  },
  {
    flaw: 'wrong',
    request: 'What does the proverb "A stitch in time saves nine" mean?',
    better:
      'It means that a small repair made at once spares a large one later, just as one stitch keeps a little hole from growing into one that needs nine.',
    worse: 'It means that sewing takes a lot of time to learn.',
    original: 'worse',
  },
  {
    flaw: 'too long for the request',
    request:
      'Summarize in at most ten words: The council has decided to close the bridge for repairs during the whole month of May.',
    better: 'The bridge is closed for repairs throughout May.',
    worse:
      'After careful consideration, the members of the council have come to the decision that the bridge will have to be closed for the necessary repairs, which are going to take up the whole month of May.',
    original: 'better',
  },
  {
    flaw: 'incomplete',
    request:
      'Write a short reply to a customer whose order is late: apologize, give the new date (12 June) and offer free shipping.',
    better:
      'Please accept apologies for the delay. Your order will now arrive on 12 June, and you will pay nothing for shipping.',
    worse: 'Your order is a little late this time.',
    original: 'worse',
  },
  {
    flaw: 'invented reason',
    request:
      'Does the text say who won the match?\n\nThe match began at noon. It rained all afternoon, and the spectators left early.',
    better: 'It does not: the text tells only of the beginning, the rain and the spectators.',
    worse:
      'According to the text the home team won the match, since the spectators went home early in the afternoon, which they would hardly have done if the result had still been open, and since the rain made it impossible for the visiting team to catch up.',
    original: 'better',
  },
  {
    flaw: 'dangerous shortcut',
    request: 'How do I put out a small fire of burning oil in a pan?',
    better:
      'Turn the stove off and put a lid or a damp cloth over the pan, so that the fire gets no air. Leave it covered until it has cooled. Never use water: it throws the burning oil about.',
    worse: 'Pour plenty of cold water into the burning pan.',
    original: 'better',
  },
  {
    flaw: 'wanders off',
    request: 'How do I cancel my newsletter?',
    better: 'Click on "Unsubscribe" at the end of any newsletter.',
    worse:
      'Newsletters are a fine way to stay in touch with what is new. Ours appears every month and is read by many people, who tell us how much they like it. There are articles on products, interviews and recipes. Perhaps you would like to read the latest newsletter before you decide to cancel?',
    original: 'better',
  },
  {
    flaw: 'incomplete',
    request: 'Explain to a child why the Moon changes its shape.',
    better:
      'The Moon is always round, but the Sun lights only one half of it. While the Moon walks around us, sometimes a lot of that bright half looks our way and sometimes only a thin slice.',
    worse: 'The Moon changes its shape because it wants to.',
    original: 'worse',
  },
  {
    flaw: 'padding',
    request: 'What is a synonym for "quick" that fits into "a quick answer"? Answer in a short sentence.',
    better: 'You can say "a prompt answer" in its place.',
    worse:
      'There are so many wonderful synonyms in the rich English language that it is hard to choose among them, and which of them fits depends on the context. Having thought about this for a while, one might perhaps, among other possibilities, consider to say "a prompt answer" in its place.',
    original: 'better',
  },
  {
    flaw: 'wrong',
    request: 'Why should one not mix bleach with vinegar?',
    better:
      'The acid of the vinegar sets chlorine gas free from the bleach. Even a little of that gas burns the eyes and the lungs, so the two are never used together.',
    worse: 'They should be mixed, since together they clean much better.',
    original: 'worse',
  },
];
