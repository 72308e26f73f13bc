import { distinct, other, pick, type Random, type StarterRow, whole } from './row.ts';

const CALENDAR = { topic: 'calendar', source: 'computed: proleptic Gregorian calendar, ISO 8601' };

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

interface Day {
  readonly year: number;
  /** From 1 on. */
  readonly month: number;
  readonly day: number;
}

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const monthDays = (year: number, month: number): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
const yearDays = (year: number): number => (isLeap(year) ? 366 : 365);

/** From 1 on. */
function dayOfYear({ year, month, day }: Day): number {
  let days = day;
  for (let earlier = 1; earlier < month; earlier += 1) days += monthDays(year, earlier);
  return days;
}

/** Days since 1 January of the year 1, which was a Monday. */
function dayNumber(date: Day): number {
  const before = date.year - 1;
  const leaps = Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400);
  return 365 * before + leaps + dayOfYear(date) - 1;
}

/** From 0, which is Monday. */
const weekday = (date: Day): number => dayNumber(date) % 7;

/** ISO 8601: the week with the year's first Thursday is its first. */
function isoWeek(date: Day): { year: number; week: number } {
  const week = Math.floor((dayOfYear(date) - weekday(date) + 9) / 7);
  const weeksOf = (year: number): number => {
    const first = weekday({ year, month: 1, day: 1 });
    return first === 3 || (first === 2 && isLeap(year)) ? 53 : 52;
  };
  if (week < 1) return { year: date.year - 1, week: weeksOf(date.year - 1) };
  if (week > weeksOf(date.year)) return { year: date.year + 1, week: 1 };
  return { year: date.year, week };
}

/** `days` later, or earlier if negative. */
function shift(date: Day, days: number): Day {
  let { year } = date;
  let left = dayOfYear(date) + days;
  while (left < 1) {
    year -= 1;
    left += yearDays(year);
  }
  while (left > yearDays(year)) {
    left -= yearDays(year);
    year += 1;
  }
  let month = 1;
  while (left > monthDays(year, month)) {
    left -= monthDays(year, month);
    month += 1;
  }
  return { year, month, day: left };
}

const write = ({ year, month, day }: Day): string => `${day} ${MONTHS[month - 1]} ${year}`;

function someDay(random: Random): Day {
  const [year, month] = [whole(random, 1900, 2099), whole(random, 1, 12)];
  return { year, month, day: whole(random, 1, monthDays(year, month)) };
}

function weekdayRow(random: Random): StarterRow {
  const date = someDay(random);
  const name = DAYS[weekday(date)] as string;
  return {
    ...CALENDAR,
    prompt: pick(random, [
      `Which day of the week is ${write(date)} in the Gregorian calendar?`,
      `Tell me the weekday of ${write(date)}.`,
    ]),
    completion: `${write(date)} is a ${name}.`,
    rejected: `${write(date)} is a ${other<string>(random, DAYS, name)}.`,
  };
}

function differenceRow(random: Random): StarterRow {
  const from = someDay(random);
  const days = whole(random, 3, 900);
  const to = shift(from, days);
  return {
    ...CALENDAR,
    prompt: pick(random, [
      `How many days pass from ${write(from)} to ${write(to)}?`,
      `Count the days between ${write(from)} and ${write(to)}, without the first of the two.`,
    ]),
    completion: `From ${write(from)} to ${write(to)} it is ${days} days.`,
    rejected: `From ${write(from)} to ${write(to)} it is ${days + whole(random, 1, 3)} days.`,
  };
}

function shiftRow(random: Random): StarterRow {
  const from = someDay(random);
  const days = whole(random, 5, 400);
  const isLater = random() < 0.5;
  const say = (count: number): string =>
    `${days} days ${isLater ? 'after' : 'before'} ${write(from)} is ${write(shift(from, isLater ? count : -count))}.`;
  return {
    ...CALENDAR,
    prompt: `Which date is ${days} days ${isLater ? 'after' : 'before'} ${write(from)}?`,
    completion: say(days),
    rejected: say(days + pick(random, [-2, -1, 1, 2])),
  };
}

function leapRow(random: Random): StarterRow {
  const year = random() < 0.2 ? 100 * whole(random, 12, 30) : whole(random, 1600, 2800);
  const reason =
    year % 400 === 0
      ? 'it is divisible by 400'
      : year % 100 === 0
        ? 'it is divisible by 100, but not by 400'
        : year % 4 === 0
          ? 'it is divisible by 4 and not by 100'
          : 'it is not divisible by 4';
  const [is, isNot] = [`${year} is a leap year`, `${year} is not a leap year`];
  return {
    ...CALENDAR,
    prompt: pick(random, [`Is ${year} a leap year?`, `Does February of the year ${year} have 29 days?`]),
    completion: `${isLeap(year) ? `Yes: ${is}` : `No: ${isNot}`}, because ${reason}.`,
    rejected: `${isLeap(year) ? `No: ${isNot}` : `Yes: ${is}`}.`,
  };
}

function weekRow(random: Random): StarterRow {
  const date = someDay(random);
  const { year, week } = isoWeek(date);
  const say = (number: number): string => `${write(date)} lies in week ${number} of ${year} by ISO 8601.`;
  return {
    ...CALENDAR,
    prompt: `Which ISO week does ${write(date)} fall in?`,
    completion: say(week),
    rejected: say(week === 1 ? 2 : week - 1),
  };
}

function ordinalRow(random: Random): StarterRow {
  const date = someDay(random);
  const day = dayOfYear(date);
  const say = (number: number): string => `${write(date)} is day ${number} of the year ${date.year}.`;
  return {
    ...CALENDAR,
    prompt: `What number of day in its year is ${write(date)}?`,
    completion: say(day),
    rejected: say(day === 1 ? 2 : day - 1),
  };
}

export function calendarRows(random: Random): StarterRow[] {
  return [
    ...distinct(12, () => weekdayRow(random)),
    ...distinct(12, () => differenceRow(random)),
    ...distinct(12, () => shiftRow(random)),
    ...distinct(12, () => leapRow(random)),
    ...distinct(12, () => weekRow(random)),
    ...distinct(12, () => ordinalRow(random)),
  ];
}
