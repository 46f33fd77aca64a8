import { Pace } from '../../../../api/biometrics/link/pace';

test('does so many at once, the others in their order, and goes on after one that failed', async () => {
  const pace = new Pace(2);
  const [begun, ends]: [number[], ((failed?: boolean) => void)[]] = [[], []];
  const works = Array.from({ length: 5 }, (_, at) =>
    pace
      .during(() => {
        begun.push(at);
        return new Promise<number>((resolve, reject) => {
          ends[at] = (failed) => (failed ? reject(new Error(String(at))) : resolve(at));
        });
      })
      .catch((error: Error) => error.message),
  );
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  await settle();
  expect(begun).toEqual([0, 1]);
  ends[1]?.(true);
  await settle();
  expect(begun).toEqual([0, 1, 2]);
  ends[0]?.();
  ends[2]?.();
  await settle();
  ends[3]?.();
  ends[4]?.();
  expect(await Promise.all(works)).toEqual([0, '1', 2, 3, 4]);
});
