import { readFileSync } from 'node:fs';
import { builtBundle } from '../../worker/bundle';

/**
 * The workflow code of a later release, whose commands have another order: a timer before each message. Without versions, workers with this
 * code cannot continue an open transaction of the built code.
 */
export function changedCode(): string {
  const code = readFileSync(builtBundle.codePath, 'utf8');
  const place = code.indexOf('const attempt = await ', code.indexOf('async send({ confirmation, send }'));
  if (place === -1) throw new Error('The workflow code has no place for the change.');
  return `${code.slice(0, place)}await (0, workflow_1.sleep)(10);\n${code.slice(place)}`;
}
