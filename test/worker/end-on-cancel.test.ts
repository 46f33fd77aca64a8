import { MockActivityEnvironment } from '@temporalio/testing';
import { EndOnCancel } from '../../worker/create-workers';

const waitForever = () => new Promise<string>(() => undefined);

const newActivity = (info: { isLocal?: boolean } = {}) =>
  new MockActivityEnvironment(info, { interceptors: [(context) => ({ inbound: new EndOnCancel(context) })] });

it('a cancellation ends an activity attempt that would wait forever', async () => {
  const activity = newActivity();
  const attempt = activity.run(waitForever);
  activity.cancel('WORKER_SHUTDOWN');
  await expect(attempt).rejects.toMatchObject({ name: 'CancelledFailure', message: 'WORKER_SHUTDOWN' });
});

it('an activity attempt that ends by itself keeps its result', async () => {
  expect(await newActivity().run(async () => 'done')).toBe('done');
  const fail = async () => {
    throw new Error('as it was');
  };
  await expect(newActivity().run(fail)).rejects.toThrow('as it was');
});

it('a cancellation does not end a local activity, because a workflow task waits for the activity', async () => {
  const activity = newActivity({ isLocal: true });
  let finish = (): void => undefined;
  const attempt = activity.run(() => new Promise<string>((resolve) => (finish = () => resolve('done'))));
  activity.cancel('WORKER_SHUTDOWN');
  finish();
  expect(await attempt).toBe('done');
});
