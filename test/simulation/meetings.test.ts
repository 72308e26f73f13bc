import { expect, test } from 'vitest';
import { Meetings } from './meetings.ts';
import { createSeededRandom } from './random.ts';
import { WorldClock } from './world-clock.ts';

test('a process that stands still before a write goes on when another write of its items comes, and for no other', async () => {
  const clock = new WorldClock();
  const meetings = new Meetings({ clock, random: createSeededRandom(7) }, 40_000);
  const began = clock.now();
  const wentOn: number[] = [];
  const process = { name: 'a worker', isAlive: true, waits: 0, isDone: false };
  const standing = clock.spawn(process, async () => {
    await meetings.stand(['RUN#1 META', 'TEAM#1 BALANCE']);
    wentOn.push(clock.now() - began);
  });
  clock.after(100, () => meetings.arrive(['RUN#2 META']));
  clock.after(200, () => meetings.arrive(['TEAM#1 BALANCE']));
  await clock.run(
    () => process.isDone,
    () => {},
  );
  await standing;

  expect(wentOn).toEqual([200]);
});

test('a process that stands still before a write goes on after a while, and not at all when it is gone', async () => {
  const clock = new WorldClock();
  const meetings = new Meetings({ clock, random: createSeededRandom(7) }, 40_000);
  const wentOn: string[] = [];
  const stand = (name: string) => {
    const process = { name, isAlive: true, waits: 0, isDone: false };
    void clock.spawn(process, async () => {
      await meetings.stand([`${name} META`]);
      wentOn.push(name);
    });
    return process;
  };
  stand('alone');
  const gone = stand('gone');
  clock.after(1, () => {
    clock.kill(gone);
    meetings.arrive(['gone META']);
  });
  await clock.run(
    () => false,
    () => {},
  );

  expect(wentOn).toEqual(['alone']);
});

test('a process that stands still goes on with the first write of its items, or lets one or two pass', async () => {
  const passed = new Set<number>();
  for (let seed = 0; seed < 40; seed += 1) {
    const clock = new WorldClock();
    const meetings = new Meetings({ clock, random: createSeededRandom(seed) }, 1e9);
    const process = { name: 'a worker', isAlive: true, waits: 0, isDone: false };
    const seen: unknown[] = [];
    meetings.onStanding = (owner) => void seen.push(owner);
    let writes = 0;
    void clock.spawn(process, () => meetings.stand(['RUN#1 META']));
    const write = (): void => {
      writes += 1;
      meetings.arrive(['RUN#1 META']);
      clock.after(10, write);
    };
    clock.after(10, write);
    await clock.run(
      () => process.isDone,
      () => {},
    );

    expect(seen).toEqual([process]);
    passed.add(writes - 1);
  }

  expect([...passed].sort()).toEqual([0, 1, 2]);
});

test('whoever waits for a process that stands still sees it by a part of a name, until it goes on or is gone', async () => {
  const clock = new WorldClock();
  const meetings = new Meetings({ clock, random: createSeededRandom(7) }, 1e9);
  const stand = (run: string) => {
    const process = { name: run, isAlive: true, waits: 0, isDone: false };
    void clock.spawn(process, () => meetings.stand([`runs/${run}/results/000000.jsonl`]));
    return process;
  };
  stand('met');
  const killed = stand('killed');
  const seen: boolean[][] = [];
  const look = (): void =>
    void seen.push(['met', 'killed', 'other'].map((run) => meetings.isStanding(`runs/${run}/`)));
  clock.after(1, look);
  clock.after(2, () => {
    for (let n = 0; n < 3; n += 1) meetings.arrive(['runs/met/results/000000.jsonl']);
    clock.kill(killed);
  });
  clock.after(3, look);
  await clock.run(
    () => seen.length === 2,
    () => {},
  );

  expect(seen).toEqual([
    [true, true, false],
    [false, false, false],
  ]);
});
