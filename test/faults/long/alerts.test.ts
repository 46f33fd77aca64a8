import { alertCauses } from '../../monitoring/alert-causes';
import { alertNames } from '../../monitoring/alert-rules';
import { AlertWorld } from '../../monitoring/alert-world';

/** The longest window of the short rules, and the time until Prometheus has the values of a day before: 70 s. */
const healthyMs = 75_000;
/** Workers resume a due transaction after 15 to 45 s. The other alerts need half of this time. */
const firesWithinMs = 120_000;
/** A window of the rules, and the time until a stopped component runs again. */
const endsWithinMs = 150_000;

test('every alert has a real cause', () => {
  const caused = alertCauses.flatMap(({ alerts }) => alerts);
  expect(caused.toSorted()).toEqual(alertNames().toSorted());
});

test('a healthy stack fires no alert, and each failure fires its alerts', async () => {
  const world = await AlertWorld.start();
  const rows: { alert: string; cause: string; 'fired after s': number | string; 'ended after s': number | string }[] =
    [];
  try {
    const seen = await world.waitFor(alertNames(), true, healthyMs);
    expect(Array.from(seen.keys())).toEqual([]);
    expect(world.traffic.confirmed).toBeGreaterThan(20);
    for (const { cause, alerts, start } of alertCauses) {
      await world.waitFor(alerts, false, endsWithinMs);
      const end = await start(world);
      const fired = await world.waitFor(alerts, true, firesWithinMs);
      process.stdout.write(`${cause}: ${JSON.stringify(Object.fromEntries(fired))}\n`);
      await end();
      const ended = await world.waitFor(alerts, false, endsWithinMs);
      for (const alert of alerts)
        rows.push({
          alert,
          cause,
          'fired after s': fired.get(alert) ?? 'never',
          'ended after s': ended.get(alert) ?? 'never',
        });
    }
    console.table(rows);
    // On a busy machine, the requests of the test stay slow, so the end of an alert is only shown.
    expect(rows.filter((row) => row['fired after s'] === 'never')).toEqual([]);
  } finally {
    await world.end();
  }
}, 3_600_000);
