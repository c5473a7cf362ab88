// The published surface of Heddle, `heddle`: the use cases as functions for programs that embed it.
//
// library/L1. Silent: nothing is printed, the process is never ended, and no signal handler is installed.
// library/L2. Values in, tagged results out. A call that needs a change first comes back as `refused` with a code.
export { check, importTasks, onboard, simulate, split } from './library/plans.ts';
export type { ImportRequest, OfPlan, SimulateRequest, SplitRequest, WrongPlan } from './library/plans.ts';
export { draft } from './library/drafts.ts';
export type { DraftRequest, DraftResult } from './library/drafts.ts';
export { amend, answer, control, follow, resume, start } from './library/runs.ts';
export type {
  Amended,
  AmendRequest,
  AnswerRequest,
  ControlRequest,
  ResumeRequest,
  Started,
  StartRequest,
} from './library/runs.ts';
export { diff, events, output, report, runs, status, turns } from './library/reads.ts';
export type { OfTask, OutputRequest } from './library/reads.ts';
export { doctor, land, recover, restore } from './library/results.ts';
export type { LandRequest, RecoverRequest, RestoreRequest } from './library/results.ts';
export type { InFolder, OfRun, RefusedResult } from './library/call.ts';
export type { Refusal } from './core/view/text/refusal.ts';
export type { PlanCheck, Simulated } from './app/plan/checked-plan.ts';
export type { ImportedTasks } from './app/plan/read-sources.ts';
export type { SplitTree } from './app/plan/split-tree.ts';
export type { Onboarding } from './app/onboarding/onboard.ts';
export type { AmendmentPreview } from './app/run/amend-run.ts';
export type { PostedAnswer, Controlled, ControlWord } from './app/run/post-control.ts';
export { type Observer } from './app/run/observer.ts';
export type { ObserverNote } from './app/run/observer.ts';
export type { OutputPart } from './app/read/read-output.ts';
export type { ListedRun, RunStatus } from './app/read/read-status.ts';
export type { TurnLine } from './app/read/turns-of.ts';
export type { LandOutcome, Preview } from './app/git/land-run.ts';
export type { AllProduced, Produced } from './app/git/produced.ts';
export type { Diagnosis } from './app/doctor/diagnose.ts';
export type { Finding } from './app/doctor/finding.ts';
export type { RunOver, RunRecord } from './shell/ports/log.ts';
export type {
  AgentModule,
  Dialogue,
  Launch,
  Peer,
  PriceOf,
  TurnEnding,
  TurnEvent,
  TurnReader,
  TurnRequest,
  TurnTotal,
  Unlaunchable,
  Verdict,
} from './shell/ports/agents.ts';
export type { Usage } from './core/protocol/result.ts';
export type { RunEvent } from './core/engine/event.ts';
export type { State } from './core/engine/state.ts';
