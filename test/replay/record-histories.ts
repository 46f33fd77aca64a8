import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { flows } from '../../flows';
import { World } from '../support/world';

// Run by `npm run record-histories` when a release changes the workflow; the new files stand beside the old ones.
test.each(flows.map((flow) => [flow.name, flow] as const))('record %s', async (name, flow) => {
  const world = await World.open('real');
  const told = await world.transaction();
  await world.assessed(told);
  await told.request(flow);
  if (flow.kind === 'token') await told.answer(flow, told.code(flow));
  else await told.reply(told.lastMessage().confirmationId, { option: 1 });
  const history = JSON.parse(historyToJSON(await told.history()));
  writeFileSync(path.join(__dirname, 'histories', `${name}.json`), JSON.stringify(history, undefined, 1));
  await world.close();
});
