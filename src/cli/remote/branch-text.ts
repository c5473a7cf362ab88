// What became of fetching the branch of a run, for people.
import type { BranchFetched } from '../../app/git/callers-repository.ts';
import { transferFailureText } from '../../core/protocol/transfer-failure.ts';

export function branchText(run: string, fetched: BranchFetched): string {
  switch (fetched.type) {
    case 'fetched':
      return fetched.isNew
        ? `The result is here as the branch ${fetched.branch}; nothing else was changed. git merge ${fetched.branch} takes it over.`
        : `The branch ${fetched.branch} is here already, as it is there.`;
    case 'none':
      return `${run} has no branch there yet: it gets one when it ends, if it has merged something.`;
    case 'ahead':
      return `The branch ${fetched.branch} here has commits that the one of the server lacks, so it was left alone. Rename it, and call heddle fetch ${run} again.`;
    case 'checked-out':
      return `The branch ${fetched.branch} is checked out here, so it was left alone. Check out another, and call heddle fetch ${run} again.`;
    case 'failed':
      return `${transferFailureText(fetched.failure)} heddle fetch ${run} tries again.`;
  }
}
