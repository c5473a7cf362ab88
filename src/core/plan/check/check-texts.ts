// Templates and expressions: whether they parse, and whether all their references exist and are available in time.

import { readCommandPlaces } from '../expressions/shell-command.ts';
import { readExpression } from '../expressions/expression.ts';
import { readTemplate } from '../expressions/template.ts';
import { PROMPT_PLACE } from '../language/agent-kinds.ts';
import { isAlwaysFalse } from './check-needs.ts';
import { checkOuterReference, checkReference } from './references.ts';
import { mergeChecksOf, taskTexts } from './scope-of-text.ts';
import type { Plan } from '../plan.ts';
import type { TextFacts } from '../expressions/text-reference.ts';
import type { ReportFinding } from './plan-finding.ts';
import type { NameGuesses } from './known-names.ts';
import type { NeedsIndex } from './needs-index.ts';
import type { PlacedText, TaskText } from './scope-of-text.ts';

export function checkTexts(needs: NeedsIndex, names: NameGuesses, report: ReportFinding): void {
  for (const placed of mergeChecksOf(needs.index)) {
    const { references } = readText(placed, report);
    for (const reference of references) checkOuterReference({ needs, names, report, placed }, reference);
  }
  for (const at of needs.index.tasks) {
    for (const placed of taskTexts(needs.index, at)) {
      const facts = readText(placed, report);
      if (placed.kind === 'condition') reportNeverRuns(placed, report);
      for (const reference of facts.references) checkReference({ needs, names, report, placed }, reference);
    }
  }
}

function readText(placed: PlacedText, report: ReportFinding): TextFacts {
  switch (placed.kind) {
    case 'template':
      return readAsTemplate(placed, report);
    case 'command':
      return readAsCommand(placed, report);
    case 'condition':
    case 'list':
      return readAsExpression(placed, report);
  }
}

function readAsTemplate(placed: PlacedText, report: ReportFinding): TextFacts {
  const facts = readTemplate(placed.text);
  for (const problem of facts.problems) {
    report({
      code: 'template-syntax',
      path: placed.path(),
      message: `This template cannot be read: ${problem.message}${lineOf(placed.text, problem.offset)}.`,
      hint: 'Close what is open, and write {% raw %} around braces that are meant as they are.',
    });
  }
  return facts;
}

function readAsCommand(placed: PlacedText, report: ReportFinding): TextFacts {
  const facts = readAsTemplate(placed, report);
  if (facts.problems.length > 0 || facts.references.length === 0) return facts;
  for (const { why, offset } of readCommandPlaces(placed.text)) {
    report({
      code: 'unsafe-value',
      path: placed.path(),
      message: `A value cannot be made safe here${lineOf(placed.text, offset)}: it stands ${why}.`,
      hint: 'Give it to the program as data: a plain argument, or a variable, as in X={{ … }} before the program.',
    });
  }
  return facts;
}

function readAsExpression(placed: PlacedText, report: ReportFinding): TextFacts {
  const facts = readExpression(placed.text);
  for (const problem of facts.problems) {
    report({
      code: 'expression-syntax',
      path: placed.path(),
      message: `This expression cannot be read: ${problem.message}${columnOf(placed.text, problem.offset)}.`,
      hint: placed.text.includes('{{')
        ? 'This is CEL and not a template: write it without {{ and }}.'
        : 'Write CEL, such as steps.verify.ok && inputs.count > 2; texts stand in quotes.',
    });
  }
  if (facts.problems.length > 0) return facts;
  const isList = placed.kind === 'list';
  const fits = facts.gives === 'dyn' || (isList ? facts.gives.startsWith('list') : facts.gives === 'bool');
  if (!fits) {
    report({
      code: 'expression-type',
      path: placed.path(),
      message: `This expression gives ${facts.gives}, and ${isList ? 'a list' : 'true or false'} is wanted.`,
      hint: isList ? 'Write an expression that gives a list.' : 'Compare it with something, as in … == 1.',
    });
  }
  return facts;
}

function reportNeverRuns(placed: TaskText, report: ReportFinding): void {
  const path = placed.path();
  if (path.at(-1) !== 'when' || !isAlwaysFalse(placed.text)) return;
  const step = placed.steps === undefined ? undefined : placed.steps.task.steps[placed.steps.place]?.id;
  report({
    code: 'never-runs',
    severity: 'warning',
    path,
    message: `${step === undefined ? '' : `Step \`${step}\` of `}\`${placed.at.task.path}\` is always skipped, because its when is always false.`,
    hint: 'Delete it, or let its when depend on an input or an output.',
  });
}

function lineOf(text: string, offset: number): string {
  if (!text.includes('\n')) return '';
  return `, on line ${text.slice(0, offset).split('\n').length} of it`;
}

function columnOf(text: string, offset: number): string {
  return offset === 0 || offset > text.length ? '' : `, at character ${offset + 1}`;
}

/** The prompt of an agent that is a command is a value like others: it holds what models have said. */
export function checkAgentCommands({ agents }: Pick<Plan, 'agents'>, report: ReportFinding): void {
  for (const { name, use, command = '', args } of agents) {
    if (use !== 'command' || !args.some((word) => word.includes(PROMPT_PLACE))) continue;
    for (const { why } of readCommandPlaces([command, ...args.map(asTemplate)].join(' ')).slice(0, 1)) {
      report({
        code: 'unsafe-value',
        path: ['agents', name, 'args'],
        message: `The prompt of \`${name}\` cannot be made safe here: it stands ${why}.`,
        hint: `Delete ${PROMPT_PLACE}, and let the program read its standard input; or make it an argument of its own.`,
      });
    }
  }
}

/** As the shell is given it: unchanged, save for the prompt. */
const asTemplate = (word: string): string => word.split(PROMPT_PLACE).map(quoted).join('{{ prompt }}');

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
