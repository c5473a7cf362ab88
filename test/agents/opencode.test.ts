import { agentContract } from './contract.given.ts';
import { OPENCODE } from './kinds.given.ts';

agentContract(OPENCODE);
