import { planJsonSchemaText } from '../../core/plan/language/plan-json-schema.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';

/** `heddle schema`: the JSON Schema of a plan, for editors. */
export function schema(terminal: Terminal): ExitCode {
  terminal.out(planJsonSchemaText().trimEnd());
  return EXIT.done;
}
