import type { FlowCompute } from '../../../api/flows/compute/flow-compute';
import { HostilePools } from '../../platform/compute/hostile-tasks';
import { problemShape } from '../api-world';
import { buildPauseFlow, FlowWorld } from './flow-world';

let world: FlowWorld;
const pools = new HostilePools();
beforeAll(async () => {
  world = await FlowWorld.open();
}, 60_000);
afterAll(async () => {
  await world.close();
  await pools.close();
});

/** The text of a flow with `steps` steps. Each has `exits` exits, which lead to steps with the names of `nameTarget`. */
function manyExits(steps: number, exits: number, nameTarget: (step: number, exit: number) => string): string {
  const exitsOf = (step: number) =>
    Object.fromEntries(Array.from({ length: exits }, (_, exit) => [`E${exit}`, nameTarget(step, exit)]));
  const entries = Array.from({ length: steps }, (_, step) => [
    `s${step}`,
    { kind: 'notify', event: 'a', giveUpAfterSeconds: 1, exits: exitsOf(step) },
  ]);
  return JSON.stringify({ start: 's0', steps: Object.fromEntries(entries) });
}

const check = (text: string) => world.request('POST', '/v1/flows/a-flow/check', { body: { text } });

test.each([
  ['80 steps that lead to 40 steps each', manyExits(80, 40, (step, exit) => `s${(step * 7 + exit * 11) % 80}`)],
  ['3,200 steps that do not exist', manyExits(80, 40, (step, exit) => `m${step * 40 + exit}`)],
])('a flow with %s is checked, and is not drawn', async (_, text) => {
  const { status, body } = await check(text);
  expect(status).toBe(200);
  expect(body).toMatchObject({ issues: expect.arrayContaining([expect.objectContaining({ code: 'exit-unneeded' })]) });
  expect(body).not.toHaveProperty('diagram');
});

describe('when checks and drawings never end', () => {
  let compute: FlowCompute;
  beforeAll(async () => {
    await world.createVersions('saved', 1, { activate: [1] });
    compute = world.api.dependencies.flowCompute;
    world.api.dependencies.flowCompute = pools.open({
      deadlineMs: 1_500,
      threads: 2,
      waitingPerTenantMax: 1,
    }) as unknown as FlowCompute;
  });
  afterAll(() => {
    world.api.dependencies.flowCompute = compute;
  });

  test.each([
    ['a check', () => check('{}')],
    ['a diagram', () => world.get('/v1/flows/saved/versions/1/diagram.svg')],
    ['a new version', () => world.put('saved', buildPauseFlow(99))],
  ])('%s ends with 503 and changes nothing, and the API answers meanwhile', async (_, send) => {
    const pending = send();
    expect((await world.api.request('/health/live')).status).toBe(200);
    const { status, body, headers } = await pending;
    expect(status).toBe(503);
    expect(body).toMatchObject(problemShape('flows_busy', 503));
    expect(headers.get('retry-after')).toBe('2');
    expect((await world.get('/v1/flows/saved')).body).toMatchObject({ versions: [{ version: 1 }] });
  });

  test('a tenant that checks too many flows at once gets 503 at once', async () => {
    const busy = pools.open({ deadlineMs: 60_000, threads: 2, waitingPerTenantMax: 1 });
    world.api.dependencies.flowCompute = busy as unknown as FlowCompute;
    let answerCount = 0;
    const answers = [1, 2, 3].map(() => check('{}').finally(() => (answerCount += 1)));
    // One of them is rejected. The two others run and wait.
    expect(await Promise.race(answers)).toMatchObject({ body: problemShape('flows_busy', 503) });
    expect(answerCount).toBe(1);
    await busy.close();
    await Promise.all(answers);
  });
});
