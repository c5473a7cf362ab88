// Of several agents the first that is allowed gets the turn: the log names the agent, and after any number of restarts the
// turn is assigned to that agent.
import { watchChoices } from '../../test/law/agent-choices.given.ts';
import { claimsOf, type Invariant, type Sight } from './invariant.ts';
import { claimKey, type Assignment } from '../../src/core/protocol/assignment.ts';

export const agentsChosen: Invariant = {
  name: 'agents are left for reasons that allow it',
  watch: (sight, broken) => {
    const choices = watchChoices();
    return {
      handled: (answers) => {
        if (answers.some(({ command }) => command?.type === 'retry')) choices.hurry();
      },
      before: (event) => {
        const wrong = choices.hear(event, sight.compiled);
        if (wrong !== undefined) broken(wrong);
      },
      replied: ({ start }) => {
        for (const assignment of start) {
          const { claim, work } = assignment;
          const named = choices.agentOf(claim.task, claim.step ?? '');
          if (work.type === 'turn' && isStillClaimed(sight, assignment) && work.agent.name !== named)
            broken(`${claimKey(claim)} is given to ${work.agent.name}, and the log says ${named ?? 'nobody'}.`);
        }
      },
      over: () => {
        if (choices.takenOver() > 0) sight.counts.add('another agent took over');
        if (choices.escalated() > 0) sight.counts.add('a stronger agent had the next attempt');
        if (choices.cameBack() > 0) sight.counts.add('the first agent was asked again');
      },
    };
  },
};

const isStillClaimed = (sight: Sight, { claim }: Assignment): boolean => claimsOf(sight).has(claimKey(claim));
