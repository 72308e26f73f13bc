import { describe, expect, test } from 'vitest';
import { read, said, sample } from './read.ts';

const CLIMB =
  'The keeper of Gannet Rock climbs 164 steps before dusk and lights the lamp when the sun touches the water.';
const CHORES =
  'Three things are done each afternoon, in this order:\n\n- Wipe the lenses with a dry cloth.\n' +
  '- Trim the wick to four millimetres.\n- Fill the tank with colza oil.';
const OIL =
  '| Season | Hours of light | Litres a night |\n| --- | --- | --- |\n| Summer | 7 | 3.5 |\n| Winter | 15 | 7.5 |';
const SINCE = 'Since 1874; before that, a gun was fired every quarter of an hour.';
const BIRDS = [
  'Birds of Gannet Rock :: Some 4,000 pairs of gannets nest on the western ledges from March to September — ' +
    'nowhere else on this coast.\n\n- Gannets dive from thirty metres.\n- Puffins dig burrows in the turf.',
  'Birds of Gannet Rock > Counts :: | Year | Gannets | Puffins |\n| --- | --- | --- |\n| 2022 | 3,910 | 640 |\n' +
    '| 2023 | 4,025 | 655 |\n\nCounting is done from a boat on a calm day in June.',
];
const SLIDES = [
  '1 :: Tides at Gannet Rock :: - High water comes about 50 minutes later each day\n  - Twice in a lunar day\n\n' +
    'Notes: Ask who has landed there before.',
  '2 :: Boats :: | Boat | Crew |\n| --- | --- |\n| Petrel | 4 |',
];

describe('passages keep the structure of documents that other programs wrote', () => {
  const samples: [string, string, string[]][] = [
    [
      'LibreOffice Writer',
      'handbook.docx',
      [
        `Keeping the light :: ${CLIMB}`,
        `Keeping the light > Before dusk :: ${CHORES}`,
        `Keeping the light > Oil by season :: ${OIL}`,
        'Fog :: In fog the bell is struck twice a minute[1], day and night, until the far shore can be seen again.' +
          `\n\n[1] ${SINCE}`,
      ],
    ],
    [
      'python-docx on Word’s template, with a tracked change',
      'boathouse.docx',
      [
        'Rules of the boathouse > Taking a boat out :: Nobody rows alone after the bell.\n\n' +
          '- Write your name on the slate.\n- Take a lantern.\n\nBoats are back by eight',
        'Rules of the boathouse > Boats :: | Boat | Seats | Oars |\n| --- | --- | --- |\n| Petrel | 4 | 8 |\n' +
          '| Wren | 2 | 4 |',
      ],
    ],
    ...['handbook.pdf', 'handbook-tagged.pdf'].map((name): [string, string, string[]] => [
      name === 'handbook.pdf' ? 'LibreOffice, without tags' : 'LibreOffice, with tags',
      name,
      [
        `1 :: Keeping the light :: ${CLIMB}`,
        `1 :: Keeping the light > Before dusk :: ${CHORES}`,
        `1 :: Keeping the light > Oil by season :: ${OIL}`,
        `2 :: Fog :: In fog the bell is struck twice a minute1${name === 'handbook.pdf' ? ' ' : ''}, day and night, ` +
          `until the far shore can be seen again.\n\n1 ${SINCE}`,
      ],
    ]),
    ['Chromium’s print to PDF', 'page.pdf', BIRDS.map((row, index) => `${index + 1} :: ${row}`)],
    [
      'reportlab',
      'report.pdf',
      [
        '1 :: Storm of the ninth :: The wind turned north at four in the morning and the sea broke over the lower door.',
        '2 :: Damage :: Two panes of the lantern were lost. The boathouse roof held.',
      ],
    ],
    ['LibreOffice Impress', 'slides.pptx', SLIDES],
    ['python-pptx on PowerPoint’s template', 'slides-python.pptx', SLIDES],
    [
      'LibreOffice Calc',
      'stores.xlsx',
      [
        'Stores :: | Item | Delivered | Barrels | Litres |\n| --- | --- | --- | --- |\n' +
          '| Colza oil | 2024-03-09 | 12 | 2400 |\n| Rainwater, boiled |  | 3.5 | 700 |',
        'Visitors & guests :: | Name | Stayed overnight |\n| --- | --- |\n| Inspector Hale | two nights |',
      ],
    ],
    [
      'openpyxl',
      'tides.xlsx',
      [
        'Tide table :: | Day | High water | Metres | Share of spring range |\n| --- | --- | --- | --- |\n' +
          '| 2024-03-09 | 11:45:00 | 4.1 | 82% |\n| 2024-03-10 | 12:31:00 | 4.35 | 87% |',
      ],
    ],
    ['an editor', 'page.html', BIRDS],
    [
      'an editor',
      'log.txt',
      [
        'Log of Gannet Rock, week 31\n\nMonday. Wind from the south-west, a long swell. The supply boat turned back at ' +
          'noon\nand came again with the evening tide.\n\nTuesday. Calm. Lenses cleaned, railings painted.',
      ],
    ],
  ];

  test.each(samples)(
    'passages keep the structure of documents that other programs wrote: %s: %s',
    async (_program, name, expected) => {
      const { rows, warnings } = await read(name, await sample(name));

      expect(said(rows)).toEqual(expected);
      expect(new Set(rows.map(({ source_file, format }) => `${source_file} ${format}`))).toEqual(
        new Set([`${name} ${name.split('.').at(-1)}`]),
      );
      expect(warnings).toEqual([]);
    },
  );
});
