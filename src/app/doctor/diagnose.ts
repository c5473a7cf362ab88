// The doctor: findings about this machine and project, and the repairs made.
import { findProject, mustHaveRoom, type Project } from '../project.ts';
import type { Finding, Repair } from './finding.ts';
import { homeFindings } from './home-findings.ts';
import { systemFindings } from './system-findings.ts';
import { integrationFor, usual } from '../git/produced.ts';
import type { OpenProject } from '../open-project.ts';
import { openIntegration } from '../sandbox-parts.ts';
import { signalGroup } from '../../shell/exec/process.ts';
import type { FoundSandbox } from '../../shell/sandbox/sandbox.ts';

/** What the doctor found, and what it repaired. */
export interface Diagnosis {
  /** Nothing is bad. */
  readonly isWell: boolean;
  readonly repairs: readonly Repair[];
  readonly findings: readonly Finding[];
}

/** With `repairs`, first makes the repairs that lose nothing. */
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
  const { open, unwanted, findings } = await homeFindings(project);
  if (open === undefined) return [];
  const repairs = [...findings.flatMap(continueFrozen), ...(await repair(open, unwanted))];
  open.store.close();
  return repairs;
}

/** Continues workers stopped by a signal; they then report, or their own limits end them. */
function continueFrozen(finding: Finding): readonly Repair[] {
  if (finding.code !== 'workers-silent' && finding.code !== 'workers-without-coordinator') return [];
  return finding.workers.flatMap(({ task, pid, isFrozen }): Repair[] => {
    if (pid === undefined || !isFrozen || !signalGroup(pid, 'SIGCONT')) return [];
    return [{ code: 'worker-continued', run: finding.run, task, pid }];
  });
}

/** Makes the repairs that lose nothing (P4): locks and trees of killed processes, and sandboxes that no run needs. */
async function repair(open: OpenProject, unwanted: readonly FoundSandbox[]): Promise<readonly Repair[]> {
  const { home, root } = open.project;
  const integration = await openIntegration({ home, project: root, settings: usual(), repairs: true });
  if (integration.type === 'refused') return [{ code: 'git', failure: integration.failure }];
  const repairs: Repair[] = integration.repository.locks.map((found) => ({ code: 'lock', ...found }));
  const isUnwanted = ({ run, task }: FoundSandbox): boolean =>
    unwanted.some((each) => each.run === run && each.task === task);
  // A sandbox is taken apart by the kind of tree that it was made with.
  const kinds = new Map(unwanted.map((found) => [found.kind, found]));
  for (const [kind, { run }] of kinds) {
    const { sandboxes } = await integrationFor(open, { run, kind });
    const options = { isWanted: (found: FoundSandbox): boolean => found.kind !== kind || !isUnwanted(found) };
    const { removed, salvaged, repairs: others } = await sandboxes.recover(options);
    repairs.push(...removed.map((found) => ({ code: 'sandbox-removed', run: found.run, task: found.task }) as const));
    repairs.push(...salvaged.map(({ ref }) => ({ code: 'salvaged', ref }) as const), ...others);
  }
  if (kinds.size > 0) return repairs;
  return [...repairs, ...(await integration.sandboxes.recover({ isWanted: () => true })).repairs];
}
