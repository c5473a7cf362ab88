import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach } from 'vitest';
import { hostContract } from './host-contract.given.ts';
import { assignment, drive, end, givenPlace, until, waitingFor, type Driven, type Place } from './host.given.ts';

let place: Place;
let driven: Driven[];
beforeEach(() => {
  place = givenPlace();
  driven = [];
});
afterEach(() => end(place, driven));

const linesOf = (file: string): number => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0);

hostContract('the host of this machine', () => ({
  start: ({ claimsMax }) => {
    const started = drive(place, { claimsMax });
    driven.push(started);
    const { host, latest, reply } = started;
    return { latest, reply, recover: host.recover, leave: () => host.close({ leave: true }) };
  },
  work: (claim) => assignment(claim, `echo x >> ${claim.task}.begun; ${waitingFor('go')}`),
  letGo: () => writeFileSync(place.file('go'), ''),
  timesBegun: ({ task }) => linesOf(place.file(`${task}.begun`)),
  until,
}));
