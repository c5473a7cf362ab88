// Programs that speak the protocol, each as far as it tells what it does.
import { agentContract } from './contract.given.ts';
import { CLAUDE_ACP, CODEX_ACP, COPILOT, GOOSE, KIMI, OPENCODE_ACP, QWEN } from './kinds.given.ts';
import { wholeRuns } from './programs.given.ts';

for (const kind of [CLAUDE_ACP, CODEX_ACP, COPILOT, GOOSE, KIMI, QWEN]) agentContract(kind);
// It has a kind of its own, which tells more; this way takes minutes.
agentContract(OPENCODE_ACP, wholeRuns());
