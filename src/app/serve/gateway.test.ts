import { projectInMemory, projectOnDisk } from '../web/served-project.given.ts';
import { gatewayContract } from './gateway-contract.given.ts';

gatewayContract('the store in memory', () => projectInMemory().store);
gatewayContract('the store on disk', () => projectOnDisk().store);
