// What a host program says of itself, as sentences.
import type { HostNote } from '../../app/hosts/host-note.ts';
import { plural } from '../../core/view/text/count-text.ts';

export function hostText(note: HostNote): string {
  switch (note.code) {
    case 'started':
      return `Joining ${note.url} with room for ${plural(note.width, 'claim')}${labelled(note.labels)}. Files are in ${note.home}.`;
    case 'no-agents':
      return 'No agent is installed here, so this host only runs commands and checks. heddle agents says how to get one.';
    case 'joined':
      return `Joined ${note.url}. Ctrl-C leaves when its work is done; twice ends its work now.`;
    case 'link-lost':
      return `${note.url} does not answer (${note.error}). Work goes on, in pools until its lease is over; trying again until it does.`;
    case 'link-back':
      return `The server answers again, after ${Math.round(note.afterMs / 1_000)} s.`;
    case 'name-awaited':
      return `A program with the token of ${note.host} is joined, or was until a moment ago. Waiting until it is gone; a second host needs a token of its own: heddle token add NAME --role host.`;
    case 'claims':
      return note.claims === 0 ? 'Idle.' : `${plural(note.claims, 'claim')} of ${plural(note.runs, 'run')}.`;
    case 'taken-over':
      return `Took over ${plural(note.claims, 'claim')} from an earlier program of this host.`;
    case 'run-over':
      return `${note.run} is over; its files here are removed.`;
    case 'unclean':
      return `The files of ${note.run} could not be removed (${note.message}). The next heddle host here tries again; free some space if the disk is full.`;
    case 'disk-low':
      return `Only ${Math.floor(note.freeBytes / 1_000_000)} MB are free here. Nothing new is taken until there is more.`;
    case 'clock-off':
      return `The clock of this machine is ${Math.round(Math.abs(note.byMs) / 60_000)} min ${note.byMs > 0 ? 'ahead of' : 'behind'} the server's. Times in output will differ, and those of quotas that it reports do not count.`;
    case 'draining':
      return note.claims === 0
        ? 'Leaving.'
        : `Leaving when its work is done (${plural(note.claims, 'claim')}). Ctrl-C again ends it now.`;
    case 'ending':
      return note.claims === 0 ? 'Leaving.' : `Ending ${plural(note.claims, 'claim')}.`;
    case 'ssh-lost':
      return `The connection to ${note.machine} broke${note.stderr === '' ? '' : ` (${note.stderr})`}. Work there goes on; connecting again.`;
    case 'left':
      return note.unreported === 0
        ? 'Left.'
        : `Stopped. The server has not heard of ${plural(note.unreported, 'claim')}; the next heddle host here reports them.`;
  }
}

const labelled = (labels: readonly string[]): string =>
  labels.length === 0 ? '' : ` and the ${labels.length === 1 ? 'label' : 'labels'} ${labels.join(', ')}`;
