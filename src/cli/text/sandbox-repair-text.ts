// What was found and repaired in git and in sandboxes, as sentences.
import { failureText } from '../../core/protocol/sandbox-failure.ts';
import type { Finding, Repair } from '../../app/doctor/finding.ts';
import type { GitNote } from '../../app/sandbox-parts.ts';

type SandboxRepair = Extract<GitNote, { readonly code: 'cleaned-up' }>['repair'];
type Lock = Extract<Repair, { readonly code: 'lock' }>;
type UserRemark = Extract<Finding, { readonly code: 'git-note' }>['remark'];

export function sandboxRepairText(repair: SandboxRepair): string {
  switch (repair.code) {
    case 'kept-unsaved':
      return `${repair.folder} was kept, because it holds what could not be saved: ${failureText(repair.failure)}`;
    case 'kept-unknown':
      return `What is in ${repair.folder} is unknown, because its note cannot be read; look into it.`;
    case 'half-made':
      return `The sandbox of ${repair.task} was only half made; it was removed.`;
    case 'candidate':
      return `The candidate ${repair.name} was left over; it was removed.`;
    case 'set-up':
      return 'A place where set-up ran was left over; it was removed.';
    case 'left-over':
      return `${repair.path} was left over; it was removed.`;
  }
}

export const lockText = ({ lock, isRemoved }: Lock): string =>
  isRemoved
    ? `${lock} was left by a process that was killed; it was removed.`
    : `${lock} is held by a git that is still at work; it was left alone.`;

export function repositoryNoteText(remark: UserRemark): string {
  switch (remark.code) {
    case 'no-commit':
      return 'There is no commit yet, so a run has nothing to start from: commit once.';
    case 'shallow':
      return 'The clone is shallow: history before its edge is not seen, which is enough for runs.';
    case 'sparse':
      return 'The checkout is sparse; sandboxes hold all files.';
    case 'submodules':
      return `Submodules are empty folders in sandboxes (${remark.names.join(', ')}); let \`setup\` fetch them if steps need them.`;
    case 'lfs':
      return 'Files in LFS are pointers in sandboxes; let `setup` fetch them if steps need them.';
    case 'filters':
      return `Filters are not run in sandboxes (${remark.names.join(', ')}): files are there as git stores them.`;
    case 'hooks':
      return `Hooks are not run on Heddle's commits (${remark.names.join(', ')}).`;
  }
}
