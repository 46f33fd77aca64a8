import { BrokenSealError } from '../../../platform/keys/seal';
import { createLogger } from '../../../platform/logger';
import { sdkLogOptions } from '../../../platform/temporal/log';
import { LogLines } from '../../support/log-lines';

test('the log has the warnings of the Temporal SDK, and its info lines as debug lines, but no redundant lines and no payloads', () => {
  const lines = new LogLines();
  const { logger } = sdkLogOptions(createLogger('worker', 'debug', lines.stream));
  const core = { target: 'temporalio_sdk_core::worker', fields: 'canary' };
  logger?.log('WARN', 'a poll failed', core);
  logger?.info('Worker state changed', { state: 'canary' });
  logger?.warn('Activity failed', core);
  expect(lines.text).not.toContain('canary');
  expect(lines.lines).toMatchObject([
    { level: 40, process: 'worker', target: 'temporalio_sdk_core::worker', msg: 'a poll failed' },
    { level: 20, msg: 'Worker state changed' },
  ]);
});

test('if a task cannot be decrypted, the log has the workflow id and the name of the error, but not the message of the error', () => {
  const lines = new LogLines();
  const { logger } = sdkLogOptions(createLogger('worker', 'debug', lines.stream));
  const error = Object.assign(new BrokenSealError(), { message: 'canary' });
  const workflow = { workflowId: 'transaction/acme/1', runId: 'run-1' };
  logger?.error('Failed to process Workflow Activation', { ...workflow, error, workflowExists: true });
  logger?.warn('Failing workflow task', { target: 'core', run_id: 'run-2', failure: 'canary' });
  expect(lines.text).not.toContain('canary');
  expect(lines.lines).toMatchObject([
    { workflowId: 'transaction/acme/1', workflowRunId: 'run-1', failure: 'BrokenSealError' },
    { target: 'core', workflowRunId: 'run-2' },
  ]);
});
