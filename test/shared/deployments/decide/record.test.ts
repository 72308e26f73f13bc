import { expect, test } from 'vitest';
import { minutesByDay, warmedAt } from '#shared/deployments/decide/record.ts';

const NOW = Date.parse('2026-03-01T23:50:08.504Z');

test.each([0, 0.3, 0.999])(
  'the minutes of a model are those between its times as they are stored, %s ms after a whole millisecond',
  (fraction) => {
    const { from, warm_until, minutes } = warmedAt(
      { platform: 'amazon_sagemaker', warm_until: null },
      NOW + fraction,
    );
    const days = minutesByDay(from, Date.parse(warm_until));

    expect(days.map(({ day }) => day)).toEqual(['2026-03-01', '2026-03-02']);
    expect(days.reduce((sum, day) => sum + day.minutes, 0)).toBe(minutes);
    expect(minutes).toBe(20);
  },
);
