import { readFileSync } from 'node:fs';
import path from 'node:path';
import { dashboardFiles } from '../../dev/dashboards/main';

const folder = path.join(__dirname, '../../deploy/grafana');

test.each(Object.entries(dashboardFiles()))('%s is up to date: `npm run dashboards` writes it', (name, text) => {
  expect(readFileSync(path.join(folder, name), 'utf8')).toBe(text);
});
