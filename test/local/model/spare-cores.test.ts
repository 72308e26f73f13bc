import { expect, it } from 'vitest';
import { readCpuTimes, spareCores } from '#local/model/spare-cores.ts';

const at = (wall: number, machineBusy: number, own: number) => ({ wall, machineBusy, own });

it.each([
  ['nobody else works', at(1, 2, 2), 2],
  ['another program takes a core', at(1, 2, 1), 1],
  ['another program takes a little', at(1, 1.3, 1), 2],
  ['others take all cores', at(1, 2, 0), 1],
  ['the own time is counted before that of the machine', at(1, 0.5, 0.9), 2],
])('spare cores are counted where %s', (_, after, spare) => {
  expect(spareCores(at(0, 0, 0), after, 2)).toBe(spare);
});

it('spare cores says one where no time has passed', () => {
  expect(spareCores(at(1, 0, 0), at(1, 0, 0), 8)).toBe(1);
});

it('spare cores reads times that grow with the work of this process', () => {
  const before = readCpuTimes();
  const used = process.cpuUsage();
  while (process.cpuUsage(used).user < 40_000);
  const after = readCpuTimes();

  expect(after.own - before.own).toBeGreaterThanOrEqual(0.04);
  expect(after.wall - before.wall).toBeGreaterThan(0);
});
