// A remote that the user names as the other side of transfers: hosts reach it with git's settings of their own users.
import type { FarSide } from './host-transfers.ts';
import type { GitRemote } from './git-remote.ts';

export const remoteFarSide = ({ address, how }: GitRemote): FarSide => ({
  address,
  fetchFrom: () => address,
  pushTo: () => address,
  whose: 'users',
  how,
});
