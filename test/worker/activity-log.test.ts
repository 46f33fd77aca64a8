import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createLogger } from '../../platform/logger';
import { ActivityLog } from '../../worker/activity-log';
import { LogLines } from '../support/log-lines';

const data = { runId: 'run-1', flow: 'sign-up', version: 2, step: 'tell', secretly: 'canary' };

/** The log line of a failed attempt. */
async function lineOfFailedAttempt(activityType: string, ...args: unknown[]) {
  return lineOfFailure(ApplicationFailure.retryable('canary', 'CallerAway'), activityType, ...args);
}

async function lineOfFailure(error: Error, activityType: string, ...args: unknown[]) {
  const lines = new LogLines();
  const { context } = new MockActivityEnvironment({ activityType, attempt: 3 });
  const log = new ActivityLog(context, createLogger('worker', 'warn', lines.stream));
  const fail = async () => {
    throw error;
  };
  await expect(log.execute({ args, headers: {} }, fail)).rejects.toThrow('canary');
  expect(lines.text).not.toContain('canary');
  const [{ time: _time, ms: _ms, ...line } = {}, ...more] = lines.lines;
  expect(more).toEqual([]);
  return line;
}

const expectedLine = (activity: string) => ({
  level: 40,
  process: 'worker',
  activity,
  attempt: 3,
  workflowId: expect.any(String),
  failure: 'CallerAway',
  msg: 'activity attempt failed',
});

it('names flow, version, step and run of an event', async () => {
  expect(await lineOfFailedAttempt('notifyCaller', { id: 'canary', data })).toEqual({
    ...expectedLine('notifyCaller'),
    ...{ runId: 'run-1', flow: 'sign-up', version: 2, step: 'tell' },
  });
});

it('names a Postgres error by its code', async () => {
  const error = Object.assign(new Error('canary'), { code: '21000' });
  const line = await lineOfFailure(error, 'saveRecord');
  expect(line).toEqual({ ...expectedLine('saveRecord'), failure: '21000' });
});

it('names the step of a message of a flow', async () => {
  const message = { destination: 'canary', settings: { name: 'sms-token', origin: 'sign-up/code' } };
  expect(await lineOfFailedAttempt('deliverMessage', message)).toEqual({
    ...expectedLine('deliverMessage'),
    step: 'sign-up/code',
  });
  expect(await lineOfFailedAttempt('deliverMessage', { settings: { name: 'sms-token' } })).toEqual(
    expectedLine('deliverMessage'),
  );
});

it('logs no input of other activities', async () => {
  expect(await lineOfFailedAttempt('saveRecord', { state: 'canary' })).toEqual(expectedLine('saveRecord'));
});
