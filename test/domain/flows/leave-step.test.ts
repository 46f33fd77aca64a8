import { type FlowRun, leaveStepByExit } from '../../../domain/flows/run';
import { phoneOnlyFlow } from '../../../flows/examples/phone-only.flow';
import { smsTokenFlow } from '../../../flows/sms-token.flow';
import { planOf } from '../../support/flow-plan';

const [startTime, leaveTime] = ['2026-06-01T12:00:00.000Z', '2026-06-01T12:01:00.000Z'];
const run: FlowRun = {
  id: 'r',
  flow: 'sms-token',
  version: 1,
  status: 'Running',
  startedAt: startTime,
  path: [{ step: 'code', enteredAt: startTime }],
  awaiting: { confirmationId: 'c' },
  plan: planOf(smsTokenFlow, 't'),
};

test('an exit leads to the step that the flow defines for it', () => {
  expect(leaveStepByExit(run, 'Valid', leaveTime)).toMatchObject({
    status: 'Completed',
    outcome: 'Confirmed',
    path: [{ step: 'code', exit: 'Valid', leftAt: leaveTime }, { step: 'confirmed' }],
  });
});

test('an unknown exit ends the flow run, because it leads to no step', () => {
  expect(leaveStepByExit(run, 'Perhaps', leaveTime)).toEqual({
    id: 'r',
    flow: 'sms-token',
    version: 1,
    status: 'Canceled',
    startedAt: startTime,
    endedAt: leaveTime,
    path: [{ step: 'code', enteredAt: startTime, leftAt: leaveTime, exit: 'Perhaps', reason: 'NoSuchExit' }],
  });
});

test('a finished flow run does not change', () => {
  const endedRun = leaveStepByExit(run, 'Valid', leaveTime);
  expect(leaveStepByExit(endedRun, 'Perhaps', leaveTime)).toBe(endedRun);
});

test('a flow run skips an exhausted step, and the visit before the skipped step has the reason VisitsExhausted', () => {
  const loopingRun = { ...run, plan: planOf(phoneOnlyFlow, 't') };
  const secondVisit = leaveStepByExit(loopingRun, 'Expired', leaveTime);
  expect(secondVisit.path).toMatchObject([{ step: 'code', exit: 'Expired' }, { step: 'code' }]);
  expect(secondVisit.path[0]).not.toHaveProperty('reason');
  expect(leaveStepByExit(secondVisit, 'Expired', leaveTime)).toMatchObject({
    outcome: 'Expired',
    path: [{ exit: 'Expired' }, { exit: 'Expired', reason: 'VisitsExhausted' }, { step: 'expired' }],
  });
  expect(leaveStepByExit(secondVisit, 'Expired', leaveTime, 'Undelivered 30005').path[1]).toMatchObject({
    reason: 'Undelivered 30005',
  });
});
