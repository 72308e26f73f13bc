import { readJson, writeLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { type AssembledArm, describeArm } from './decide/describe-arm.ts';
import { describeRows } from './decide/describe-rows.ts';
import { recommend } from './decide/recommend.ts';
import { PilotRows, PilotState } from './decide/state.ts';
import { assembleArms, type PilotPorts, type PilotWork } from './pilot-work.ts';

/** Writes what is known of the pilot: its arms are running, have finished, or were interrupted with it. */
export async function writeState(
  ports: PilotPorts,
  pilot: PilotWork,
  status: 'running' | 'finished' | 'interrupted',
): Promise<AssembledArm[]> {
  const { context, request, judge, confidence } = pilot;
  const arms = await assembleArms(ports, pilot);
  const isCompared = arms.some(({ scores }) => scores.size > 0);
  const nameOf = (arm: number): string => request.arms[arm - 1]?.asked.name ?? `Arm ${arm}`;
  const state: PilotState = {
    sample_rows: pilot.lines.length,
    arms: arms.map((arm) => describeArm(arm, request, { status, judge: judge.errors, confidence })),
    recommendation: status === 'finished' ? recommend({ arms, confidence, nameOf }) : null,
    judge: isCompared ? { model: judge.model, believed_for: [...judge.believed] } : null,
  };
  const { rows } = await readJson(ports.objects, objectKeys.pilotRows(context.run_id), PilotRows);
  await writeLines(ports.objects, objectKeys.pilotAnswers(context.run_id), describeRows(arms, rows));
  await ports.objects.write(
    objectKeys.pilotState(context.run_id),
    JSON.stringify(PilotState.parse(state)),
    'application/json',
  );
  return arms;
}
