// `npm run bench`: every figure we claim, beside its reference, in one run. Name some to run only those:
//   npm run bench -- firing plan split start mcp verify calibration trace
//   npm run bench -- overlap steps appends large bound hand-over idle turns     (real runs; minutes)
//   npm run bench -- makespan --data DIR [--machines 2,4,8,16] [--limit N] [--samples N] [--seed N]
//   npm run bench -- draft [--goal NAME] [--agent claude [--record]]     (with an agent: at its usual cost)
//   npm run bench -- cluster     (the coordinator's part with hundreds of hosts; seconds)
//   npm run bench -- sandbox [--repository PATH] [--files N] [--count N]     (minutes)
//   npm run bench -- clone     (bytes on the wire: a fresh host beside one clone of 25,000 files)
//   npm run bench -- isolation     (a command kept apart by the system, beside the same command as it is)
//   npm run bench -- web tabs     (the dashboard in Chromium, which must be installed; and its cost for a run)
//   npm run bench -- hosts agents     (a server with hosts that have joined it, all on this machine; minutes)
//   npm run bench -- merge [--repository PATH] [--files N] [--branches N] [--repeats N] [--replay N]
import { parseArgs } from 'node:util';
import { benchCalibration, printCalibration } from './calibration.ts';
import { benchCloneBytes, printCloneBytes } from './cluster/clone-bytes.ts';
import { benchHosts, printHosts } from './cluster/hosts-run.ts';
import { benchAgents, printAgents } from './cluster/many-agents.ts';
import { DISPATCH_SIZES, measureDispatch, printDispatch } from './cluster/dispatching.ts';
import { measureStep, printClusterSteps, STEP_SIZES } from './cluster/stepping.ts';
import { benchFiring, firingDefaults, printFiring } from './firing.ts';
import { benchIsolation, printIsolation } from './git/isolation-cost.ts';
import { benchMerge, MERGE_FLAGS, mergeOptions, printMerge } from './git/merge.ts';
import { printFigures } from './git/print-figures.ts';
import { benchSandboxes, SANDBOX_FLAGS, sandboxOptions } from './git/bench-sandboxes.ts';
import { makespan, MAKESPAN_FLAGS, makespanOptions, printMakespan } from './makespan.ts';
import { benchDrafts, DRAFT_FLAGS, printDrafts } from './plan/bench-drafts.ts';
import { measurePlan, PLAN_SIZES, printPlanFigures } from './plan-sizes.ts';
import { benchAppends, printAppends } from './run/appends.ts';
import { benchBound, printBound } from './run/bound.ts';
import { benchHandOver, printHandOver } from './run/hand-over.ts';
import { benchIdle, printIdle } from './run/idle.ts';
import { benchLarge, printLarge } from './run/large.ts';
import { benchOverlap, printOverlap } from './run/overlap.ts';
import { benchSteps, printSteps } from './run/command-steps.ts';
import { benchTurns, printTurns } from './run/agent-turns.ts';
import { benchReady, printReady } from './mcp-ready.ts';
import { benchStart, printStart } from './start.ts';
import { measureSplit, printSplit, SPLIT_SIZES } from './splitting.ts';
import { benchTracing, printTracing } from './tracing.ts';
import { benchVerify, printVerify } from './proving.ts';
import { benchDashboard, printDashboard } from './web/bench-dashboard.ts';
import { benchTabs, printTabs } from './web/bench-tabs.ts';

/** Instances of each generated set, so that a run of everything takes a minute; a folder is read whole. */
const GENERATED_LIMIT = 10;
const HOSTS_TASKS = 1_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { ...DRAFT_FLAGS, ...MAKESPAN_FLAGS, ...MERGE_FLAGS, ...SANDBOX_FLAGS },
});
const isWanted = (name: string): boolean => positionals.length === 0 || positionals.includes(name);

if (isWanted('firing')) printFiring(benchFiring(firingDefaults));
if (isWanted('plan')) {
  // The first size is run once more beforehand, so that every row is measured on code that is warm.
  measurePlan(PLAN_SIZES[0]);
  printPlanFigures(PLAN_SIZES.map((size) => measurePlan(size)));
}
if (isWanted('draft')) {
  const drafts = { agent: values.agent, records: values.record ?? false, goal: values.goal };
  printDrafts(benchDrafts(drafts), drafts);
}
if (isWanted('start')) printStart(benchStart());
if (isWanted('mcp')) printReady(await benchReady());
if (isWanted('split')) printSplit(SPLIT_SIZES.map(measureSplit));
if (isWanted('verify')) printVerify(benchVerify());
if (isWanted('makespan')) {
  const options = makespanOptions(values);
  const limit = options.limit ?? (options.data === undefined ? GENERATED_LIMIT : undefined);
  printMakespan(makespan({ ...options, limit }));
}
if (isWanted('calibration')) printCalibration(benchCalibration());
if (isWanted('trace')) printTracing(benchTracing());
if (isWanted('cluster')) {
  // Once beforehand, so that every row is measured on code that is warm.
  measureDispatch(16, 500);
  printDispatch(DISPATCH_SIZES.map(([hosts, claims]) => measureDispatch(hosts, claims)));
  printClusterSteps(STEP_SIZES.map(([hosts, claims]) => measureStep(hosts, claims)));
}
if (isWanted('overlap')) printOverlap(await benchOverlap());
if (isWanted('steps')) printSteps(await benchSteps());
if (isWanted('appends')) printAppends(benchAppends());
if (isWanted('large')) printLarge(await benchLarge());
if (isWanted('bound')) printBound(await benchBound());
if (isWanted('hand-over')) printHandOver(await benchHandOver());
if (isWanted('idle')) printIdle(await benchIdle());
if (isWanted('turns')) printTurns(await benchTurns());
if (isWanted('sandbox')) printFigures('Sandboxes', await benchSandboxes(sandboxOptions(values)));
if (isWanted('clone')) printCloneBytes(await benchCloneBytes());
if (isWanted('isolation')) printIsolation(await benchIsolation());
if (isWanted('hosts')) printHosts(await benchHosts(HOSTS_TASKS));
if (isWanted('agents')) printAgents(await benchAgents());
if (isWanted('merge')) printMerge(await benchMerge(mergeOptions(values)));
if (isWanted('web')) printDashboard(await benchDashboard());
if (isWanted('web') || isWanted('tabs')) printTabs(await benchTabs());
