import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { deadline } from '../../activities/http-requests';
import { runInActivity } from '../support/new-activity';

test('a deadline still calls its listener after a garbage collection, although the test keeps no reference to the deadline', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const calls: Event[] = [];
  const listen = () => runInActivity(async () => deadline(200).addEventListener('abort', (event) => calls.push(event)));
  for (let count = 0; count < 20; count += 1) await listen();
  for (let count = 0; count < 10 && calls.length < 20; count += 1) {
    collectGarbage();
    await sleep(50);
  }
  expect(calls).toHaveLength(20);
});
