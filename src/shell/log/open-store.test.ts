import { storeContract } from './store-contract.given.ts';
import { givenFolder, opened } from './store.given.ts';

storeContract('the store on disk', () => {
  const home = givenFolder();
  return (process) => opened(home, { process });
});
