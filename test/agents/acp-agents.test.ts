import { agentContract } from './contract.given.ts';
import { ACP } from './kinds.given.ts';

agentContract(ACP);
