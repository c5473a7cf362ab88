// A conversation of an agent of this machine, for a turn that goes on with it on another one.
import type { CarriedConversation } from '../../core/engine/owed/moved-conversation.ts';
import { redact, secretsIn } from '../../shell/host/worker/redact.ts';
import { conversationFiles, homesInSandbox } from '../../shell/sandbox/conversation-files.ts';
import { stepEnvironment } from '../given-for.ts';
import type { Project } from '../project.ts';

/** In the sandbox of its task; where programs have no home of their own, in that of the user. */
export async function packLocalConversation(
  { home }: Project,
  run: string,
  { use, id, by }: CarriedConversation,
): Promise<string | undefined> {
  const environment = stepEnvironment();
  const secrets = secretsIn(environment);
  const homes = homesInSandbox(home, { run, task: by.task });
  for (const each of homes.length > 0 ? homes : [undefined]) {
    const packed = await conversationFiles.pack({ use, id, home: each, environment }, (bytes) =>
      redact(bytes, secrets),
    );
    if (packed !== undefined) return packed;
  }
  return undefined;
}
