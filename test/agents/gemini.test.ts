import { agentContract } from './contract.given.ts';
import { GEMINI } from './kinds.given.ts';

agentContract(GEMINI);
