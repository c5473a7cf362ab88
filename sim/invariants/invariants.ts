// All that must hold in every world. That every run ends, and that no bug is asserted, the world itself sees.
import { amendedAsShown } from './amended-as-shown.ts';
import { agentsChosen } from './agents-chosen.ts';
import { claimBeforeWork } from './claim-before-work.ts';
import { commandsHandled } from './commands-handled.ts';
import { deliveredFirst, forgottenIsLost, liesRecorded } from '../fleet/honest-machines.ts';
import { placedWell } from '../fleet/placed-well.ts';
import { finishedOnce } from './finished-once.ts';
import { grownAsJudged } from './grown-as-judged.ts';
import { hostsInformed } from './hosts-informed.ts';
import type { Invariant } from './invariant.ts';
import { ledgerKept } from './ledger-kept.ts';
import { limitsKept } from './limits-kept.ts';
import { mergedOnce } from './merged-once.ts';
import { grantedByPeople } from './granted-by-people.ts';
import { noIdleHands } from './no-idle-hands.ts';
import { poolsAndCaps } from './pools-and-caps.ts';
import { reasonsGiven } from './reasons-given.ts';
import { sameFold } from './same-fold.ts';
import { settledAlone } from './settled-alone.ts';

export const INVARIANTS: readonly Invariant[] = [
  sameFold,
  claimBeforeWork,
  settledAlone,
  poolsAndCaps,
  ledgerKept,
  finishedOnce,
  reasonsGiven,
  limitsKept,
  agentsChosen,
  commandsHandled,
  hostsInformed,
  placedWell,
  deliveredFirst,
  liesRecorded,
  forgottenIsLost,
  noIdleHands,
  mergedOnce,
  amendedAsShown,
  grownAsJudged,
  grantedByPeople,
];
