// How a drafting was left, and that as JSON for programs.
import { isGood, type JudgedDraft } from '../../app/draft/judge-answer.ts';
import type { Drafted, Drafting } from '../../app/draft/drafting.ts';
import { workIn } from '../../core/draft/task-findings.ts';
import type { AcceptedFile } from '../../app/draft/accept-draft.ts';
import type { ExitCode } from '../terminal/exit-code.ts';

/** How a drafting was left. */
export interface Finished {
  readonly exit: ExitCode;
  readonly drafted: Drafted;
  /** The draft that was accepted or that waits, as drafted or as edited. */
  readonly judged: JudgedDraft | undefined;
  readonly written: AcceptedFile | undefined;
}

export function draftAsData({ record, settings }: Drafting, { drafted, judged, written }: Finished): unknown {
  const { drafts } = drafted;
  const { goal, agent, file } = settings;
  const usd = drafts.reduce((sum, each) => sum + (each.usd ?? 0), 0);
  const forecast = judged?.checked?.forecast;
  return {
    run: record.run,
    goal,
    agent,
    state: written !== undefined ? 'accepted' : judged !== undefined && isGood(judged) ? 'proposed' : 'failed',
    reason: drafted.type === 'failed' ? drafted.reason : undefined,
    message: drafted.type === 'failed' ? drafted.message : undefined,
    file: written?.file ?? file,
    amends: settings.revises?.run,
    plan: written?.text ?? judged?.text,
    reasons: judged?.reasons ?? [],
    assumptions: judged?.assumptions ?? [],
    findings: judged?.findings ?? [],
    eligibility: judged?.checked?.eligibility,
    overlaps: judged?.checked?.overlaps,
    forecast: forecast && { ...forecast, spans: undefined },
    usd,
    drafts: drafts.map((each) => ({
      number: each.number,
      usd: each.usd,
      tasks: each.judged.checked === undefined ? undefined : workIn(each.judged.checked.plan.tasks).length,
      findings: each.judged.findings.map(({ code, severity, task }) => ({ code, severity, task })),
    })),
  };
}
