// A command from the dashboard: posted as the command line posts it. A run without a coordinator takes it when it next has
// one, which can be started in the background at once.
import type { Command } from '../../core/engine/command.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { hasCoordinator, type OpenProject } from '../open-project.ts';
import { pressCommand, type Controlled } from '../run/post-control.ts';
import { detach } from '../run/detach.ts';
import { postResume, type Resumed } from '../run/post-resume.ts';

export interface SendCommandRequest {
  readonly record: RunRecord;
  readonly command: Command;
  /** Starts a coordinator in the background where the command needs one and there is none. */
  readonly starts: boolean;
  /** Whether nothing waits for the reply any more. */
  readonly hasGone: () => boolean;
}

export type CommandSent =
  | Exclude<Controlled, { type: 'vacant' }>
  /** The run has no coordinator: the command line goes on with it. */
  | { readonly type: 'vacant'; readonly commandLine: readonly string[] }
  /** A coordinator was started in the background. */
  | { readonly type: 'started' };

export async function sendCommand(open: OpenProject, request: SendCommandRequest): Promise<CommandSent> {
  const { record, command, hasGone } = request;
  const isGoingOn = command.type === 'resume' || command.type === 'retry' || command.type === 'rollback';
  if (!isGoingOn || hasCoordinator(open, record)) {
    const sent = await pressCommand(open, { record, command, hasGone, ring: () => undefined });
    if (sent.type !== 'posted' && sent.type !== 'vacant') return sent;
    return request.starts ? await startFor(open, record) : { type: 'posted' };
  }
  const resumed = await postResume(open, { record, command, takesOver: false, onWaiting: () => undefined });
  return await ofResumed(open, request, resumed);
}

async function ofResumed(
  open: OpenProject,
  { record, starts }: SendCommandRequest,
  resumed: Resumed,
): Promise<CommandSent> {
  switch (resumed.type) {
    case 'asked':
      return { type: 'replied', replies: [resumed.replied] };
    case 'paused':
      return { type: 'posted' };
    case 'over':
      return resumed;
    case 'vacant':
      return starts ? await startFor(open, record) : { type: 'vacant', commandLine: ['heddle', 'resume', record.run] };
  }
}

async function startFor(open: OpenProject, record: RunRecord): Promise<CommandSent> {
  await detach(open, record);
  return { type: 'started' };
}
