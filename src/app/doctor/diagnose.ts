// The doctor: what works on this machine and in this project, what is wrong, and what was repaired.
import { findProject, mustHaveRoom, type Project } from '../project.ts';
import type { Finding, Repair } from './finding.ts';
import { homeFindings } from './home-findings.ts';
import { repair } from './repair.ts';
import { systemFindings } from './system-findings.ts';

export interface Diagnosis {
  /** Nothing is bad. */
  readonly isWell: boolean;
  readonly repairs: readonly Repair[];
  readonly findings: readonly Finding[];
}

/** With `repairs`, what can be repaired without losing anything is repaired first. */
export async function diagnose(
  { repairs: wanted }: { readonly repairs: boolean },
  project: Project = findProject(),
): Promise<Diagnosis> {
  mustHaveRoom(project);
  const repairs = wanted ? await repairHome(project) : [];
  const system = await systemFindings(project);
  const { findings: home, open } = await homeFindings(project);
  open?.store.close();
  const findings = [...system, ...home];
  return { isWell: findings.every(({ level }) => level !== 'bad'), repairs, findings };
}

async function repairHome(project: Project): Promise<readonly Repair[]> {
  const { open, unwanted } = await homeFindings(project);
  if (open === undefined) return [];
  const repairs = await repair(open, unwanted);
  open.store.close();
  return repairs;
}
