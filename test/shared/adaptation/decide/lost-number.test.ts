import { expect, test } from 'vitest';
import { lostNumber } from '#shared/adaptation/decide/lost-number.ts';

const BRIDGE = 'The bridge is 45 metres long and was built in 1932.';

test.each([
  [BRIDGE, 'يبلغ طول الجسر ٤٥ مترًا وقد بني عام ١٩٣٢.'],
  [BRIDGE, 'طول این پل ۴۵ متر است و در سال ۱۹۳۲ ساخته شد.'],
  [BRIDGE, 'সেতুটি ৪৫ মিটার লম্বা এবং ১৯৩২ সালে নির্মিত।'],
  [BRIDGE, 'हा पूल ४५ मीटर लांब आहे आणि १९३२ मध्ये बांधला.'],
  ['It made 30000 cars.', '生产了3万辆汽车。'],
  ['It made 12,300 cars.', '生产了1万2300辆汽车。'],
  ['It made 10,300 cars.', '생산한 자동차는 1만300대입니다.'],
  ['It made 12,300 cars.', '生产了1.23万辆汽车。'],
  ['It sold 1500000 cars.', 'Sie verkaufte 1,5 Millionen Autos.'],
  ['It sold 1,500,000 cars.', 'इसने 15 लाख कारें बेचीं।'],
  ['It has 12,500 people.', 'Es hat 12 500 Einwohner.'],
  ['A hundred and 100 years.', 'Hundert und einhundert Jahre.'],
  ['We close at 10:30 pm.', 'Wir schließen um 22:30 Uhr.'],
])('a number is kept in other digits, groups, scales and words: %s | %s', (source, translation) => {
  expect(lostNumber(source, translation)).toBeNull();
});

test.each([
  [BRIDGE, 'Die Brücke ist lang und wurde 1932 gebaut.', '45'],
  [BRIDGE, 'يبلغ طول الجسر ٥٤ مترًا وقد بني عام ١٩٣٢.', '45'],
  ['It costs 500 euros.', 'Es kostet 600 Euro.', '500'],
  ['It costs 120 euros.', 'Es kostet zwölf Euro.', '120'],
  ['It made 30000 cars.', '生产了5万辆汽车。', '30000'],
])(
  'a number is lost if it is left out, or another stands in its place: %s | %s',
  (source, translation, lost) => {
    expect(lostNumber(source, translation)).toBe(lost);
  },
);
