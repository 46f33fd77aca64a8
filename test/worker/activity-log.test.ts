import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createLogger } from '../../platform/logger';
import { ActivityLog } from '../../worker/create-workers';
import { LogLines } from '../support/log-lines';

/** The log line for a retryable error. */
async function lineOfFailedAttempt(activityType: string, ...args: unknown[]) {
  return lineOfFailure(ApplicationFailure.retryable('canary', 'ProviderUnavailable'), activityType, ...args);
}

/** Throws if the line has the word `canary`, which stands for personal data. */
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
  failure: 'ProviderUnavailable',
  msg: 'activity attempt failed',
});

it('the log line of a Postgres error has its code', async () => {
  const error = Object.assign(new Error('canary'), { code: '21000' });
  const line = await lineOfFailure(error, 'saveRecord');
  expect(line).toEqual({ ...expectedLine('saveRecord'), failure: '21000' });
});

it('the log line of a message names the flow and the step that requested the message, if there is a flow', async () => {
  const message = { destination: 'canary', settings: { name: 'sms-token', origin: 'sign-up/code' } };
  expect(await lineOfFailedAttempt('deliverMessage', message)).toEqual({
    ...expectedLine('deliverMessage'),
    flow: 'sign-up',
    step: 'code',
  });
  expect(await lineOfFailedAttempt('deliverMessage', { settings: { name: 'sms-token' } })).toEqual(
    expectedLine('deliverMessage'),
  );
});

it('the log line of an activity that saves a record has nothing of the record', async () => {
  expect(await lineOfFailedAttempt('saveRecord', { state: 'canary' })).toEqual(expectedLine('saveRecord'));
});
