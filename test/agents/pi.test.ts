import { agentContract } from './contract.given.ts';
import { PI } from './kinds.given.ts';

agentContract(PI);
