import { projectInMemory, projectOnDisk } from '../app/web/served-project.given.ts';
import { webContract } from './web-contract.given.ts';

webContract('the store in memory', projectInMemory);
webContract('the store on disk', projectOnDisk);
