import { farSideOf, givenGateway, givenHome, givenHost } from './far-side.given.ts';
import { objectTransferContract } from './object-transfer-contract.given.ts';

objectTransferContract('HTTP', async () => {
  const server = await givenHome();
  let isAway = false;
  const gateway = await givenGateway(server, {
    before: (_, response) => {
      if (isAway) response.destroy();
    },
  });
  return {
    server,
    host: async (name = 'one') => {
      const far = farSideOf(gateway);
      return givenHost(far, name);
    },
    offer: async () => {},
    accept: async () => undefined,
    cut: async () => {
      isAway = true;
    },
    mend: async () => {
      isAway = false;
    },
  };
});
