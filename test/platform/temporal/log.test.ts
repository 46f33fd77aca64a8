import { createLogger } from '../../../platform/logger';
import { sdkLogOptions } from '../../../platform/temporal/log';
import { LogLines } from '../../support/log-lines';

test('our log has the warnings of the SDK, and the info lines of the SDK as debug lines, but no redundant lines and no payloads', () => {
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
