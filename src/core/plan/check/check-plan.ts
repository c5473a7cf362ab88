// Checks the whole plan: how its parts fit together.
//
// check-plan/A1. All findings in one pass; one never hides another, except where it would only repeat it.
// check-plan/A2. A finding is made only when it is certain. What depends on the run is left to the run.
// check-plan/A3. Time is close to linear in the size of the plan.

import { checkBudgets } from './check-budgets.ts';
import { checkFiles } from './files-overlap.ts';
import { checkHosts } from './check-hosts.ts';
import { checkHolds, checkPermissions, checkResources } from './check-resources.ts';
import { checkJoins } from './joins.ts';
import { checkOutputPatterns } from './output-patterns.ts';
import { makeNames } from './known-names.ts';
import { needsIndexOf } from './needs-index.ts';
import { checkNeeds } from './check-needs.ts';
import { indexPlan, sourceOf, type PlanIndex } from './plan-index.ts';
import { checkSteps } from './check-steps.ts';
import { checkTaskConversations } from './task-conversations.ts';
import { checkAgentCommands, checkTexts } from './check-texts.ts';
import { checkTurns } from './check-turns.ts';
import type { Plan } from '../plan.ts';
import type { ReportFinding } from './plan-finding.ts';

export function checkPlan(plan: Plan, report: ReportFinding): void {
  const index = indexPlan(plan);
  const names = makeNames();
  const needs = needsIndexOf(index);
  checkNeeds(needs, names, report);
  checkSteps(index, names, report);
  checkTurns(index, report);
  checkTaskConversations(needs, names, report);
  checkJoins(index, report);
  checkOutputPatterns(index, report);
  checkTexts(needs, names, report);
  checkResources(index, names, report);
  checkHolds(index, report);
  checkPermissions(plan, report);
  checkAgentCommands(plan, report);
  checkHosts(index, report);
  checkBudgets(index, report);
  checkFiles(needs, report);
  reportNothingChecked(index, report);
  reportEmptyLists(index, report);
  if (needs.isExhausted()) reportExhausted(report);
}

function reportNothingChecked(index: PlanIndex, report: ReportFinding): void {
  let hasPrompt = false;
  for (const { task } of index.tasks) {
    if (task.settings.merge.check !== undefined || (task.type === 'work' && task.check !== undefined)) return;
    hasPrompt ||= task.type === 'work' && task.steps.some((step) => step.type === 'prompt');
  }
  if (!hasPrompt || index.plan.settings.merge.check !== undefined) return;
  report({
    code: 'no-check',
    severity: 'warning',
    path: ['merge'],
    message: 'Nothing checks what the agents do.',
    hint: 'Add merge: { check: npm test }, or a check: to the tasks.',
  });
}

function reportEmptyLists(index: PlanIndex, report: ReportFinding): void {
  for (const at of index.tasks) {
    if (at.task.type !== 'for_each' || at.task.list.type !== 'known' || at.task.list.items.length > 0) continue;
    report({
      code: 'empty-for-each',
      severity: 'warning',
      path: [...sourceOf(index, at), 'for_each', 'in'],
      message: `\`${at.task.path}\` has no items, so it does nothing.`,
      hint: 'Add items to in:, or delete the task.',
    });
  }
}

function reportExhausted(report: ReportFinding): void {
  report({
    code: 'examined-in-part',
    severity: 'warning',
    path: ['tasks'],
    message: 'The plan is so large that not every reference and overlap was checked.',
    hint: 'Split the plan, or let tasks need directly what they read.',
  });
}
