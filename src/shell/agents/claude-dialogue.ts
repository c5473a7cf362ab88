// The dialogue with Claude Code for one turn: passes its output on, and answers its requests for permission. Its questions
// go to a person, whatever it is permitted.
//
// claude-dialogue/L1. Every request of the agent is answered; an unknown one is refused.
// claude-dialogue/L2. A question to a person ends the turn: the agent is refused and interrupted, and nothing more is
//     granted.
import type { Dialogue, Peer } from '../ports/agents.ts';
import { fieldsIn, objectAt, toolSubjectOf, textField, withoutFolder } from './turn/fields.ts';
import { type Fields } from '../../core/plan/json-fields.ts';
import {
  toolKindOf,
  permissionFor,
  questionsIn,
  ruleOn,
  type PermissionRules,
  type WantedTool,
} from './turn/permission.ts';

export interface ClaudeTurn {
  readonly prompt: string;
  readonly rules: PermissionRules;
}

const LEAVING_MS = 5_000;
/** The tool by which Claude Code asks a person. */
const QUESTIONS = 'AskUserQuestion';
const REFUSED = 'It is not allowed here, and nobody can be asked. Go on without it as well as you can.';
const HELD = 'A person is asked about it. Stop here.';

export class ClaudeDialogue implements Dialogue {
  readonly #turn: ClaudeTurn;
  #peer: Peer | undefined;
  #messages: string[] = [];
  /** The turn waits for a person; the rest of its output is ignored. */
  #isAsking = false;

  constructor(turn: ClaudeTurn) {
    this.#turn = turn;
  }

  begin(peer: Peer): void {
    this.#peer = peer;
    const content = [{ type: 'text', text: this.#turn.prompt }];
    this.#write({ type: 'user', message: { role: 'user', content } });
  }

  receive(line: string): readonly string[] {
    this.#messages = [];
    const message = fieldsIn(line) ?? {};
    const type = textField(message, 'type');
    if (type === 'control_request') this.#answer(message);
    else this.#messages.push(line);
    // It waits for another prompt until its input is closed.
    if (type === 'result') this.#peer?.leave(LEAVING_MS);
    return this.#messages;
  }

  #answer(message: Fields): void {
    const { request_id: id } = message;
    const request = objectAt(message, 'request');
    const subtype = textField(request, 'subtype');
    const response =
      subtype === 'can_use_tool'
        ? { subtype: 'success', request_id: id, response: this.#answerPermission(request) }
        : { subtype: 'error', request_id: id, error: `Heddle does not know ${subtype}.` };
    this.#write({ type: 'control_response', response });
  }

  #answerPermission(request: Fields): Fields {
    const input = objectAt(request, 'input');
    const wanted = this.#wantedIn(request);
    if (this.#isAsking) return { behavior: 'deny', message: HELD, interrupt: true };
    if (wanted.tool === QUESTIONS)
      return this.#askPerson({ question: questionsIn(input) ?? 'It wants to know something.' });
    const { type, isByPerson } = ruleOn(this.#turn.rules, wanted);
    const permission = permissionFor(wanted);
    if (type === 'ask') return this.#askPerson({ permission });
    const isAllowed = type === 'allow';
    const { tool, about } = permission;
    this.#say({ type: 'permission', tool: about === '' ? tool : `${tool}: ${about}`, isAllowed, isByPerson });
    return isAllowed ? { behavior: 'allow', updatedInput: input } : { behavior: 'deny', message: REFUSED };
  }

  #wantedIn(request: Fields): WantedTool {
    const tool = textField(request, 'tool_name') || 'a tool';
    const about = withoutFolder(toolSubjectOf(objectAt(request, 'input')), this.#peer?.cwd ?? '');
    return { tool, kind: toolKindOf(tool), about };
  }

  #askPerson(asked: Fields): Fields {
    this.#isAsking = true;
    this.#say({ type: 'asked', ...asked });
    return { behavior: 'deny', message: HELD, interrupt: true };
  }

  #say(message: Fields): void {
    this.#messages.push(JSON.stringify(message));
  }

  #write(message: Fields): void {
    this.#peer?.write(JSON.stringify(message));
  }
}
