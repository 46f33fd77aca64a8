import type { FlowDefinition, Step } from '../../../domain/flows/definition';
import type { PersonAction, SimulatedPerson } from './any-person';

function shortenStep(step: Step): Step {
  if (step.kind === 'confirm') return { ...step, expiresAfterSeconds: 2, resendAfterSeconds: 1 };
  if (step.kind === 'wait') return { ...step, seconds: 1 };
  if (step.kind === 'notify') return { ...step, giveUpAfterSeconds: 1 };
  // Without channels, no message is sent: two messages with links must be a minute apart, which would take too long.
  return step.kind === 'biometrics' ? { ...step, channels: [] } : step;
}

const confirmAction: PersonAction = { kind: 'confirms', delayShare: 0 };

/**
 * The flow gets short times, and the person acts at once in each step. Without an action, a biometrics link would stay open for an hour,
 * the shortest time that a flow allows.
 */
export function shortenScenario({ flow, person }: { flow: FlowDefinition; person: SimulatedPerson }): {
  flow: FlowDefinition;
  person: SimulatedPerson;
} {
  const steps = Object.entries(flow.steps).map(([name, step]) => [name, shortenStep(step)]);
  const actions = person.actions.flatMap(({ kind }): PersonAction[] => [
    { kind: kind === 'ignores' ? 'answersWrong' : kind, delayShare: 0 },
    confirmAction,
  ]);
  return { flow: { ...flow, steps: Object.fromEntries(steps) }, person: { ...person, actions } };
}
