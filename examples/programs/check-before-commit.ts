// A pre-commit hook: refuses a commit whose plan cannot run. Save it as .git/hooks/check-before-commit.ts, and put this into
// .git/hooks/pre-commit: exec node .git/hooks/check-before-commit.ts
import { existsSync } from 'node:fs';
import { check } from 'heddle';

const plan = process.argv[2] ?? 'plan.yaml';
// A repository without a plan has nothing to check.
const checked = existsSync(plan) ? await check({ plan }) : undefined;

switch (checked?.type) {
  case undefined:
    break;
  case 'checked': {
    const { verification } = checked.proof;
    if (verification.type === 'workflow' && verification.verdict.type === 'sound') break;
    console.error(`${plan} can get stuck; heddle check shows how.`);
    process.exitCode = 1;
    break;
  }
  case 'wrong':
    for (const { file, position, code, message, hint } of checked.diagnostics)
      console.error(`${file}:${position.line}:${position.column} ${code}: ${message} ${hint}`);
    process.exitCode = 1;
    break;
  case 'refused':
    console.error(`${plan} cannot be checked: ${checked.refusal.code}`);
    process.exitCode = 1;
}
