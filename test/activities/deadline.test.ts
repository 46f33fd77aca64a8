import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { deadline } from '../../activities/deadline';
import { runInActivity } from '../support/new-activity';

test('a deadline still calls its listener after a garbage collection, although the test keeps no reference to the deadline', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  let callCount = 0;
  const listen = () => runInActivity(async () => deadline(200).addEventListener('abort', () => (callCount += 1)));
  for (let count = 0; count < 20; count += 1) await listen();
  for (let n = 0; n < 10 && callCount < 20; n += 1) {
    collectGarbage();
    await sleep(50);
  }
  expect(callCount).toBe(20);
});
