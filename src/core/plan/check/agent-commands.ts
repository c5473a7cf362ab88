// Agents that are commands of the user's own, and are given their prompt as a word of the command.
//
// A prompt holds what models have said, so it is a value like others.
import { readCommandPlaces } from '../expressions/shell-command.ts';
import { PROMPT_PLACE } from '../language/agent-kinds.ts';
import type { Plan } from '../plan.ts';
import type { ReportFinding } from './plan-finding.ts';

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
