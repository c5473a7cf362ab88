// All kinds of agents that this version can start, by the name that plans use.
import type { Adapter } from '../ports/agents.ts';
import { acpAdapter } from './acp/acp-adapter.ts';
import { claudeAdapter } from './claude-adapter.ts';
import { codexAdapter } from './codex-adapter.ts';
import { commandAdapter } from './command-adapter.ts';
import { geminiAdapter } from './gemini-adapter.ts';
import { opencodeAdapter } from './opencode-adapter.ts';
import { piAdapter } from './pi-adapter.ts';
import { scriptedAdapter } from './scripted/scripted-adapter.ts';

export const ADAPTERS: ReadonlyMap<string, Adapter> = new Map<string, Adapter>([
  ['claude', claudeAdapter],
  ['codex', codexAdapter],
  ['opencode', opencodeAdapter],
  ['gemini', geminiAdapter],
  ['pi', piAdapter],
  ['acp', acpAdapter],
  ['command', commandAdapter],
  ['scripted', scriptedAdapter],
]);
