// Every code a diagnostic can have, with its severity and meaning. The reference has an example of each.

import { PLAN_FINDING_CODES } from '../check/plan-finding.ts';

export interface CodeMeaning {
  readonly severity: 'error' | 'warning';
  readonly meaning: string;
}

const error = (meaning: string): CodeMeaning => ({ severity: 'error', meaning });

/** Codes from reading the text; codes from checking the whole plan are listed beside them. */
const READING_CODES: Readonly<Record<string, CodeMeaning>> = {
  'yaml-syntax': error('The text is not YAML.'),
  'tab-indentation': error('A tab is used for indentation.'),
  'forbidden-character': error('The text holds a character that YAML or the system cannot carry.'),
  'text-too-large': error('The file is larger than a plan may be.'),
  'too-deep': error('Lists, maps or tasks are nested deeper than a plan may be.'),
  'too-many-aliases': error('Aliases or merge keys stand for more than a plan may hold.'),
  'too-many-tasks': error('The plan has more tasks than a plan may have, copies of for_each included.'),
  'too-many-diagnostics': error('So much is wrong that the rest is not shown.'),
  'unknown-alias': error('An alias refers to no value, or to a value that contains it.'),
  'unsupported-tag': error('A YAML tag means nothing in a plan.'),
  'several-documents': error('The file holds more than one YAML document.'),
  'empty-plan': error('The file is empty.'),
  'unquoted-template': error('A value that begins with {{ is not in quotes.'),
  'unknown-version': error('The plan is written in a version of the format that is not known.'),
  'unknown-key': error('A key is not known here.'),
  'missing-key': error('A key that must be there is not.'),
  'misplaced-key': error('A key is known, but has no meaning on a task or step of this kind.'),
  'duplicate-key': error('A key is written twice in one map.'),
  'duplicate-id': error('Two tasks or two steps beside each other have one id.'),
  'case-twins': error('Two ids differ only in case.'),
  'unsafe-id': error('An id cannot be a branch and folder name.'),
  'invalid-name': error('A name has characters that it may not have.'),
  'wrong-type': error('A value is of the wrong type.'),
  'invalid-value': error('A value is of the right type, but not one that is allowed.'),
  'out-of-range': error('A number, a duration or a length is outside its range.'),
  'nothing-to-do': error('A task or step has no work.'),
  'several-kinds': error('A task or step says more than one thing that it does.'),
  'unknown-adapter': error('An agent uses an adapter that does not exist.'),
  'no-agent': error('A prompt has no agent to go to.'),
  'unreadable-schema': error('A schema file cannot be read.'),
  'json-syntax': error('The table of prices is not JSON.'),
};

export const DIAGNOSTIC_CODES: ReadonlyMap<string, CodeMeaning> = new Map<string, CodeMeaning>([
  ...Object.entries(READING_CODES),
  ...Object.entries(PLAN_FINDING_CODES),
]);
