import { agentContract } from './contract.given.ts';
import { CLAUDE } from './kinds.given.ts';

agentContract(CLAUDE);
