import { agentContract } from './contract.given.ts';
import { CODEX } from './kinds.given.ts';

agentContract(CODEX);
