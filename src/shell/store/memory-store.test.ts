import { emptyMemory, memoryStore } from './memory-store.ts';
import { storeContract } from './store-contract.given.ts';
import { systemClock } from './store.given.ts';

storeContract('the store in memory', () => {
  const memory = emptyMemory();
  return (process) => memoryStore(memory, { clock: systemClock, process });
});
