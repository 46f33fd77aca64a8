import { leaveStepByExit } from '../../../domain/flows/leave-step';
import type { FlowRun } from '../../../domain/flows/run';
import { phoneOnlyFlow } from '../../../flows/examples/phone-only.flow';
import { smsTokenFlow } from '../../../flows/sms-token.flow';
import { planOf } from '../../support/flow-plan';

const [before, at] = ['2026-06-01T12:00:00.000Z', '2026-06-01T12:01:00.000Z'];
const run: FlowRun = {
  id: 'r',
  flow: 'sms-token',
  version: 1,
  status: 'Running',
  startedAt: before,
  path: [{ step: 'code', enteredAt: before }],
  awaiting: { confirmationId: 'c' },
  plan: planOf(smsTokenFlow, 't'),
};

test('an exit leads to the step of the definition', () => {
  expect(leaveStepByExit(run, 'Valid', at)).toMatchObject({
    status: 'Completed',
    outcome: 'Confirmed',
    path: [{ step: 'code', exit: 'Valid', leftAt: at }, { step: 'confirmed' }],
  });
});

test('an unknown exit ends the run, which could not leave the step otherwise', () => {
  expect(leaveStepByExit(run, 'Perhaps', at)).toEqual({
    id: 'r',
    flow: 'sms-token',
    version: 1,
    status: 'Canceled',
    startedAt: before,
    endedAt: at,
    path: [{ step: 'code', enteredAt: before, leftAt: at, exit: 'Perhaps', reason: 'NoSuchExit' }],
  });
});

test('a finished run does not change', () => {
  const ended = leaveStepByExit(run, 'Valid', at);
  expect(leaveStepByExit(ended, 'Perhaps', at)).toBe(ended);
});

test('an exhausted step is skipped, and the step before it records that', () => {
  const looped = { ...run, plan: planOf(phoneOnlyFlow, 't') };
  const again = leaveStepByExit(looped, 'Expired', at);
  expect(again.path).toMatchObject([{ step: 'code', exit: 'Expired' }, { step: 'code' }]);
  expect(again.path[0]).not.toHaveProperty('reason');
  expect(leaveStepByExit(again, 'Expired', at)).toMatchObject({
    outcome: 'Expired',
    path: [{ exit: 'Expired' }, { exit: 'Expired', reason: 'VisitsExhausted' }, { step: 'expired' }],
  });
  expect(leaveStepByExit(again, 'Expired', at, 'Undelivered 30005').path[1]).toMatchObject({
    reason: 'Undelivered 30005',
  });
});
