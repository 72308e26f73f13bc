import { expect, test } from 'vitest';
import { lostNumber } from '#shared/adaptation/decide/lost-number.ts';

const BRIDGE = 'The bridge is 45 metres long and was built in 1932.';

test.each([
  ['ar', BRIDGE, 'يبلغ طول الجسر ٤٥ مترًا وقد بني عام ١٩٣٢.'],
  ['fa', BRIDGE, 'طول این پل ۴۵ متر است و در سال ۱۹۳۲ ساخته شد.'],
  ['bn', BRIDGE, 'সেতুটি ৪৫ মিটার লম্বা এবং ১৯৩২ সালে নির্মিত।'],
  ['mr', BRIDGE, 'हा पूल ४५ मीटर लांब आहे आणि १९३२ मध्ये बांधला.'],
  ['zh-Hans', 'It made 30000 cars.', '生产了3万辆汽车。'],
  ['zh-Hans', 'It made 12,300 cars.', '生产了1万2300辆汽车。'],
  ['ko', 'It made 10,300 cars.', '생산한 자동차는 1만300대입니다.'],
  ['zh-Hans', 'It made 12,300 cars.', '生产了1.23万辆汽车。'],
  ['de', 'It sold 1500000 cars.', 'Sie verkaufte 1,5 Millionen Autos.'],
  ['de', 'It sold 1,000,000 cars.', 'Sie verkaufte 1 Million Autos.'],
  ['ru', 'It sold 1500000 cars.', 'Она продала 1,5 миллионов автомобилей.'],
  ['hi', 'It sold 1,500,000 cars.', 'इसने 15 लाख कारें बेचीं।'],
  ['pt', 'It has 30,000 people.', 'Tem 30 mil habitantes.'],
  ['fr', 'It has 1,000 people.', 'Il a mille habitants.'],
  ['sw', 'It sold 1,500,000 cars.', 'Iliuza magari milioni 1.5.'],
  ['de', 'It has 12,500 people.', 'Es hat 12 500 Einwohner.'],
  ['fr', 'Wait 50 minutes.', 'Attendez cinquante minutes.'],
  ['de', 'We close at 10:30 pm.', 'Wir schließen um 22:30 Uhr.'],
])(
  'a number is kept in other digits, groups, scales and words: %s | %s | %s',
  (language, source, translation) => {
    expect(lostNumber(source, translation, language)).toBeNull();
  },
);

test.each([
  ['de', BRIDGE, 'Die Brücke ist lang und wurde 1932 gebaut.', '45'],
  ['ar', BRIDGE, 'يبلغ طول الجسر ٥٤ مترًا وقد بني عام ١٩٣٢.', '45'],
  ['de', 'It costs 500 euros.', 'Es kostet 600 Euro.', '500'],
  ['zh-Hans', 'It made 30000 cars.', '生产了5万辆汽车。', '30000'],
  ['zh-Hans', 'It made 30000 cars.', '生产了3辆汽车。', '30000'],
  ['de', 'Take 1500 mg.', 'Nehmen Sie 15 mg.', '1500'],
  ['de', 'He has 1200 cows.', 'Er hat 12 Kühe.', '1200'],
  ['de', 'It costs 25000.', 'Es kostet 25.', '25000'],
  ['de', 'It costs 1500000.', 'Es kostet 15 Millionen.', '1500000'],
  ['pt', 'It has 30,000 people.', 'Tem 30 milhões de habitantes.', '30000'],
  ['fr', 'Take 300 mg twice a day.', 'Prenez-le deux fois par jour.', '300'],
  ['fr', 'Wait 50 minutes.', 'Attendez quelques minutes.', '50'],
])(
  'a number is lost if it is left out, or another stands in its place: %s | %s | %s',
  (language, source, translation, lost) => {
    expect(lostNumber(source, translation, language)).toBe(lost);
  },
);
